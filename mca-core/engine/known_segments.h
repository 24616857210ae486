// The segments of a trace that a machine has run before, so that it need not run them again.
//
// After a misprediction, a machine has mostly run empty before the next instructions enter. What it does until the next
// such moment depends only on the segment, and on the little that an empty machine remembers. There are few
// instructions between two mispredictions, so the same segments come again and again.
#pragma once

#include "mca-core/engine/machine.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace mca {

class KnownSegments {
public:
  static constexpr uint32_t kUnknown = ~0u;
  static constexpr size_t kLongest = 256; ///< instructions; longer segments seldom come again

  /// What a machine with nothing in flight remembers.
  struct IdleState {
    RegisterState registers;     ///< for the aliases
    std::vector<uint32_t> units; ///< see ResourceState::idleStates()
  };
  /// A segment that ended in a misprediction, and what happened until the next one could enter.
  struct Segment {
    std::vector<uint32_t> instructions; ///< positions in the body
    uint32_t next = kUnknown;           ///< the idle state at the end; kUnknown: none, or not known yet
    Redirect redirect;                  ///< in cycles since the segment entered
  };

  void clear();
  bool isFull() const { return segments_.size() >= kMaxSegments || states_.size() >= kMaxStates; }
  /// Returns the number of the state of a machine with nothing in flight.
  uint32_t numberOf(const RegisterState &registers, const ResourceState &resources, int64_t now);
  const IdleState &state(uint32_t number) const { return states_[number]; }
  /// Returns the segment with these instructions that enters in this state. It is added if it is new.
  Segment &segment(uint32_t state, std::span<const uint32_t> instructions);

private:
  static constexpr size_t kMaxSegments = 1 << 15, kMaxStates = 1 << 12;

  std::vector<IdleState> states_;
  std::map<std::vector<uint64_t>, uint32_t> numbers_; ///< of the states, by their description
  std::vector<Segment> segments_;
  llvm::DenseMap<std::pair<uint32_t, uint64_t>, uint32_t> index_; ///< by state and hash of the instructions
};

} // namespace mca
