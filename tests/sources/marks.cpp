#include "tests/sources/marks.h"

#include "analysis/source_map/text_lines.h"

namespace sources {
namespace {

constexpr std::string_view kBelow = " below";

} // namespace

Marks readMarks(std::string_view text) {
  Marks marks;
  const analysis::TextLines lines(text);
  for (uint32_t number = 0; number < lines.count(); ++number) {
    const auto [begin, end] = lines.content(number);
    std::string_view line = text.substr(begin, end - begin);
    const bool below = line.ends_with(kBelow);
    if (below)
      line.remove_suffix(kBelow.size());
    const uint32_t marked = number + (below ? 2 : 1);
    const bool required = line.ends_with("// hint");
    if (required)
      marks.required.insert(marked);
    if (required || line.ends_with("// hint?"))
      marks.allowed.insert(marked);
  }
  return marks;
}

} // namespace sources
