// Each byte of the text is looked at a few times, and only the words of one line are in memory.
#include "mca-core/calibration/calibration_lines.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <charconv>

namespace mca::calibration {
namespace {

/// In bytes. The words of a line are in memory at once.
constexpr size_t kMaxLine = 65536;

bool isBlank(char c) {
  return c == ' ' || c == '\t';
}
bool isPrintable(char c) {
  return c >= ' ' && c <= '~';
}

/// The length of the first word, or nothing if its last quote is not closed.
std::optional<size_t> lengthOfWord(std::string_view text) {
  bool isQuoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"')
      isQuoted = !isQuoted;
    else if (isBlank(text[i]) && !isQuoted)
      return i;
  }
  return isQuoted ? std::nullopt : std::optional(text.size());
}

} // namespace

std::optional<std::pair<Word, Word>> splitAt(const Word &word, char separator) {
  const size_t place = word.text.find(separator);
  if (place == std::string_view::npos)
    return std::nullopt;
  return std::pair(word.part(0, place), word.part(place + 1));
}

std::vector<Word> splitList(const Word &word) {
  std::vector<Word> parts;
  Word rest = word;
  while (const auto sides = splitAt(rest, ',')) {
    parts.push_back(sides->first);
    rest = sides->second;
  }
  parts.push_back(rest);
  return parts;
}

std::string quoted(std::string_view text) {
  constexpr size_t kLongest = 60;
  return "`" + std::string(text.substr(0, kLongest)) + (text.size() > kLongest ? "…`" : "`");
}

bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || llvm::StringRef("-_.+/").contains(c);
}

std::string textOf(double number) {
  char buffer[32];
  return {buffer, std::to_chars(std::begin(buffer), std::end(buffer), number).ptr};
}

bool LineReader::next() {
  while (!rest_.empty() && !error_) {
    const size_t length = rest_.find('\n');
    std::string_view line = rest_.substr(0, length);
    rest_.remove_prefix(length == std::string_view::npos ? rest_.size() : length + 1);
    ++line_;
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    if (split(line) && !words_.empty())
      return true;
  }
  return false;
}

bool LineReader::split(std::string_view line) {
  words_.clear();
  if (line.size() > kMaxLine) {
    error_ = {line_, kMaxLine + 1, "the line is longer than 65536 bytes"};
    return false;
  }
  for (size_t at = 0; at < line.size();) {
    const uint32_t column = static_cast<uint32_t>(at) + 1;
    if (isBlank(line[at])) {
      ++at;
      continue;
    }
    if (line[at] == '#')
      return true;
    const std::optional<size_t> length = lengthOfWord(line.substr(at));
    const std::string_view text = line.substr(at, length.value_or(std::string_view::npos));
    const auto wrong = std::ranges::find_if_not(text, [](char c) { return isPrintable(c) || c == '\t'; });
    if (wrong != text.end()) {
      const auto place = static_cast<uint32_t>(wrong - text.begin());
      error_ = {line_, column + place, "this byte is neither printable ASCII nor a tab"};
      return false;
    }
    if (!length) {
      error_ = {line_, column + static_cast<uint32_t>(text.rfind('"')), "the quote is not closed"};
      return false;
    }
    words_.push_back({text, column});
    at += *length;
  }
  return true;
}

} // namespace mca::calibration
