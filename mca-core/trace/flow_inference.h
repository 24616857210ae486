// Odds from counts. Counts of a profile are rarely complete or consistent: samples miss blocks, and a text may hold
// those of some branches only. LLVM's inference of profiles finds the flow through the function that differs least from
// them (He, Mestre, Pupyrev, Wang and Yu: Profile inference revisited, POPL 2022).
#pragma once

#include "mca-core/program/code_blocks.h"
#include "mca-core/trace/branch_odds.h"
#include "mca-core/trace/profile_counts.h"

#include <vector>

namespace mca {

/// Returns the odds of the conditional branches, predicated instructions and indirect jumps of all functions that have
/// counts, in text order; not of those that the counts say are never executed. A branch is uncertain if at least 2 % of
/// its executions go another way than the most frequent one. To bound the time, functions of more than 1,000 blocks
/// or of more than 4 jumps per block are not completed, and none once the squares of their numbers of blocks add up to
/// 10^7: only their branches with counts of their own have odds. From 400 blocks on, ways that are equally likely may
/// get different odds.
std::vector<BranchOdds> oddsFromCounts(const CodeBlocks &all, const ProfileCounts &counts);

} // namespace mca
