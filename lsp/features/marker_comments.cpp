// The scan of marker_comments.h.
#include "lsp/features/marker_comments.h"

#include "analysis/common/comment_syntax.h"

#include <algorithm>

namespace lsp::features {
namespace {

using analysis::wire::ByteRange;
namespace comments = analysis::comments;
using comments::kBlank;

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

MarkerComment readMarker(std::string_view body) {
  MarkerComment comment;
  if (body.starts_with(comments::kBegin)) {
    comment.kind = MarkerComment::Kind::Begin;
    body.remove_prefix(comments::kBegin.size());
  } else if (body.starts_with(comments::kEnd)) {
    comment.kind = MarkerComment::Kind::End;
    body.remove_prefix(comments::kEnd.size());
  }
  comment.name = trimmed(body);
  return comment;
}

/// The words behind `mca:` on a line that holds nothing but such a comment.
std::optional<ByteRange> settingsOn(const Text &text, uint32_t line) {
  const std::string_view content = text.line(line);
  const size_t words = comments::settingsBegin(content);
  if (words == std::string_view::npos)
    return std::nullopt;
  const auto begin = static_cast<uint32_t>(words);
  const auto end = static_cast<uint32_t>(comments::commentEnd(content, begin));
  return ByteRange{text.lineBegin(line) + begin, text.lineBegin(line) + std::max(begin, end)};
}

} // namespace

std::vector<MarkerComment> markerComments(const Text &text) {
  std::vector<MarkerComment> comments;
  const std::string_view bytes = text.bytes();
  for (size_t found = bytes.find(comments::kMarkerPrefix); found != std::string_view::npos;
       found = bytes.find(comments::kMarkerPrefix, found + 1)) {
    const uint32_t line = text.lineOf(static_cast<uint32_t>(found));
    const uint32_t lineBegin = text.lineBegin(line);
    const std::string_view content = text.line(line);
    const size_t begin = comments::commentBegin(content, found - lineBegin);
    if (begin == std::string_view::npos)
      continue;
    const size_t end = comments::commentEnd(content, found - lineBegin);
    const size_t closing = content.find(comments::kBlockClosing, end);
    const size_t closed = closing == std::string_view::npos ? end : closing + comments::kBlockClosing.size();
    MarkerComment comment =
        readMarker(bytes.substr(found, lineBegin + end - found).substr(comments::kMarkerPrefix.size()));
    comment.line = line;
    comment.at = {static_cast<uint32_t>(found), lineBegin + static_cast<uint32_t>(end)};
    comment.whole = {lineBegin + static_cast<uint32_t>(begin), lineBegin + static_cast<uint32_t>(closed)};
    comments.push_back(std::move(comment));
  }
  return comments;
}

std::vector<size_t> openRegions(const std::vector<MarkerComment> &comments, size_t count) {
  std::vector<size_t> open;
  for (size_t i = 0; i < count; ++i) {
    const MarkerComment &comment = comments[i];
    const auto named =
        std::find_if(open.begin(), open.end(), [&](size_t begin) { return comments[begin].name == comment.name; });
    if (comment.kind == MarkerComment::Kind::Begin && named == open.end())
      open.push_back(i);
    if (comment.kind != MarkerComment::Kind::End)
      continue;
    if (comment.name.empty() && open.size() == 1)
      open.clear();
    else if (named != open.end())
      open.erase(named);
  }
  return open;
}

std::optional<CpuSetting> cpuSetting(const Text &text) {
  std::optional<CpuSetting> result;
  const std::string_view bytes = text.bytes();
  for (size_t at = bytes.find(comments::kSettings); at != std::string_view::npos;
       at = bytes.find(comments::kSettings, at + 1)) {
    const uint32_t line = text.lineOf(static_cast<uint32_t>(at));
    const std::optional<ByteRange> words = settingsOn(text, line);
    if (!words)
      continue;
    const std::string_view inside = bytes.substr(words->begin, words->end - words->begin);
    const size_t cpu = inside.find(comments::kCpuAssignment);
    const bool isSet =
        cpu != std::string_view::npos && cpu > 0 && kBlank.find(inside[cpu - 1]) != std::string_view::npos;
    if (isSet) {
      const auto begin = static_cast<uint32_t>(words->begin + cpu + comments::kCpuAssignment.size());
      const size_t end = bytes.find_first_of(" \t\r\n", begin);
      result = {line, {begin, std::min(static_cast<uint32_t>(std::min(end, bytes.size())), words->end)}, true};
    } else if (!result) {
      result = {line, {words->begin, words->begin}, false};
    }
  }
  return result;
}

std::string commentOpening(analysis::wire::Language language, std::string_view triple) {
  return std::string(language == analysis::wire::Language::Assembly ? comments::assemblyOpening(triple)
                                                                    : comments::kLineOpening);
}

std::string indentation(std::string_view line) {
  return std::string(line.substr(0, std::min(line.find_first_not_of(kBlank), line.size())));
}

std::string lineBreak(const Text &text) {
  if (text.lineCount() < 2)
    return "\n";
  const uint32_t end = text.lineEnd(0);
  return text.bytes().substr(end, text.lineBegin(1) - end);
}

} // namespace lsp::features
