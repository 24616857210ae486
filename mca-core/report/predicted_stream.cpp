// Cuts a run into segments. A segment is long enough that its costs do not matter, and short enough for the caches.
#include "mca-core/report/predicted_stream.h"

#include <utility>

namespace mca {
namespace {

constexpr size_t kSegment = 4096; // instructions
constexpr size_t kBatch = 512;    // steps

} // namespace

PredictedStream::PredictedStream(std::unique_ptr<StepSource> steps, const ProgramBranches &branches, uint32_t header,
                                 const BodyPositions &positions, std::unique_ptr<Predictor> predictor)
    : steps_(std::move(steps)), batch_(kBatch), branches_(branches), header_(header), positions_(positions),
      predictor_(std::move(predictor)), counts_(positions.positions.size()) {
  segment_.reserve(kSegment);
}

PredictedStream::PredictedStream(const PredictedStream &other)
    : InstructionStream(), steps_(other.steps_->clone()), batch_(other.batch_), at_(other.at_), end_(other.end_),
      branches_(other.branches_), header_(other.header_), positions_(other.positions_),
      predictor_(other.predictor_->clone()), alwaysRight_(other.alwaysRight_), left_(other.left_),
      counts_(other.counts_), iterations_(other.iterations_) {
  segment_.reserve(kSegment);
}

bool PredictedStream::isMispredicted(const TraceStep &step) {
  const BranchSite site{step.instruction, branches_.at(step.instruction).isBackward};
  const bool isWrong = step.kind == BranchKind::ConditionalJump ? predictor_->mispredictsDirection(site, step.taken)
                                                                : predictor_->mispredictsTarget(site, step.target);
  return isWrong && step.instruction != alwaysRight_;
}

void PredictedStream::train(uint64_t instructions) {
  while (instructions && hasNext()) {
    const TraceStep &step = batch_[at_++];
    instructions -= step.isInScope;
    if (isPredicted(step.kind))
      isMispredicted(step);
  }
}

/// Counts the execution of a branch that has to be predicted. Returns whether it was mispredicted.
bool PredictedStream::count(const TraceStep &step) {
  Count &branch = counts_[step.instruction - positions_.first];
  ++branch.executions;
  branch.taken += step.taken;
  const bool isWrong = isMispredicted(step);
  branch.mispredictions += isWrong;
  return isWrong;
}

InstructionStream::Segment PredictedStream::next() {
  segment_.clear();
  while (segment_.size() < kSegment && left_ && hasNext()) {
    const TraceStep &step = batch_[at_++];
    if (!step.isInScope) {
      if (isPredicted(step.kind))
        isMispredicted(step);
      continue;
    }
    --left_;
    iterations_ += step.instruction == header_;
    const uint32_t position = positions_.of(step.instruction);
    if (position != kNone)
      segment_.push_back(position);
    if (isPredicted(step.kind) && count(step) && position != kNone)
      return {.instructions = segment_, .endsMispredicted = true};
  }
  return {.instructions = segment_};
}

} // namespace mca
