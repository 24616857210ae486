// The effect of an edit on places in the text that an earlier version was analysed in.
//
// Hints and hovers describe the code of their lines, so they would be wrong on a line that was edited: those disappear
// until the next analysis, and those of other lines move. A line is untouched when an edit only adds or removes whole
// lines next to it: pressing Enter at its end, or deleting the line above.
#pragma once

#include "lsp/protocol/text.h"

#include <span>

namespace lsp {

/// The effect on line numbers. Virtual documents need no more: they refer to lines of a buffer whose text they do not
/// have.
struct LineShift {
  uint32_t first = 0;     ///< the first touched line, 0-based, before the edit
  uint32_t last = 0;      ///< the last one
  int64_t by = 0;         ///< lines that the text has more than before
  bool keepsHead = false; ///< the first touched line, which ends where the edit begins, stays as it is
  bool keepsTail = false; ///< the last one, which begins where the edit ends, stays as it is

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

/// A replaced range of bytes, with what must be known about the text before the edit.
struct LineEdit {
  wire::ByteRange replaced;
  uint32_t inserted = 0;   ///< bytes
  uint32_t linesBegin = 0; ///< the beginning of the first touched line
  uint32_t linesEnd = 0;   ///< the end of the last touched line, before its terminator
  LineShift lines;
};

/// Describes an edit that is about to be made to `text`. LineShift::by is only known afterwards, and left 0.
LineEdit describeEdit(const Text &text, wire::ByteRange replaced, std::string_view with);

/// Where an offset is after the edit; empty if its line was changed.
std::optional<uint32_t> moveWithLine(uint32_t offset, const LineEdit &edit);

/// Where a range is after the edit; empty if any of its lines was changed.
std::optional<wire::ByteRange> moveWithLines(wire::ByteRange range, const LineEdit &edit);

/// Where a range is after the edit. An offset inside the replaced bytes moves to the end of the new ones.
wire::ByteRange moveClamped(wire::ByteRange range, const LineEdit &edit);

/// The part of a range that lies inside a text of `size` bytes; beyond it, an empty range at its end.
wire::ByteRange clampedTo(wire::ByteRange range, uint32_t size);

} // namespace lsp
