// A caveat for numbers that depend on a chain which only LLVM's register renaming has.
//
// When llvm-mca eliminates a move, it makes the copy an alias of the source register
// (RegisterFile::tryEliminateMoveOrSwap of LLVM's MCA library). So readers of the copy also wait for later writes of
// the source; on a CPU, the copy keeps its value. `mca` and the hints show llvm-mca's numbers, and this caveat says
// what they would be without the chain.
#pragma once

#include "analysis/wire/region.h"
#include "mca-core/engine/dataflow.h"
#include "mca-core/report/report.h"

#include <optional>

namespace analysis {

/// `without`: the rate without the chain. No caveat if the chain goes through no such copy, or if the two rates are
/// about the same.
std::optional<wire::Caveat> lateCopyCaveat(const mca::Report &report, const mca::DataflowLimit &limit,
                                           const mca::Rate &without);

} // namespace analysis
