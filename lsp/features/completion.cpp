// Completion is requested while the user types, so a comment and its last word are recognized before they are complete.
#include "lsp/features/features.h"

#include "analysis/text/comment_syntax.h"
#include "lsp/features/marker_comments.h"

#include <algorithm>

namespace lsp::features {
namespace {

using protocol::CompletionItemKind;
namespace comments = analysis::comments;
using Texts = std::vector<std::string>;

constexpr std::string_view kSyntaxAssignment = "syntax=";

/// Whether the text may become the word, or goes on after it.
bool isBegun(std::string_view written, std::string_view word) {
  return written.starts_with(word) || word.starts_with(written);
}

/// The offset of the comment's first word. Empty outside of a comment, and in one about something else.
std::optional<uint32_t> commentBefore(const Document &document, uint32_t offset) {
  const Text &text = document.text();
  const uint32_t begin = text.lineBegin(text.lineOf(offset));
  const std::string_view before = std::string_view(text.bytes()).substr(begin, offset - begin);
  // Not every character that opens comments somewhere: in AArch64 assembly `#` begins an immediate.
  for (const std::string &opening : {commentOpening(*document.language(), document.analysis().target.triple),
                                     std::string(comments::kLineOpening), std::string(comments::kBlockOpening)})
    for (size_t at = before.find(opening); at != std::string_view::npos; at = before.find(opening, at + 1)) {
      const size_t word = std::min(before.find_first_not_of(comments::kBlank, at + opening.size()), before.size());
      const std::string_view written = before.substr(word);
      if (isBegun(written, comments::kMarkerPrefix) || isBegun(written, comments::kSettings))
        return begin + static_cast<uint32_t>(word);
    }
  return std::nullopt;
}

Texts keywordsFor(const Document &document) {
  std::vector<std::string_view> keywords{comments::kSettings, comments::kBeginMarker, comments::kEndMarker};
  if (document.language() == wire::Language::Assembly)
    keywords.push_back(comments::kLatencyMarker);
  if (document.language() == wire::Language::Assembly && document.analysis().target.triple.starts_with("riscv"))
    keywords.insert(keywords.end(), {comments::kVectorMultiplierMarker, comments::kVectorWidthMarker});
  return {keywords.begin(), keywords.end()};
}

/// The possible texts after a marker's keyword. `line` is that of the marker: regions that begin below it are not open.
Texts argumentsOf(const Document &document, std::string_view keyword, uint32_t line) {
  if (keyword == comments::kVectorMultiplierMarker)
    return {comments::kVectorMultipliers.begin(), comments::kVectorMultipliers.end()};
  if (keyword == comments::kVectorWidthMarker)
    return {comments::kVectorWidths.begin(), comments::kVectorWidths.end()};
  Texts names;
  if (keyword != comments::kEndMarker)
    return names;
  const auto markers = markerComments(document.text());
  const auto before = std::ranges::lower_bound(markers, line, {}, &MarkerComment::line) - markers.begin();
  for (const size_t open : openRegions(markers, static_cast<size_t>(before)))
    if (!markers[open].name.empty())
      names.push_back(markers[open].name);
  return names;
}

} // namespace

std::vector<protocol::CompletionItem> completions(const Document &document, const protocol::Position &position,
                                                  const std::vector<std::string> &cpus,
                                                  const protocol::ClientCapabilities &client) {
  const Text &text = document.text();
  const uint32_t offset = text.offsetOf(position, client.encoding);
  const std::optional<uint32_t> comment = document.language() ? commentBefore(document, offset) : std::nullopt;
  if (!comment)
    return {};
  const std::string_view before = std::string_view(text.bytes()).substr(*comment, offset - *comment);
  const size_t blank = before.find_last_of(" \t:");
  size_t word = blank == std::string_view::npos ? 0 : blank + 1;
  Texts texts;
  CompletionItemKind kind = CompletionItemKind::Keyword;
  if (before.starts_with(comments::kSettings) && before.substr(word).starts_with(comments::kCpuAssignment)) {
    word += comments::kCpuAssignment.size();
    texts = cpus;
    kind = CompletionItemKind::Value;
  } else if (before.starts_with(comments::kSettings) && before.substr(word).starts_with(kSyntaxAssignment)) {
    word += kSyntaxAssignment.size();
    texts = {std::string(comments::kIntelSyntax), std::string(comments::kAttSyntax)};
    kind = CompletionItemKind::Value;
  } else if (before.starts_with(comments::kSettings)) {
    for (const std::string_view key : comments::kSettingKeys)
      if (key != comments::kSyntax || document.language() == wire::Language::Assembly)
        texts.push_back(std::string(key) + "=");
  } else if (word == 0) {
    texts = keywordsFor(document);
  } else {
    texts = argumentsOf(document, before.substr(0, before.find_first_of(comments::kBlank)), text.lineOf(offset));
    kind = CompletionItemKind::Value;
  }
  const protocol::Range replaced = text.rangeOf({*comment + static_cast<uint32_t>(word), offset}, client.encoding);
  std::vector<protocol::CompletionItem> items;
  for (const std::string &label : texts)
    items.push_back({label, kind, {replaced, label}});
  return items;
}

} // namespace lsp::features
