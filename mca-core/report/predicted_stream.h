// The instructions of a run, cut where the predictor is wrong: what a machine runs along a trace.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/trace/predictor.h"
#include "mca-core/trace/step_source.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace mca {

/// Whether a CPU has to predict a direction or a target. Returns are predicted right: their stack is deep enough for
/// the calls of a loop.
constexpr bool isPredicted(BranchKind kind) {
  return kind == BranchKind::ConditionalJump || kind == BranchKind::IndirectJump || kind == BranchKind::IndirectCall;
}

/// The positions in a body of the instructions of a program. It holds only the range of instructions that executes: a
/// loop is a small part of a large program.
struct BodyPositions {
  uint32_t first = 0;              ///< the first instruction of the range
  std::vector<uint32_t> positions; ///< from that one on; kNone for one that is left out of the body

  uint32_t of(uint32_t instruction) const {
    return instruction - first < positions.size() ? positions[instruction - first] : kNone;
  }
};

class PredictedStream final : public InstructionStream {
public:
  struct Count {
    uint64_t executions = 0;
    uint64_t taken = 0;
    uint64_t mispredictions = 0;
  };

  /// A copy continues on its own, with a predictor that has learned the same.
  PredictedStream(const PredictedStream &other);

  /// `header`: the instruction whose executions are the iterations, or kNone.
  /// `positions` must hold each instruction of the scope, and outlive the stream.
  PredictedStream(std::unique_ptr<StepSource> steps, const ProgramBranches &branches, uint32_t header,
                  const BodyPositions &positions, std::unique_ptr<Predictor> predictor);

  /// Goes over so many instructions of the scope; the predictor learns their branches and all before them.
  void train(uint64_t instructions);
  /// From here on, this branch is never predicted wrongly; the predictor learns it nevertheless.
  void setAlwaysRight(uint32_t branch) { alwaysRight_ = branch; }
  void setPredictor(std::unique_ptr<Predictor> predictor) { predictor_ = std::move(predictor); }
  /// Ends the stream after so many further instructions of the scope.
  void limit(uint64_t instructions) { left_ = instructions; }
  Segment next() override;

  /// Of the branches that have to be predicted, without those of train(); by instruction, from
  /// BodyPositions::first on.
  const std::vector<Count> &counts() const { return counts_; }
  /// Executions of the header, without those of train().
  uint64_t iterations() const { return iterations_; }

private:
  /// Whether there is a next step, which is then `batch_[at_]`.
  bool hasNext() {
    if (at_ == end_) {
      at_ = 0;
      end_ = steps_->read(batch_);
    }
    return at_ < end_;
  }
  bool isMispredicted(const TraceStep &step);
  bool count(const TraceStep &step);

  std::unique_ptr<StepSource> steps_;
  std::vector<TraceStep> batch_;
  size_t at_ = 0;
  size_t end_ = 0;
  const ProgramBranches &branches_;
  uint32_t header_;
  const BodyPositions &positions_;
  std::unique_ptr<Predictor> predictor_;
  uint32_t alwaysRight_ = kNone;
  uint64_t left_ = ~uint64_t{0};
  std::vector<uint32_t> segment_;
  std::vector<Count> counts_;
  uint64_t iterations_ = 0;
};

} // namespace mca
