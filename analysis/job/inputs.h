// The files that a result was made from, for build systems: while none of them changes, nor the settings, another
// analysis would give the same. Files that are not there yet, such as a header that another folder of the search path
// would provide first, are no inputs; build systems have the same limit for compilers.
#pragma once

#include "analysis/compile/compile.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace analysis {

/// Those of the compiler's output: the compiler, where the command comes from, and what it reads. No value if the
/// compiler could not list what it reads.
std::optional<std::vector<std::string>> inputsOf(const CompileCommand &command, const wire::CompileLimits &limits,
                                                 const std::stop_token &stop);

/// This process' program and the libraries that it has loaded, LLVM among them; absolute.
const std::vector<std::string> &ownPrograms();

} // namespace analysis
