// The rules of a component of the processor's resources as a finite automaton that is made as it is needed.
//
// A component is in few different states while a region runs, and meets the same ones again and again. A state has a
// number, and what a request or a cycle makes of it is computed once, by ResourceRules, and then looked up. An
// automaton may serve many regions one after the other.
#pragma once

#include "mca-core/engine/resource_rules.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mca {

/// Distinct sequences of words of one length, by number.
class WordTable {
public:
  explicit WordTable(size_t words) : words_(words) {}
  size_t size() const { return hashes_.size(); }
  std::span<const uint64_t> operator[](size_t number) const { return {data_.data() + number * words_, words_}; }
  /// The number of what may be new.
  uint32_t add(std::span<const uint64_t> sequence);
  void clear();

private:
  static constexpr uint32_t kNone = ~0u;
  uint32_t &placeOf(uint64_t hash, std::span<const uint64_t> sequence);
  void grow();

  size_t words_;
  std::vector<uint64_t> data_;
  std::vector<uint64_t> hashes_; // by number
  std::vector<uint32_t> table_;  // numbers, by hash
};

class ResourceAutomaton {
public:
  /// What becomes of a state.
  struct Transition {
    uint64_t ready = 0;          ///< state bits of what has a free unit then
    uint64_t toggledBuffers = 0; ///< see ResourceEffects
    uint32_t next = kUnknown;    ///< the state
    uint32_t firstGranted = 0;   ///< see granted()
    uint16_t grantedCount = 0;
    uint16_t slot = 0;     ///< of the first unit that is granted
    bool idle = false;     ///< everything is free then
    bool released = false; ///< something has come free
  };
  static constexpr uint32_t kStart = 0; ///< the state in which everything is free
  static constexpr uint32_t kCycle = 0; ///< the step to the next cycle

  ResourceAutomaton(const ProcessorResources &processor, uint64_t component)
      : rules_(processor, component), states_(rules_.words()) {
    clear();
  }

  const ResourceRules &rules() const { return rules_; }
  /// The step by which a request takes its units; the one after it asks what is missing. Valid as long as the
  /// automaton lives.
  uint32_t stepOf(const ResourceRequest &request);

  /// Valid until the next step.
  const Transition &transition(uint32_t state, uint32_t step) {
    const size_t number = size_t(state) << rowBits_ | step;
    if (transitions_[number].next == kUnknown) [[unlikely]]
      compute(state, step);
    return transitions_[number];
  }
  std::span<const GrantedUnit> granted(const Transition &t) const {
    return {granted_.data() + t.firstGranted, t.grantedCount};
  }
  /// What the request finds missing.
  Missing missing(uint32_t state, uint32_t step) {
    const Transition &answer = transition(state, step + 1);
    return {answer.next, answer.ready};
  }
  /// Cycles until something comes free; 0 when everything is.
  uint32_t nextRelease(uint32_t state) const { return rules_.nextRelease(states_[state]); }

  /// How much has been computed.
  size_t size() const { return transitions_.size(); }
  /// Forgets all states but the first and `kept`. Returns the new number of that.
  uint32_t clearBut(uint32_t kept);

private:
  static constexpr uint32_t kUnknown = ~0u;
  void clear();
  [[gnu::noinline]] void compute(uint32_t state, uint32_t step);
  uint32_t number(std::span<const uint64_t> state);

  ResourceRules rules_;
  std::vector<ResourceRequest> requests_; // of steps 1, 3, 5 …
  WordTable states_;
  unsigned rowBits_ = 2;
  std::vector<Transition> transitions_; // by state and step
  std::vector<GrantedUnit> granted_;
  std::vector<uint64_t> scratch_;
  ResourceEffects effects_;
};

} // namespace mca
