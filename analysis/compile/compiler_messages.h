// What a compiler prints on standard error, in one-line messages: errors, and what it did to the loops.
#pragma once

#include "analysis/compile/compile.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <string_view>
#include <vector>

namespace analysis {

struct CompilerMessages {
  std::vector<CompilerDiagnostic> errors;
  std::vector<LoopRemark> remarks;           ///< the first 20,000: a large file has very many in headers
  std::vector<VectorizerDecision> decisions; ///< of gcc; likewise
};

/// Whether the text of the file, whose path is absolute, may be shown.
using MayQuote = llvm::function_ref<bool(const std::string &path)>;

/// Reads clang's and gcc's messages. Relative paths in them start in `directory`. An error in a file that `mayQuote`
/// refuses keeps its place, but has words that quote nothing. Null: every file may be quoted.
CompilerMessages parseCompilerMessages(std::string_view text, const std::string &directory,
                                       MayQuote mayQuote = nullptr);

/// The function that a loop became a call to: "memset" for clang's "llvm.memset.p0.i64".
std::string libraryFunctionOf(std::string_view callee);

/// The words for an error whose own words may quote the file.
std::string wordsWithoutText(const std::string &file);

/// The file whose text a line of the compiler may quote although `mayQuote` refuses it; empty if there is none.
std::string unquotableFileOf(std::string_view line, const std::string &directory, MayQuote mayQuote);

} // namespace analysis
