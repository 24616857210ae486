// What an edit does to the numbers of lines, for whoever knows lines alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace lsp {

struct LineShift {
  uint32_t first = 0; ///< the first touched line, 0-based, before the edit
  uint32_t last = 0;  ///< the last one
  int64_t by = 0;     ///< lines that the text has more than before
  bool keepsHead = false;
  bool keepsTail = false; ///< as in LineEdit: the first and the last line stay as they are

  /// Where a line is after the edit, or nothing when it was changed.
  std::optional<uint32_t> move(uint32_t line) const {
    if (line < first || (line == first && keepsHead))
      return line;
    if (line > last || (line == last && keepsTail))
      return static_cast<uint32_t>(line + by);
    return std::nullopt;
  }

  /// The same; a line that was changed is where the edit began.
  uint32_t moveClamped(uint32_t line) const { return move(line).value_or(first); }
};

/// Through all of them.
inline std::optional<uint32_t> moveLine(std::optional<uint32_t> line, std::span<const LineShift> shifts) {
  for (const LineShift &shift : shifts)
    line = line ? shift.move(*line) : std::nullopt;
  return line;
}

} // namespace lsp
