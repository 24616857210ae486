// What a compiler says on standard error, in one-line messages: errors, and what it made of the loops.
#pragma once

#include "analysis/compile/compile.h"

#include <string>
#include <string_view>
#include <vector>

namespace analysis {

struct CompilerMessages {
  std::vector<CompilerDiagnostic> errors;
  std::vector<LoopRemark> remarks; ///< the first ones; a large file has very many in headers
};

/// Reads clang's and gcc's messages. Relative paths in them stand in `directory`.
CompilerMessages parseCompilerMessages(std::string_view text, const std::string &directory);

/// The lines of `text`, without their ends.
std::vector<std::string_view> linesOf(std::string_view text);

} // namespace analysis
