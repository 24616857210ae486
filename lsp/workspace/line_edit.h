// What an edit does to places in the text that an earlier version was analysed in.
//
// Hints and hovers tell about the bytes of their lines: one whose line was touched would be a lie, so it goes away,
// while those of other lines move. A line is untouched when an edit only adds or removes whole lines next to it:
// pressing Enter behind it, or deleting the line above.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/workspace/text.h"

#include <cstdint>
#include <optional>

namespace lsp {

/// A replaced range of bytes, with what must be known about the text before the edit.
struct LineEdit {
  analysis::wire::ByteRange replaced;
  uint32_t inserted = 0;   ///< bytes
  uint32_t linesBegin = 0; ///< the beginning of the first touched line
  uint32_t linesEnd = 0;   ///< the end of the last touched line, before its terminator
  bool keepsHead = false;  ///< the line that ends where the edit begins stays as it is
  bool keepsTail = false;  ///< the line that begins where the edit ends stays as it is
};

/// Describes an edit that is about to be made to `text`.
LineEdit describeEdit(const Text &text, analysis::wire::ByteRange replaced, std::string_view with);

/// Where an offset is after the edit, or nothing when its line was changed.
std::optional<uint32_t> moveWithLine(uint32_t offset, const LineEdit &edit);

/// Where a range is after the edit, or nothing when a line of it was changed.
std::optional<analysis::wire::ByteRange> moveWithLines(analysis::wire::ByteRange range, const LineEdit &edit);

/// Where a range is after the edit; what was replaced shrinks to the end of the new text.
analysis::wire::ByteRange moveClamped(analysis::wire::ByteRange range, const LineEdit &edit);

} // namespace lsp
