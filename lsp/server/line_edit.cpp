// The arithmetic of line_edit.h.
#include "lsp/server/line_edit.h"

namespace lsp {
namespace {

bool isLineEnd(char c) {
  return c == '\n' || c == '\r';
}

uint32_t shifted(uint32_t offset, const LineEdit &edit) {
  return offset - (edit.replaced.end - edit.replaced.begin) + edit.inserted;
}

enum class Side { Before, Changed, After };

/// Where an offset lies with regard to the lines that the edit changes.
Side sideOf(uint32_t offset, const LineEdit &edit) {
  if (offset < edit.linesBegin || (edit.keepsHead && offset <= edit.replaced.begin))
    return Side::Before;
  if (offset > edit.linesEnd || (edit.keepsTail && offset >= edit.replaced.end))
    return Side::After;
  return Side::Changed;
}

uint32_t moveOffset(uint32_t offset, const LineEdit &edit) {
  if (offset <= edit.replaced.begin)
    return offset;
  return offset >= edit.replaced.end ? shifted(offset, edit) : edit.replaced.begin + edit.inserted;
}

} // namespace

LineEdit describeEdit(const Text &text, analysis::wire::ByteRange replaced, std::string_view with) {
  const uint32_t firstLine = text.lineOf(replaced.begin);
  const uint32_t lastLine = text.lineOf(replaced.end);
  LineEdit edit{replaced, static_cast<uint32_t>(with.size()), text.lineBegin(firstLine), text.lineEnd(lastLine)};
  const bool atLineEnd = replaced.begin == text.lineEnd(firstLine);
  const bool atLineBegin = replaced.end == text.lineBegin(lastLine);
  edit.keepsHead = atLineEnd && (with.empty() ? replaced.end == text.lineEnd(lastLine) : isLineEnd(with.front()));
  edit.keepsTail = atLineBegin && (with.empty() ? replaced.begin == text.lineBegin(firstLine) : isLineEnd(with.back()));
  return edit;
}

std::optional<uint32_t> moveWithLine(uint32_t offset, const LineEdit &edit) {
  const Side side = sideOf(offset, edit);
  if (side == Side::Changed)
    return std::nullopt;
  return side == Side::Before ? offset : shifted(offset, edit);
}

std::optional<analysis::wire::ByteRange> moveWithLines(analysis::wire::ByteRange range, const LineEdit &edit) {
  const Side side = sideOf(range.begin, edit);
  const uint32_t last = range.end > range.begin ? range.end - 1 : range.end;
  if (side == Side::Changed || side != sideOf(last, edit))
    return std::nullopt;
  if (side == Side::Before)
    return range;
  return analysis::wire::ByteRange{shifted(range.begin, edit), shifted(range.end, edit)};
}

analysis::wire::ByteRange moveClamped(analysis::wire::ByteRange range, const LineEdit &edit) {
  return {moveOffset(range.begin, edit), moveOffset(range.end, edit)};
}

} // namespace lsp
