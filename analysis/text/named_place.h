// Places as compilers write them, in messages and in the comments of `.loc` directives: clang and gcc agree on the
// form.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace analysis {

struct NamedPlace {
  std::string_view file; ///< as written; may be empty
  uint32_t line = 0;     ///< 1-based
  uint32_t column = 0;   ///< 1-based; 0 if there is none
};

/// Parses "dir/a.cpp:5:10" or, without a column, "dir/a.cpp:5". Numbers are read from the end, as a file's name may
/// hold colons. No value if the text does not end in a number.
std::optional<NamedPlace> parsePlace(std::string_view text);

} // namespace analysis
