// What an edit does to places in the text that an earlier version was analysed in.
//
// Hints and hovers describe the code of their lines, so they would be wrong on a line that was edited: those disappear
// until the next analysis, and those of other lines move. A line is untouched when an edit only adds or removes whole
// lines next to it: pressing Enter at its end, or deleting the line above.
#pragma once

#include "lsp/workspace/text.h"

#include <optional>

namespace lsp {

/// A replaced range of bytes, with what must be known about the text before the edit.
struct LineEdit {
  wire::ByteRange replaced;
  uint32_t inserted = 0;   ///< bytes
  uint32_t linesBegin = 0; ///< the beginning of the first touched line
  uint32_t linesEnd = 0;   ///< the end of the last touched line, before its terminator
  bool keepsHead = false;  ///< the line that ends where the edit begins stays as it is
  bool keepsTail = false;  ///< the line that begins where the edit ends stays as it is
};

/// Describes an edit that is about to be made to `text`.
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
