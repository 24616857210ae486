// What an edit does to line numbers. The virtual documents refer to lines of a buffer whose text they do not have.
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

  /// Where a line is after the edit; empty if it was changed.
  std::optional<uint32_t> move(uint32_t line) const {
    if (line < first || (line == first && keepsHead))
      return line;
    if (line > last || (line == last && keepsTail))
      return static_cast<uint32_t>(line + by);
    return std::nullopt;
  }

  /// The same; a changed line moves to the line where the edit began.
  uint32_t moveClamped(uint32_t line) const { return move(line).value_or(first); }
};

/// Where a line is after several edits, the earliest first; empty if one of them changed it.
inline std::optional<uint32_t> moveLine(std::optional<uint32_t> line, std::span<const LineShift> shifts) {
  for (const LineShift &shift : shifts)
    line = line ? shift.move(*line) : std::nullopt;
  return line;
}

} // namespace lsp
