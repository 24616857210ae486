// Flags that shape the code but that clang refuses: names of CPUs that only gcc has, options of another target,
// profiles that don't exist or are another compiler's.
//
// A list would have to hold gcc's options for each target. Instead, clang's driver and frontend read the command in
// this process, and a flag is refused if an error disappears without it.
#pragma once

#include <string>
#include <vector>

namespace analysis {

/// Removes them from `flags`, all of which selectSafeFlags() wrote, and returns them, each with its value. `before` and
/// `after` are the rest of the command; `before` starts with the compiler.
std::vector<std::string> takeRefusedFlags(const std::string &directory, const std::vector<std::string> &before,
                                          std::vector<std::string> &flags, const std::vector<std::string> &after);

} // namespace analysis
