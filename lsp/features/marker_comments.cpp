// Both scans search the bytes for a keyword and look at the line only where it occurs: most texts have few or none.
#include "lsp/features/marker_comments.h"

#include "analysis/text/comment_syntax.h"

#include <algorithm>
#include <unordered_map>

namespace lsp::features {
namespace {

using wire::ByteRange;
namespace comments = analysis::comments;
constexpr size_t kNone = std::string_view::npos;

/// From the text after `LLVM-MCA-`, which does not end with blanks.
MarkerComment readMarker(std::string_view body) {
  using Kind = MarkerComment::Kind;
  const Kind kind = body.starts_with(comments::kBegin) ? Kind::Begin
                    : body.starts_with(comments::kEnd) ? Kind::End
                                                       : Kind::Instrument;
  if (kind != Kind::Instrument)
    body.remove_prefix(kind == Kind::Begin ? comments::kBegin.size() : comments::kEnd.size());
  body.remove_prefix(std::min(body.find_first_not_of(comments::kBlank), body.size()));
  return {.kind = kind, .name = std::string(body)};
}

} // namespace

std::vector<MarkerComment> markerComments(const Text &text) {
  std::vector<MarkerComment> found;
  const std::string_view bytes = text.bytes();
  for (size_t at = bytes.find(comments::kMarkerPrefix); at != kNone; at = bytes.find(comments::kMarkerPrefix, at + 1)) {
    const uint32_t line = text.lineOf(static_cast<uint32_t>(at)), lineBegin = text.lineBegin(line);
    const std::string_view content = text.line(line);
    const size_t keyword = at - lineBegin, begin = comments::commentBegin(content, keyword);
    if (begin == kNone)
      continue;
    // In `/* LLVM-MCA-END */` the name ends before the closing, which belongs to the comment as a whole.
    const size_t end = comments::commentEnd(content, keyword), closing = content.find(comments::kBlockClosing, end);
    const size_t wholeEnd = closing == kNone ? end : closing + comments::kBlockClosing.size();
    const auto rangeOf = [&](size_t from, size_t to) {
      return ByteRange{lineBegin + static_cast<uint32_t>(from), lineBegin + static_cast<uint32_t>(to)};
    };
    const size_t body = keyword + comments::kMarkerPrefix.size();
    MarkerComment &added = found.emplace_back(readMarker(content.substr(body, end - body)));
    added.line = line;
    added.at = rangeOf(keyword, end);
    added.whole = rangeOf(begin, wholeEnd);
  }
  return found;
}

std::vector<size_t> openRegions(const std::vector<MarkerComment> &comments, size_t count) {
  std::unordered_map<std::string_view, size_t> open;
  for (size_t i = 0; i < count; ++i) {
    const MarkerComment &comment = comments[i];
    if (comment.kind == MarkerComment::Kind::Begin)
      open.try_emplace(comment.name, i);
    if (comment.kind != MarkerComment::Kind::End)
      continue;
    if (comment.name.empty() && open.size() == 1)
      open.clear();
    else
      open.erase(comment.name);
  }
  std::vector<size_t> begins;
  for (const auto &[name, begin] : open)
    begins.push_back(begin);
  std::ranges::sort(begins);
  return begins;
}

std::string markerText(std::string_view keyword, std::string_view argument) {
  return std::string(keyword) + (argument.empty() ? "" : " ") + std::string(argument);
}

std::optional<CpuSetting> cpuSetting(const Text &text) {
  std::optional<CpuSetting> result;
  const std::string_view bytes = text.bytes();
  for (size_t at = bytes.find(comments::kSettings); at != kNone; at = bytes.find(comments::kSettings, at + 1)) {
    const uint32_t line = text.lineOf(static_cast<uint32_t>(at));
    const std::string_view content = text.line(line);
    const size_t begin = comments::settingsBegin(content);
    if (begin == kNone)
      continue;
    // `mca:` may occur twice on a line. The line is then read twice, with the same result.
    const std::string_view settings = content.substr(begin, comments::commentEnd(content, begin) - begin);
    if (settings.find_first_of("<>") != kNone) // a budget
      continue;
    const auto rangeOf = [&](std::string_view part) {
      const auto first = static_cast<uint32_t>(part.data() - bytes.data());
      return ByteRange{first, first + static_cast<uint32_t>(part.size())};
    };
    for (const std::string_view word : comments::wordsOf(settings))
      if (word.starts_with(comments::kCpuAssignment))
        result = {line, rangeOf(word.substr(comments::kCpuAssignment.size())), true};
    if (!result)
      result = {line, rangeOf(settings.substr(0, 0)), false};
  }
  return result;
}

std::string commentOpening(wire::Language language, std::string_view triple) {
  return std::string(language == wire::Language::Assembly ? comments::assemblyOpening(triple) : comments::kLineOpening);
}

std::string indentation(std::string_view line) {
  return std::string(line.substr(0, std::min(line.find_first_not_of(comments::kBlank), line.size())));
}

std::string lineBreak(const Text &text) {
  if (text.lineCount() < 2)
    return "\n";
  const uint32_t end = text.lineEnd(0);
  return text.bytes().substr(end, text.lineBegin(1) - end);
}

} // namespace lsp::features
