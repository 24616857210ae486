// Executed instructions, one batch after another: what a run goes along, whether a trace was recorded or its branches
// are only known by their odds. A batch costs one virtual call, so a long trace walks as fast as without this
// interface.
#pragma once

#include "mca-core/trace/trace_walk.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace mca {

/// A loop, for runs that count only what is executed inside it.
struct TraceScope {
  std::vector<uint32_t> instructions; ///< in the program, ascending
  uint32_t header = 0;                ///< the instruction that each iteration executes first
};

class StepSource {
public:
  virtual ~StepSource() = default;
  /// Fills the batch from its start with the next steps. Returns how many; 0 at the end and after an error.
  virtual size_t read(std::span<TraceStep> batch) = 0;
  /// Why the steps ended early.
  virtual std::optional<TraceError> error() const { return std::nullopt; }
  /// Returns a source that continues here, on its own.
  virtual std::unique_ptr<StepSource> clone() const = 0;
};

/// The steps of a trace. With a scope, those inside the loop and in the functions that are called from inside it and
/// followed have TraceStep::isInScope.
class WalkSteps final : public StepSource {
public:
  /// `scope`: null if all steps count; needed only for the call. Ends after `maxSteps` steps.
  WalkSteps(TraceWalk walk, const ProgramBranches &branches, const TraceScope *scope, uint64_t maxSteps = ~uint64_t{0});

  size_t read(std::span<TraceStep> batch) override;
  std::optional<TraceError> error() const override { return walk_.error(); }
  std::unique_ptr<StepSource> clone() const override { return std::make_unique<WalkSteps>(*this); }

private:
  static constexpr size_t kNotInLoop = ~size_t{0};

  bool executeInScope(const TraceStep &step);

  TraceWalk walk_;
  uint64_t stepsLeft_;
  std::vector<bool> isInLoop_;    ///< by instruction; empty without a scope
  size_t depth_ = 0;              ///< calls around the next step
  size_t loopDepth_ = kNotInLoop; ///< calls around the loop that is being executed
  bool isBeforeDelaySlot_ = false;
};

} // namespace mca
