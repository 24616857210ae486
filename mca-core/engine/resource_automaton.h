// The rules of one component of the processor's resources, compiled lazily into a finite automaton.
//
// A component has few different states, and revisits them again and again. Each state has a number. ResourceRules
// computes the result of a request or of a cycle once per state; afterwards it is a table look-up. An automaton can
// serve many regions, one after the other.
#pragma once

#include "mca-core/engine/resource_rules.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace mca {

class ResourceAutomaton {
public:
  /// The result of a step from a state. Steps have numbers: 0 is the next cycle; each request has two in succession,
  /// one that takes its units and one that reports what it is missing. The latter changes nothing: its `next` is
  /// Missing::failedCheck, and its `ready` is Missing::mask.
  struct Transition {
    uint64_t ready = 0;          ///< state bits of the resources with a free unit afterwards
    uint64_t toggledBuffers = 0; ///< see ResourceEffects
    uint32_t next = kUnknown;    ///< the next state
    uint32_t firstGranted = 0;   ///< see granted()
    uint16_t grantedCount = 0;
    uint16_t slot = 0;     ///< of the first granted unit
    bool idle = false;     ///< all resources are free afterwards
    bool released = false; ///< the step released something
  };
  static constexpr uint32_t kStart = 0; ///< the state in which all resources are free
  static constexpr uint32_t kCycle = 0; ///< the step to the next cycle

  ResourceAutomaton(const ProcessorResources &processor, uint64_t component) : rules_(processor, component) { clear(); }

  const ResourceRules &rules() const { return rules_; }
  /// Returns the step that takes the request's units; the step after it reports what is missing. Valid as long as the
  /// automaton lives.
  uint32_t stepOf(const ResourceRequest &request);

  /// The result is valid until the next call.
  const Transition &transition(uint32_t state, uint32_t step) {
    const size_t number = size_t(state) << rowBits_ | step;
    if (transitions_[number].next == kUnknown) [[unlikely]]
      compute(state, step);
    return transitions_[number];
  }
  std::span<const GrantedUnit> granted(const Transition &t) const {
    return {granted_.data() + t.firstGranted, t.grantedCount};
  }
  /// Returns what the request is missing.
  Missing missing(uint32_t state, uint32_t step) {
    const Transition &answer = transition(state, step + 1);
    return {answer.next, answer.ready};
  }
  /// Returns the cycles until the next release; 0 if everything is free.
  uint32_t nextRelease(uint32_t state) const { return rules_.nextRelease(*states_[state]); }

  /// What a state is, whatever its number: that depends on the states that were seen before it.
  std::span<const uint64_t> words(uint32_t state) const { return *states_[state]; }
  uint64_t hash(uint32_t state) const { return hashes_[state]; }

  /// Size of the table, in transitions.
  size_t size() const { return transitions_.size(); }
  /// Drops all states except the first and `kept`, whose new number it returns.
  uint32_t clearBut(uint32_t kept);

private:
  static constexpr uint32_t kUnknown = ~0u;
  using State = std::vector<uint64_t>; ///< see ResourceRules
  struct StateHash {
    size_t operator()(const State &state) const;
  };
  void clear();
  [[gnu::noinline]] void compute(uint32_t state, uint32_t step);
  uint32_t number(const State &state);

  ResourceRules rules_;
  std::vector<ResourceRequest> requests_; // of the steps 1, 3, 5 …
  std::unordered_map<State, uint32_t, StateHash> numbers_;
  std::vector<const State *> states_; // by number: the keys of numbers_
  std::vector<uint64_t> hashes_;      // by number
  unsigned rowBits_ = 2;
  /// By state and step, in rows of 2^rowBits_. Computed on first use: most requests never occur in most states.
  std::vector<Transition> transitions_;
  std::vector<GrantedUnit> granted_;
  State scratch_;
};

} // namespace mca
