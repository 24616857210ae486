#include "mca-core/trace/step_source.h"

#include <algorithm>
#include <utility>

namespace mca {

WalkSteps::WalkSteps(TraceWalk walk, const ProgramBranches &branches, const TraceScope *scope, uint64_t maxSteps)
    : walk_(std::move(walk)), stepsLeft_(maxSteps) {
  if (!scope)
    return;
  isInLoop_.resize(branches.size());
  for (const uint32_t instruction : scope->instructions)
    isInLoop_[instruction] = true;
}

size_t WalkSteps::read(std::span<TraceStep> batch) {
  batch = batch.first(std::min<uint64_t>(batch.size(), stepsLeft_));
  size_t count = 0;
  if (isInLoop_.empty())
    while (count < batch.size() && walk_.next(batch[count]))
      ++count;
  else
    for (; count < batch.size() && walk_.next(batch[count]); ++count)
      batch[count].isInScope = executeInScope(batch[count]);
  stepsLeft_ -= count;
  return count;
}

/// Whether the loop is being executed, or a function that it called. The instruction in the delay slot of a call or a
/// return still belongs to the function that holds it.
bool WalkSteps::executeInScope(const TraceStep &step) {
  const bool isCalled = loopDepth_ != kNotInLoop && depth_ > loopDepth_;
  const bool isInLoop = isInLoop_[step.instruction];
  if (!isCalled)
    loopDepth_ = isInLoop ? depth_ : kNotInLoop;
  if (step.kind != BranchKind::None || isBeforeDelaySlot_) {
    isBeforeDelaySlot_ = walk_.isInDelaySlot();
    if (!isBeforeDelaySlot_)
      depth_ = walk_.depth();
  }
  return isCalled || isInLoop;
}

} // namespace mca
