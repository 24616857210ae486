// The ways an iteration of a loop with branches can go: the acyclic paths from its header to one of its latches.
//
// Where the compiler has said how it expects the branches to go, each path carries its share of the iterations. The
// share says which path is common; it says nothing about how well a processor predicts the branches.
#pragma once

#include "mca-core/program/loops.h"

namespace analysis {

struct LoopPath {
  std::vector<uint32_t> instructions; ///< indices in the program, in the order of control flow
  std::optional<double> share;        ///< of the loop's iterations, 0 to 1
};

struct LoopPaths {
  std::vector<LoopPath> paths; ///< the most frequent first, where that is known
  bool complete = true;        ///< whether these are all of them
  bool hasOtherWays = false;   ///< whether there are ways around that miss the header: none of them is here
};

/// Instead of a probability: control never goes that way in a program that works, so that no path does.
constexpr double kNoWay = -1;

/// How likely control goes from the block that ends with instruction `last` to the one that starts with `to` (indices
/// in the program), 0 to 1, or kNoWay; no value if the compiler does not say.
using BranchProbability = std::function<std::optional<double>(uint32_t last, uint32_t to)>;

/// At most `limit` paths; when there are more, the most frequent ones, or those with the fewest branches.
LoopPaths findLoopPaths(const mca::Loop &loop, const BranchProbability &probability, size_t limit);

} // namespace analysis
