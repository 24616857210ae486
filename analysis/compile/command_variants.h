// The commands of a file that its build compiles several times (for two libraries, or for several CPUs): which of them
// make different code, and a name for each.
//
// Commands are compared as they run here. Flags that we leave out (outputs, dependency files, warnings, debug
// information) make no difference.
#pragma once

#include "analysis/compile/compile.h"

#include <string>
#include <vector>

namespace analysis {

struct CommandVariant {
  size_t index = 0; ///< of the command; of several that are alike, of the first
  std::string name; ///< by the flags that not all commands have: "with -mavx2", "without -mavx2"; no two are the same
};

/// The commands in their order, without those that are like an earlier one. `commands` have the build's flags and none
/// of our own yet. A single variant has an empty name.
std::vector<CommandVariant> commandVariants(const std::vector<CompileCommand> &commands);

} // namespace analysis
