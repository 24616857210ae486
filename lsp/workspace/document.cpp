// Each change of the text moves byte offsets, of the analysis, and line numbers, of virtual documents. They follow it
// at once; only the result of a running job follows later.
#include "lsp/workspace/document.h"

#include "lsp/protocol/uri.h"
#include "lsp/workspace/language.h"

#include <algorithm>

namespace lsp {
namespace {

using wire::ByteRange;

/// Leaves room in a frame to the worker for what goes with the text. In bytes.
constexpr size_t kMaxTextBytes = size_t{500} << 20;

/// The bytes of `before` that differ in `after`, between their common beginning and end. Some clients send the whole
/// text for every keystroke; the analysis must follow only the part that changed.
ByteRange changedRange(std::string_view before, std::string_view after) {
  const size_t shorter = std::min(before.size(), after.size());
  const auto head =
      static_cast<size_t>(std::mismatch(before.data(), before.data() + shorter, after.data()).first - before.data());
  size_t tail = 0;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  return {static_cast<uint32_t>(head), static_cast<uint32_t>(before.size() - tail)};
}

} // namespace

Document::Document(const protocol::DidOpenParams &opened, std::string text)
    : uri_(opened.uri), languageId_(opened.languageId), path_(protocol::documentPath(opened.uri)),
      language_(languageOf(opened.languageId, path_)), version_(opened.version), text_(std::move(text)) {}

bool Document::apply(const protocol::DidChangeParams &change, protocol::PositionEncoding encoding) {
  size_t longest = text_.size();
  for (const protocol::ContentChange &one : change.changes)
    longest = one.range ? longest + one.text.size() : one.text.size();
  if (longest > kMaxTextBytes)
    return false;
  lastShifts_.clear();
  for (const protocol::ContentChange &one : change.changes)
    applyOne(one, encoding);
  if (change.version)
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
  LineEdit edit = describeEdit(text_, replaced, with);
  edit.lines.by = -int64_t{text_.lineCount()};
  text_.replace(replaced, with);
  edit.lines.by += text_.lineCount();
  lastShifts_.push_back(edit.lines);
  analysis_.move(edit);
  if (!jobRuns_)
    return;
  editsSinceJob_.push_back(edit);
  shiftsSinceJob_.push_back(edit.lines);
}

void Document::setAnalysis(Analysis analysis) {
  for (const LineEdit &edit : editsSinceJob_)
    analysis.move(edit);
  analysis.clampTo(text_.size());
  analysis.keepAdvice(std::move(analysis_.advice));
  analysis_ = std::move(analysis);
  analysed_ = true;
}

ByteRange Document::present(ByteRange range) const {
  for (const LineEdit &edit : editsSinceJob_)
    range = moveClamped(range, edit);
  return clampedTo(range, text_.size());
}

} // namespace lsp
