// Where the preamble of a source ends: the directives at its top, which include the headers that seldom change.
//
// The rules are stricter than those of clang's own preambles (clang::Lexer::ComputePreamble), as here the preamble is
// compiled as a header, and its lines are empty in the text that is compiled with it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace analysis {

/// Bytes of the preamble; 0 if there is none that could be used. It ends with a line, after a directive that no
/// conditional is open behind, and has an #include. Before its end are #include, #define, #undef, conditionals, #error,
/// #warning and comments alone: a #pragma or #line would also hold for the rest of the file. A file that may include
/// itself, or what a macro names, has none. `file` is its name or path.
size_t preambleBytes(std::string_view text, std::string_view file);

/// The text with spaces in place of its first `bytes`, apart from line ends: each character behind them keeps its
/// place.
std::string withoutPreamble(std::string_view text, size_t bytes);

} // namespace analysis
