// An offset lies before the changed lines, inside them, or after them; only the last kind of place moves.
#include "lsp/workspace/line_edit.h"

#include <algorithm>

namespace lsp {
namespace {

bool isLineEnd(char c) {
  return c == '\n' || c == '\r';
}

uint32_t shifted(uint32_t offset, const LineEdit &edit) {
  return offset - (edit.replaced.end - edit.replaced.begin) + edit.inserted;
}

enum class Side { Before, Changed, After };

/// Where an offset lies relative to the lines that the edit changes.
Side sideOf(uint32_t offset, const LineEdit &edit) {
  if (offset < edit.linesBegin || (edit.lines.keepsHead && offset <= edit.replaced.begin))
    return Side::Before;
  if (offset > edit.linesEnd || (edit.lines.keepsTail && offset >= edit.replaced.end))
    return Side::After;
  return Side::Changed;
}

uint32_t moveOffset(uint32_t offset, const LineEdit &edit) {
  if (offset <= edit.replaced.begin)
    return offset;
  return offset >= edit.replaced.end ? shifted(offset, edit) : edit.replaced.begin + edit.inserted;
}

} // namespace

LineEdit describeEdit(const Text &text, wire::ByteRange replaced, std::string_view with) {
  const uint32_t firstLine = text.lineOf(replaced.begin), lastLine = text.lineOf(replaced.end);
  const char before = replaced.begin > 0 ? text.bytes()[replaced.begin - 1] : '\0';
  const char after = replaced.end < text.size() ? text.bytes()[replaced.end] : '\0';
  const char first = with.empty() ? after : with.front();
  const char last = with.empty() ? before : with.back();
  // A \r and a \n that come together are one line end, so the empty line between them disappears.
  const bool joinsBefore = before == '\r' && first == '\n';
  const bool joinsAfter = last == '\r' && after == '\n';
  // The line before the edit still ends there if a line end follows it: one in the new text, or the old one if nothing
  // is inserted and the rest of the last line was removed, too. The line after the edit is the mirror image.
  const bool headStays = with.empty() ? replaced.end == text.lineEnd(lastLine) : isLineEnd(with.front());
  const bool tailStays = with.empty() ? replaced.begin == text.lineBegin(firstLine) : isLineEnd(with.back());
  return {.replaced = replaced,
          .inserted = static_cast<uint32_t>(with.size()),
          .linesBegin = text.lineBegin(firstLine),
          .linesEnd = text.lineEnd(lastLine),
          .lines = {.first = firstLine,
                    .last = lastLine,
                    .keepsHead = replaced.begin == text.lineEnd(firstLine) && headStays && !joinsBefore,
                    .keepsTail = replaced.end == text.lineBegin(lastLine) && tailStays && !joinsAfter}};
}

std::optional<uint32_t> moveWithLine(uint32_t offset, const LineEdit &edit) {
  const Side side = sideOf(offset, edit);
  if (side == Side::Changed)
    return std::nullopt;
  return side == Side::Before ? offset : shifted(offset, edit);
}

std::optional<wire::ByteRange> moveWithLines(wire::ByteRange range, const LineEdit &edit) {
  const Side side = sideOf(range.begin, edit);
  const uint32_t last = range.end > range.begin ? range.end - 1 : range.end;
  if (side == Side::Changed || side != sideOf(last, edit))
    return std::nullopt;
  if (side == Side::Before)
    return range;
  return wire::ByteRange{shifted(range.begin, edit), shifted(range.end, edit)};
}

wire::ByteRange moveClamped(wire::ByteRange range, const LineEdit &edit) {
  return {moveOffset(range.begin, edit), moveOffset(range.end, edit)};
}

wire::ByteRange clampedTo(wire::ByteRange range, uint32_t size) {
  const uint32_t begin = std::min(range.begin, size);
  return {begin, std::clamp(range.end, begin, size)};
}

} // namespace lsp
