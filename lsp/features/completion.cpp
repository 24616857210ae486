// A line is read up to the cursor: its comment, and the word that is being written.
#include "lsp/features/completion.h"

#include "analysis/common/comment_syntax.h"
#include "lsp/features/marker_comments.h"

#include <algorithm>
#include <string_view>

namespace lsp::features {
namespace {

using analysis::wire::ByteRange;
using analysis::wire::Language;
using protocol::CompletionItem;
using protocol::CompletionItemKind;
namespace comments = analysis::comments;
using comments::kBlank;

bool isBegun(std::string_view written, std::string_view word) {
  return written.starts_with(word) || word.starts_with(written);
}

/// The comment's text from its first word to the cursor, as a range; nothing outside of a comment and in one about
/// something else.
std::optional<ByteRange> commentBefore(const Document &document, uint32_t offset) {
  const Text &text = document.text();
  const uint32_t begin = text.lineBegin(text.lineOf(offset));
  const std::string_view before = std::string_view(text.bytes()).substr(begin, offset - begin);
  for (const std::string &opening : {commentOpening(*document.language(), document.analysis().target.triple),
                                     std::string(comments::kLineOpening), std::string(comments::kBlockOpening)})
    for (size_t at = before.find(opening); at != std::string_view::npos; at = before.find(opening, at + 1)) {
      const size_t word = std::min(before.find_first_not_of(kBlank, at + opening.size()), before.size());
      const std::string_view written = before.substr(word);
      if (isBegun(written, comments::kMarkerPrefix) || isBegun(written, comments::kSettings))
        return ByteRange{begin + static_cast<uint32_t>(word), offset};
    }
  return std::nullopt;
}

class Completion {
public:
  Completion(const Document &document, uint32_t offset, const protocol::ClientCapabilities &client)
      : document_(document), offset_(offset), client_(client) {}

  void add(uint32_t begin, const std::string &text, CompletionItemKind kind) {
    items_.push_back({text, kind, {document_.text().rangeOf({begin, offset_}, client_.encoding), text}});
  }
  void addAll(uint32_t begin, const std::vector<std::string> &texts, CompletionItemKind kind) {
    for (const std::string &text : texts)
      add(begin, text, kind);
  }
  std::vector<CompletionItem> take() { return std::move(items_); }

private:
  const Document &document_;
  uint32_t offset_;
  const protocol::ClientCapabilities &client_;
  std::vector<CompletionItem> items_;
};

std::vector<std::string> keywordsFor(const Document &document) {
  std::vector<std::string> markers{std::string(comments::kSettings), std::string(comments::kBeginMarker),
                                   std::string(comments::kEndMarker)};
  if (document.language() != Language::Assembly)
    return markers;
  markers.emplace_back(comments::kLatencyMarker);
  if (document.analysis().target.triple.starts_with("riscv"))
    for (const std::string_view marker : {comments::kVectorMultiplierMarker, comments::kVectorWidthMarker})
      markers.emplace_back(marker);
  return markers;
}

/// What may follow `mca:`.
std::vector<std::string> assignmentsOf() {
  std::vector<std::string> assignments;
  for (const std::string_view key : comments::kSettingKeys)
    assignments.push_back(std::string(key) + "=");
  return assignments;
}

/// What may follow a marker's keyword.
std::vector<std::string> argumentsOf(const Document &document, std::string_view keyword, uint32_t offset) {
  if (keyword == comments::kVectorMultiplierMarker)
    return {comments::kVectorMultipliers.begin(), comments::kVectorMultipliers.end()};
  if (keyword == comments::kVectorWidthMarker)
    return {comments::kVectorWidths.begin(), comments::kVectorWidths.end()};
  std::vector<std::string> names;
  if (keyword != comments::kEndMarker)
    return names;
  const auto comments = markerComments(document.text());
  const auto before = static_cast<size_t>(std::count_if(comments.begin(), comments.end(), [&](const auto &comment) {
    return comment.line < document.text().lineOf(offset);
  }));
  for (const size_t open : openRegions(comments, before))
    if (!comments[open].name.empty())
      names.push_back(comments[open].name);
  return names;
}

} // namespace

std::vector<CompletionItem> completions(const Document &document, const protocol::Position &position,
                                        const std::vector<std::string> &cpus,
                                        const protocol::ClientCapabilities &client) {
  const uint32_t offset = document.text().offsetOf(position, client.encoding);
  const std::optional<ByteRange> comment = document.language() ? commentBefore(document, offset) : std::nullopt;
  if (!comment)
    return {};
  const std::string_view before =
      std::string_view(document.text().bytes()).substr(comment->begin, offset - comment->begin);
  const size_t blank = before.find_last_of(" \t:");
  const uint32_t word = comment->begin + (blank == std::string_view::npos ? 0 : static_cast<uint32_t>(blank) + 1);
  const std::string_view typed = before.substr(word - comment->begin);
  Completion completion(document, offset, client);
  if (before.starts_with(comments::kSettings) && typed.starts_with(comments::kCpuAssignment))
    completion.addAll(word + static_cast<uint32_t>(comments::kCpuAssignment.size()), cpus, CompletionItemKind::Value);
  else if (before.starts_with(comments::kSettings))
    completion.addAll(word, assignmentsOf(), CompletionItemKind::Keyword);
  else if (blank == std::string_view::npos)
    completion.addAll(word, keywordsFor(document), CompletionItemKind::Keyword);
  else
    completion.addAll(word, argumentsOf(document, before.substr(0, before.find_first_of(kBlank)), offset),
                      CompletionItemKind::Value);
  return completion.take();
}

} // namespace lsp::features
