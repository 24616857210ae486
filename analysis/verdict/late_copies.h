// A caveat for numbers that rest on a chain which LLVM's renaming invents.
//
// llvm-mca makes the definition of an eliminated move an alias of the source register: what is written to the source
// later on, the copy waits for. A CPU's copy keeps the value. `mca` gives llvm-mca's numbers; who reads a hint should
// know what they rest on.
#pragma once

#include "analysis/wire/region.h"
#include "mca-core/engine/dataflow.h"
#include "mca-core/report/report.h"

#include <optional>

namespace analysis {

/// With what the region takes `without` the chain. None where the chain goes through no such copy, or where it makes no
/// difference worth telling.
std::optional<wire::Caveat> lateCopyCaveat(const mca::Report &report, const mca::DataflowLimit &limit,
                                           const mca::Rate &without);

} // namespace analysis
