// What the preprocessor makes of the headers at the top of a text, with the macros that they define. If it is the same
// for two CPUs, no header asks for which CPU it is compiled.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/compile/result_fingerprint.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace analysis {

struct HeaderText {
  std::vector<std::string> ownMacros; ///< the compiler's: "#define __AVX__ 1", sorted
  Fingerprint rest;                   ///< of all else
};

/// Of the first `bytes` of the command's file, whose text is `text`. No value on any failure. Runs the preprocessor.
std::optional<HeaderText> headerTextOf(CompileCommand command, std::string_view text, size_t bytes,
                                       const std::stop_token &stop, const wire::CompileLimits &limits);

/// Whether the rest of the text, after `bytes`, may mean the same with the macros of either: it names none in which
/// they differ, and asks nothing else of the compiler.
bool isSameWith(const HeaderText &one, const HeaderText &other, std::string_view text, size_t bytes);

} // namespace analysis
