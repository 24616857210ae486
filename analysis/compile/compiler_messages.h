// What a compiler prints on standard error, in one-line messages: errors, and what it did to the loops.
#pragma once

#include "analysis/compile/compile.h"

#include <string>
#include <string_view>
#include <vector>

namespace analysis {

struct CompilerMessages {
  std::vector<CompilerDiagnostic> errors;
  std::vector<LoopRemark> remarks; ///< the first 20,000: a large file has very many in headers
};

/// Reads clang's and gcc's messages. Relative paths in them start in `directory`.
CompilerMessages parseCompilerMessages(std::string_view text, const std::string &directory);

} // namespace analysis
