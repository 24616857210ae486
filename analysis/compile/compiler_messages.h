// What a compiler prints on standard error, in one-line messages: errors, and of gcc what it did to the loops.
#pragma once

#include "analysis/compile/compile.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <string_view>
#include <vector>

namespace analysis {

struct CompilerMessages {
  std::vector<CompilerDiagnostic> errors;
  std::vector<LoopRemark> remarks;           ///< of gcc; the first 20,000: a large file has very many in headers
  std::vector<VectorizerDecision> decisions; ///< likewise
};

/// Whether the text of the file, whose path is absolute, may be shown.
using MayQuote = llvm::function_ref<bool(const std::string &path)>;

/// Reads clang's and gcc's messages. Relative paths in them start in `directory`. An error in a file that `mayQuote`
/// refuses keeps its place, but has words that quote nothing. Null: every file may be quoted.
CompilerMessages parseCompilerMessages(std::string_view text, const std::string &directory,
                                       MayQuote mayQuote = nullptr);

/// The words for an error whose own words may quote the file.
std::string wordsWithoutText(const std::string &file);

/// The file whose text a line of the compiler may quote although `mayQuote` refuses it; empty if there is none.
std::string unquotableFileOf(std::string_view line, const std::string &directory, MayQuote mayQuote);

} // namespace analysis
