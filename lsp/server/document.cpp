// Edits, and moving results through them.
#include "lsp/server/document.h"

#include "lsp/protocol/uri.h"
#include "lsp/server/language.h"

#include <algorithm>

namespace lsp {
namespace {

using analysis::wire::ByteRange;

/// Leaves room in a frame to the worker for what goes with the text. In bytes.
constexpr size_t kMaxTextBytes = size_t{500} << 20;

ByteRange clamp(ByteRange range, uint32_t size) {
  const uint32_t begin = std::min(range.begin, size);
  return {begin, std::clamp(range.end, begin, size)};
}

/// The smallest edit that turns `before` into `after`: what lies between their common beginning and end.
ByteRange changedRange(std::string_view before, std::string_view after) {
  const size_t shorter = std::min(before.size(), after.size());
  const auto head = static_cast<size_t>(
      std::mismatch(before.begin(), before.begin() + static_cast<ptrdiff_t>(shorter), after.begin()).first -
      before.begin());
  size_t tail = 0;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  return {static_cast<uint32_t>(head), static_cast<uint32_t>(before.size() - tail)};
}

void moveRegion(analysis::wire::RegionSummary &region, const LineEdit &edit) {
  region.at = moveClamped(region.at, edit);
  for (analysis::wire::InstructionDetails &instruction : region.body)
    if (instruction.at.begin < instruction.at.end)
      instruction.at = moveWithLines(instruction.at, edit).value_or(ByteRange{});
}

/// Leaves out what points outside of the text and of the region's instructions.
void clampRegion(analysis::wire::RegionSummary &region, uint32_t size) {
  const auto outside = [&](uint32_t position) { return position >= region.body.size(); };
  region.at = clamp(region.at, size);
  std::erase_if(region.chain, outside);
  for (analysis::wire::InstructionDetails &instruction : region.body) {
    instruction.at = clamp(instruction.at, size);
    std::erase_if(instruction.needs, outside);
    for (analysis::wire::Wait &wait : instruction.waits)
      std::erase_if(wait.by, outside);
  }
}

} // namespace

void Analysis::move(const LineEdit &edit) {
  std::erase_if(hints, [&](analysis::wire::Hint &hint) {
    const auto moved = moveWithLine(hint.offset, edit);
    hint.offset = moved.value_or(0);
    return !moved;
  });
  std::erase_if(hovers, [&](analysis::wire::Hover &hover) {
    const auto moved = moveWithLines(hover.at, edit);
    hover.at = moved.value_or(ByteRange{});
    return !moved;
  });
  for (analysis::wire::Finding &finding : findings) {
    finding.at = moveClamped(finding.at, edit);
    for (analysis::wire::RelatedPlace &related : finding.related)
      related.at = moveClamped(related.at, edit);
  }
  for (analysis::wire::RegionSummary &region : regions)
    moveRegion(region, edit);
}

Document::Document(const protocol::DidOpenParams &opened, std::string text)
    : uri_(opened.uri), path_(protocol::parseUri(opened.uri).path), language_(languageOf(opened.languageId, path_)),
      version_(opened.version), text_(std::move(text)) {}

bool Document::apply(const protocol::DidChangeParams &change, protocol::PositionEncoding encoding) {
  size_t longest = text_.size();
  for (const protocol::ContentChange &one : change.changes)
    longest = one.range ? longest + one.text.size() : one.text.size();
  if (longest > kMaxTextBytes)
    return false;
  lastShifts_.clear();
  for (const protocol::ContentChange &one : change.changes)
    applyOne(one, encoding);
  version_ = change.version;
  return true;
}

void Document::applyOne(const protocol::ContentChange &change, protocol::PositionEncoding encoding) {
  ByteRange replaced;
  std::string_view with = change.text;
  if (change.range) {
    replaced = {text_.offsetOf(change.range->start, encoding), text_.offsetOf(change.range->end, encoding)};
  } else {
    replaced = changedRange(text_.bytes(), with);
    with = with.substr(replaced.begin, with.size() - replaced.begin - (text_.size() - replaced.end));
  }
  const LineEdit edit = describeEdit(text_, replaced, with);
  LineShift shift{text_.lineOf(replaced.begin), text_.lineOf(replaced.end), -int64_t{text_.lineCount()}, edit.keepsHead,
                  edit.keepsTail};
  text_.replace(replaced, with);
  shift.by += text_.lineCount();
  lastShifts_.push_back(shift);
  analysis_.move(edit);
  if (jobRuns_)
    editsSinceJob_.push_back(edit);
}

void Document::setAnalysis(Analysis analysis) {
  analysis_ = std::move(analysis);
  analysed_ = true;
  for (const LineEdit &edit : editsSinceJob_)
    analysis_.move(edit);
  const uint32_t size = text_.size();
  for (analysis::wire::Finding &finding : analysis_.findings) {
    finding.at = clamp(finding.at, size);
    for (analysis::wire::RelatedPlace &related : finding.related)
      related.at = clamp(related.at, size);
  }
  for (analysis::wire::Hint &hint : analysis_.hints)
    hint.offset = std::min(hint.offset, size);
  for (analysis::wire::Hover &hover : analysis_.hovers)
    hover.at = clamp(hover.at, size);
  for (analysis::wire::RegionSummary &region : analysis_.regions)
    clampRegion(region, size);
}

ByteRange Document::present(ByteRange range) const {
  for (const LineEdit &edit : editsSinceJob_)
    range = moveClamped(range, edit);
  return clamp(range, text_.size());
}

} // namespace lsp
