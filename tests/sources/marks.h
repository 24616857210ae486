// What a program says of its hints: `// hint` where one must stand, `// hint?` where one may; with ` below` the mark is
// the next line's.
#pragma once

#include <cstdint>
#include <set>
#include <string_view>

namespace sources {

/// Lines are 1-based.
struct Marks {
  std::set<uint32_t> required;
  std::set<uint32_t> allowed; ///< with the required ones
};

Marks readMarks(std::string_view text);

} // namespace sources
