// Flags that shape the code and that clang yet refuses: names of CPUs that only gcc has, options of another target,
// profiles that are not there or are another compiler's.
//
// Rather than from a list, which would have to hold gcc's options of each target, they are found by asking clang: its
// driver and its frontend read the command in this process, and a flag without which an error goes away is refused.
#pragma once

#include <string>
#include <vector>

namespace analysis {

/// Takes those out of `flags`, of which selectSafeFlags() wrote all; what was taken is returned. `before` and `behind`
/// are the rest of the command, the compiler first.
std::vector<std::string> takeRefusedFlags(const std::string &directory, const std::vector<std::string> &before,
                                          std::vector<std::string> &flags, const std::vector<std::string> &behind);

} // namespace analysis
