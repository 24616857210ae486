// Cuts a walk into segments. A segment is long enough that its costs do not matter, and short enough for the caches.
#include "mca-core/report/predicted_stream.h"

#include <utility>

namespace mca {
namespace {

constexpr size_t kSegment = 4096; // instructions

} // namespace

PredictedStream::PredictedStream(TraceWalk walk, const ProgramBranches &branches,
                                 const std::vector<uint32_t> &positions, std::unique_ptr<Predictor> predictor)
    : walk_(std::move(walk)), branches_(branches), positions_(positions), predictor_(std::move(predictor)),
      counts_(branches.size()) {
  segment_.reserve(kSegment);
}

PredictedStream::PredictedStream(const PredictedStream &other)
    : InstructionStream(), walk_(other.walk_), branches_(other.branches_), positions_(other.positions_),
      predictor_(other.predictor_->clone()), alwaysRight_(other.alwaysRight_), left_(other.left_),
      counts_(other.counts_) {
  segment_.reserve(kSegment);
}

bool PredictedStream::isMispredicted(const TraceStep &step) {
  const BranchSite site{step.instruction, branches_.at(step.instruction).isBackward};
  const bool isWrong = step.kind == BranchKind::ConditionalJump ? predictor_->mispredictsDirection(site, step.taken)
                                                                : predictor_->mispredictsTarget(site, step.target);
  return isWrong && step.instruction != alwaysRight_;
}

void PredictedStream::train(uint64_t instructions) {
  for (TraceStep step; instructions && walk_.next(step); --instructions)
    if (isPredicted(step.kind))
      isMispredicted(step);
}

InstructionStream::Segment PredictedStream::next() {
  segment_.clear();
  for (TraceStep step; segment_.size() < kSegment && left_ && walk_.next(step);) {
    --left_;
    const uint32_t position = positions_[step.instruction];
    if (position != kNone)
      segment_.push_back(position);
    if (!isPredicted(step.kind))
      continue;
    Count &count = counts_[step.instruction];
    ++count.executions;
    count.taken += step.taken;
    if (!isMispredicted(step))
      continue;
    ++count.mispredictions;
    if (position != kNone)
      return {.instructions = segment_, .endsMispredicted = true};
  }
  return {.instructions = segment_};
}

} // namespace mca
