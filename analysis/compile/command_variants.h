// A file that its build compiles several times: which of the commands make other code, and what to call each.
//
// Commands are compared as they run here, so what is left out of them (outputs, dependency files, warnings, debug
// information) makes no difference.
#pragma once

#include "analysis/compile/compile.h"

#include <string>
#include <vector>

namespace analysis {

struct CommandVariant {
  size_t index = 0; ///< of the command, the first of those that make the same
  std::string name; ///< by the flags that not all of them have: "with -mavx2", "without -mavx2"; never twice the same
};

/// The commands without those that are like an earlier one, in their order. `commands` have their flags and not yet our
/// own ones. A single variant has no name.
std::vector<CommandVariant> commandVariants(const std::vector<CompileCommand> &commands);

} // namespace analysis
