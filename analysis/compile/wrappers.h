// The words before the compiler in a command: caches, distributors of work, `env` and `nice`.
#pragma once

#include <string>
#include <vector>

namespace analysis {

struct TakenCompiler {
  /// The compiler as the entry has it, or the wrapper's name if nothing after it is a compiler (`ccache -c a.c`).
  std::string name;
  /// The caches and distributors before it that may run here, too (ccache, sccache, icecc), each with its own
  /// arguments. They don't change the assembly.
  std::vector<std::string> launcher;
};

/// Removes the compiler and the words before it from `arguments`, which is not empty.
TakenCompiler takeCompiler(std::vector<std::string> &arguments);

/// The launcher in the first entry of `file` (absolute) in a compile_commands.json, from which LLVM's tooling library
/// removes launchers (ccache, sccache, distcc and the like). Empty if there is no entry, if the entry has no launcher,
/// and if the database cannot be read.
std::vector<std::string> launcherInDatabase(const std::string &database, const std::string &file);

/// Has the database read again, even if its file looks the same.
void forgetLaunchers();

} // namespace analysis
