// What stands before the compiler in a command: caches, distributors and the like.
#pragma once

#include <string>
#include <vector>

namespace analysis {

struct TakenCompiler {
  /// As the entry has it, or the name of the wrapper where nothing after it is a compiler (`ccache -c a.c`).
  std::string name;
  /// Of what stands before it, the caches and distributors of compilers (ccache, sccache, icecc), each with its own
  /// arguments. They change nothing in what is compiled.
  std::vector<std::string> launcher;
};

/// Takes the compiler and what stands before it off an entry's arguments.
TakenCompiler takeCompiler(std::vector<std::string> &arguments);

} // namespace analysis
