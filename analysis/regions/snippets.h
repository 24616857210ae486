// The regions of an assembly text that has neither markers nor a loop: a function each, or the whole text if it is the
// code of one function or of none, as something that was pasted from somewhere.
//
// Code of two functions does not run one after the other, and what looks like a dependency between them is none.
#pragma once

#include "analysis/regions/region.h"

#include <vector>

namespace analysis {

/// The program must have instructions. Functions without a line in the buffer have no region, and neither have the cold
/// parts that a compiler split off.
std::vector<Region> findSnippets(const mca::ControlFlow &code, const SourceMap &map);

} // namespace analysis
