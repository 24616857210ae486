// Edits that keep the length leave no trace: the text has the same offsets on both sides of them.
#include "mca-core/assembly/text_edits.h"

#include "mca-core/assembly/program.h"

#include <algorithm>

namespace mca {

RewrittenText::RewrittenText(std::string_view original, std::span<const TextEdit> edits) {
  text_.reserve(original.size());
  size_t copied = 0;
  for (const TextEdit &edit : edits) {
    text_ += original.substr(copied, edit.begin - copied);
    if (edit.text.size() != edit.length)
      changes_.push_back(
          {static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(edit.text.size()), edit.begin, edit.length});
    text_ += edit.text;
    copied = size_t{edit.begin} + edit.length;
  }
  text_ += original.substr(copied);
}

uint32_t RewrittenText::originalOffset(uint32_t offset) const {
  const auto after = std::ranges::upper_bound(changes_, offset, {}, &Change::begin);
  if (after == changes_.begin())
    return offset;
  const Change &change = *std::prev(after);
  const uint32_t within = offset - change.begin;
  if (within < change.length)
    return change.originalBegin + std::min(within, change.originalLength);
  return change.originalBegin + change.originalLength + (within - change.length);
}

void placeInOriginal(ProgramContents &program, const RewrittenText &rewritten) {
  const auto move = [&](uint32_t &offset) { offset = rewritten.originalOffset(offset); };
  for (Instruction &instruction : program.instructions)
    move(instruction.offset);
  for (Label &label : program.labels)
    move(label.offset);
  for (UnreadLine &line : program.unreadLines)
    move(line.offset);
  for (LineEntry &entry : program.lines)
    move(entry.offset);
  for (Diagnostic &diagnostic : program.diagnostics) {
    move(diagnostic.begin);
    move(diagnostic.end);
    for (Diagnostic::Related &related : diagnostic.related) {
      move(related.begin);
      move(related.end);
    }
  }
  program.regions.moveAll([&](uint32_t offset) { return rewritten.originalOffset(offset); });
  for (PointerStatement &statement : program.pointerStatements) {
    move(statement.begin);
    move(statement.end);
  }
}

} // namespace mca
