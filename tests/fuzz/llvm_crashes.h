// Input on which LLVM 22's parser of assembly is known to crash. In the editor this ends a worker, which the server
// survives; a fuzzer would find nothing else.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace fuzz {

/// An argument `name=` of `.irp` or `.irpc`: the parser looks for the parameter in a macro that there is not.
inline bool crashesLlvm(std::string_view text) {
  constexpr std::string_view directive = ".irp";
  const auto sameLetter = [](unsigned char a, unsigned char b) { return std::tolower(a) == b; };
  for (auto at = text.begin(); at != text.end();) {
    const auto lineEnd = std::find(at, text.end(), '\n');
    const auto found = std::search(at, lineEnd, directive.begin(), directive.end(), sameLetter);
    if (std::find(found, lineEnd, '=') != lineEnd)
      return true;
    at = lineEnd == text.end() ? lineEnd : lineEnd + 1;
  }
  return false;
}

} // namespace fuzz
