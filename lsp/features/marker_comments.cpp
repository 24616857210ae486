// The scan of marker_comments.h.
#include "lsp/features/marker_comments.h"

#include <algorithm>

namespace lsp::features {
namespace {

using analysis::wire::ByteRange;

constexpr std::string_view kMarker = "LLVM-MCA-";
constexpr std::string_view kSettings = "mca:";
constexpr std::string_view kBlank = " \t";
/// Characters that comments open with, in the assembly dialects of LLVM and in C.
constexpr std::string_view kOpening = "#/;@!*|";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// Where the comment opens whose text begins at `inside`, or npos when no comment does.
size_t commentBegin(std::string_view line, size_t inside) {
  const size_t last = line.substr(0, inside).find_last_not_of(kBlank);
  if (last == std::string_view::npos || kOpening.find(line[last]) == std::string_view::npos)
    return std::string_view::npos;
  const size_t before = line.substr(0, last).find_last_not_of(kOpening);
  return before == std::string_view::npos ? 0 : before + 1;
}

/// The end of the comment's text on this line.
size_t commentEnd(std::string_view line, size_t inside) {
  const size_t closing = std::min(line.find("*/", inside), line.size());
  return line.substr(0, closing).find_last_not_of(kBlank) + 1;
}

MarkerComment readMarker(std::string_view body) {
  using Kind = MarkerComment::Kind;
  MarkerComment comment;
  comment.kind = body.starts_with("BEGIN") ? Kind::Begin : body.starts_with("END") ? Kind::End : Kind::Instrument;
  const size_t keyword = comment.kind == Kind::Begin ? 5 : comment.kind == Kind::End ? 3 : 0;
  comment.name = trimmed(body.substr(keyword));
  return comment;
}

/// The words behind `mca:` on a line that holds nothing but such a comment.
std::optional<ByteRange> settingsOn(const Text &text, uint32_t line) {
  const std::string_view content = text.line(line);
  const size_t keyword = content.find(kSettings);
  if (keyword == std::string_view::npos || commentBegin(content, keyword) == std::string_view::npos ||
      content.substr(0, keyword).find_first_not_of(std::string(kOpening) + std::string(kBlank)) !=
          std::string_view::npos)
    return std::nullopt;
  const auto begin = static_cast<uint32_t>(keyword + kSettings.size());
  const auto end = static_cast<uint32_t>(commentEnd(content, begin));
  return ByteRange{text.lineBegin(line) + begin, text.lineBegin(line) + std::max(begin, end)};
}

} // namespace

std::vector<MarkerComment> markerComments(const Text &text) {
  std::vector<MarkerComment> comments;
  const std::string_view bytes = text.bytes();
  for (size_t found = bytes.find(kMarker); found != std::string_view::npos; found = bytes.find(kMarker, found + 1)) {
    const uint32_t line = text.lineOf(static_cast<uint32_t>(found));
    const uint32_t lineBegin = text.lineBegin(line);
    const std::string_view content = text.line(line);
    const size_t begin = commentBegin(content, found - lineBegin);
    if (begin == std::string_view::npos)
      continue;
    const size_t end = commentEnd(content, found - lineBegin);
    const size_t closing = content.find("*/", end);
    const size_t closed = closing == std::string_view::npos ? end : closing + 2;
    MarkerComment comment = readMarker(bytes.substr(found, lineBegin + end - found).substr(kMarker.size()));
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
  constexpr std::string_view kCpu = "cpu=";
  std::optional<CpuSetting> result;
  const std::string_view bytes = text.bytes();
  for (size_t at = bytes.find(kSettings); at != std::string_view::npos; at = bytes.find(kSettings, at + 1)) {
    const uint32_t line = text.lineOf(static_cast<uint32_t>(at));
    const std::optional<ByteRange> words = settingsOn(text, line);
    if (!words)
      continue;
    const std::string_view inside = bytes.substr(words->begin, words->end - words->begin);
    const size_t cpu = inside.find(kCpu);
    const bool isSet =
        cpu != std::string_view::npos && cpu > 0 && kBlank.find(inside[cpu - 1]) != std::string_view::npos;
    if (isSet) {
      const auto begin = static_cast<uint32_t>(words->begin + cpu + kCpu.size());
      const size_t end = bytes.find_first_of(" \t\r\n", begin);
      result = {line, {begin, std::min(static_cast<uint32_t>(std::min(end, bytes.size())), words->end)}, true};
    } else if (!result) {
      result = {line, {words->begin, words->begin}, false};
    }
  }
  return result;
}

std::string commentOpening(analysis::wire::Language language, std::string_view triple) {
  const std::string_view arch = triple.substr(0, triple.find('-'));
  if (language != analysis::wire::Language::Assembly || arch.starts_with("aarch64") || arch.starts_with("arm64"))
    return "//";
  if (arch.starts_with("arm") || arch.starts_with("thumb"))
    return "@";
  return arch.starts_with("sparc") ? "!" : "#";
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
