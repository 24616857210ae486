// The counts of a trace's text, `edge`, `block` and `path`, found in the program.
//
// A path counts as the edges that it takes, for its function alone, if that has no `edge` of its own: a profiler that
// writes both counted the same executions twice.
//
// An edge belongs to the first jump or return at or after the place that it names, or to a call before that which can
// go to its successor: `.LBB1_3+0xa` may be the start of a block or its branch.
#pragma once

#include "mca-core/trace/predictor.h"
#include "mca-core/trace/token_targets.h"

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace mca {

struct EdgeCount {
  uint32_t branch = 0; ///< index of the instruction
  BranchOutcome outcome;
  uint64_t count = 0;
  bool isMeasured = false; ///< whether the number of mispredictions is known
  uint64_t mispredictions = 0;
};

struct PlaceCount {
  uint32_t instruction = 0; ///< the first one of a block
  uint64_t count = 0;
};

struct ProfileCounts {
  std::vector<EdgeCount> edges;   ///< in the order of the text; then those of paths, each different one once
  std::vector<PlaceCount> blocks; ///< in the order of the text
};

/// Fails at the first place, successor or path that does not fit the program, and at the path with which all paths
/// together execute more than 2^24 instructions.
std::variant<ProfileCounts, TraceError> findCounts(const TokenTargets &targets);

/// How often each branch was mispredicted, for PredictorKind::Measured, by instruction. Only branches of which at least
/// one edge has a measurement; all of their edges count as executions.
std::vector<MeasuredBranch> measuredBranches(std::span<const EdgeCount> edges);

} // namespace mca
