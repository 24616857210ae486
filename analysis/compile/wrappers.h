// What stands before the compiler in a command: caches, distributors and the like.
#pragma once

#include <string>
#include <vector>

namespace analysis {

/// Takes the compiler and what stands before it off an entry's arguments. The compiler's name as the entry has it, or
/// that of the wrapper where nothing after it is one (`ccache -c a.c`).
std::string takeCompiler(std::vector<std::string> &arguments);

} // namespace analysis
