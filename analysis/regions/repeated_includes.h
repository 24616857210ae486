// Which of several inclusions of one file in one function a loop came in by.
//
// The compiler names the file and the line alone, which are the same for each inclusion. The code of one inclusion, a
// vector body with its remainder, ends where control leaves all of it: in a block that each way onwards goes through,
// and each way to the next inclusion's code. If there are as many such parts as inclusions, their order in the code is
// that of the directives. Compilers also copy the block between two inclusions into the ways that come to it. Then the
// loops that do one iteration at a time are counted: one inclusion leaves at most one of them.
#pragma once

#include "analysis/regions/function_names.h"
#include "mca-core/program/loops.h"

namespace analysis {

/// A loop of the included file's statement.
struct IncludedLoop {
  const mca::Loop *loop = nullptr;
  bool isSingle = false; ///< whether it does one iteration of the source at a time, by the compiler's own account
};

/// Of each loop the index of its inclusion; no value if the code does not show it.
using Inclusions = std::optional<std::vector<size_t>>;

/// `loops`: those of one statement of the included file in one function, which includes it `count` times. `blocks`: the
/// program's.
Inclusions inclusionsOf(const std::vector<IncludedLoop> &loops, size_t count, const mca::CodeBlocks &blocks,
                        const FunctionNames &functions);

} // namespace analysis
