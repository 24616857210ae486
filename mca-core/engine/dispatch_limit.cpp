// Dispatches iterations until one begins as an earlier one did: what is left of the cycle and of a long instruction is
// all that the next iteration depends on.
#include "mca-core/engine/dispatch_limit.h"

#include <algorithm>
#include <map>
#include <utility>

namespace mca {
namespace {

class Dispatch {
public:
  explicit Dispatch(uint32_t width) : width_(width), room_(width) {}

  void dispatch(const BodyInstruction &instruction) {
    const uint32_t taken = std::min(instruction.microOps, width_);
    const uint32_t needed = instruction.beginGroup ? width_ : std::max(1u, taken);
    while (room_ < needed)
      startCycle();
    carried_ = instruction.microOps - taken;
    room_ = instruction.endGroup || carried_ ? 0 : room_ - taken;
  }

  /// Free slots of the cycle, and micro-ops of a long instruction that are still to come.
  std::pair<uint32_t, uint32_t> state() const { return {room_, carried_}; }
  uint64_t cycles() const { return cycles_; }

private:
  void startCycle() {
    const uint32_t first = std::min(carried_, width_);
    carried_ -= first;
    room_ = width_ - first;
    ++cycles_;
  }

  uint32_t width_;
  uint32_t room_;
  uint32_t carried_ = 0;
  uint64_t cycles_ = 0; // that have ended
};

} // namespace

DispatchLimit findDispatchLimit(const Body &body, uint32_t dispatchWidth) {
  if (!dispatchWidth || body.instructions.empty())
    return {};
  Dispatch dispatch(dispatchWidth);
  // What is carried over depends on the last instruction alone: there are at most as many states as slots, and one.
  std::map<std::pair<uint32_t, uint32_t>, std::pair<uint64_t, uint64_t>> known; // cycles and iterations, by state
  for (uint64_t iteration = 0;; ++iteration) {
    const auto [before, isNew] = known.try_emplace(dispatch.state(), dispatch.cycles(), iteration);
    if (!isNew)
      return {dispatch.cycles() - before->second.first, iteration - before->second.second};
    for (const BodyInstruction &instruction : body.instructions)
      dispatch.dispatch(instruction);
  }
}

} // namespace mca
