// Line markers are those of gcc's and clang's preprocessors (cpp manual, "Preprocessor Output"): flag 1 enters a file,
// flag 2 returns to one.
#include "analysis/source_map/preprocessed.h"

#include "analysis/source_map/buffer_names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <optional>
#include <ranges>

namespace analysis {
namespace {

struct LineMarker {
  uint32_t line = 0;
  std::string file;
  bool enters = false, returns = false; ///< an included file
};

/// Parses `# 12 "dir/a.h" 1 3`. Quotes and backslashes in the name have a backslash before them.
std::optional<LineMarker> parseMarker(llvm::StringRef text) {
  LineMarker marker;
  if (!text.consume_front("# ") || text.consumeInteger(10, marker.line) || !text.consume_front(" \""))
    return std::nullopt;
  for (; !text.empty() && !text.starts_with("\""); text = text.drop_front()) {
    if (text.size() > 1 && text.starts_with("\\"))
      text = text.drop_front();
    marker.file += text.front();
  }
  if (!text.consume_front("\""))
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 4> flags;
  text.split(flags, ' ');
  marker.enters = llvm::is_contained(flags, "1");
  marker.returns = llvm::is_contained(flags, "2");
  return marker;
}

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/// Whether both are the same without their blanks. The preprocessor changes blanks in lines without macros, too.
bool isSameButForBlanks(llvm::StringRef a, llvm::StringRef b) {
  const auto withoutBlanks = std::views::filter([](char c) { return !isBlank(c); });
  return std::ranges::equal(a | withoutBlanks, b | withoutBlanks);
}

/// The position in `to` after as many characters other than blanks as are before `position` in `from`.
uint32_t correspondingIn(llvm::StringRef to, llvm::StringRef from, size_t position) {
  auto characters =
      std::count_if(from.begin(), from.begin() + std::min(position, from.size()), [](char c) { return !isBlank(c); });
  const bool atCharacter = position < from.size() && !isBlank(from[position]);
  size_t at = 0;
  for (; at < to.size() && (characters > 0 || (atCharacter && isBlank(to[at]))); ++at)
    characters -= !isBlank(to[at]);
  return static_cast<uint32_t>(at);
}

} // namespace

Preprocessed::Preprocessed(std::string_view text, const TextLines &buffer, const std::string &path,
                           const std::string &directory)
    : buffer_(&buffer), text_(text), bufferLines_(text_.count()) {
  BufferNames names(buffer, path, directory);
  uint32_t file = names.fileOf(path), line = 1; // the place in the user's files
  std::vector<uint32_t> entered;                // first lines of the included files around it
  inclusions_.push_back({.file = file});
  inclusionOf_.reserve(text_.count());
  uint32_t inclusion = 0;
  for (uint32_t i = 0; i < text_.count(); ++i) {
    inclusionOf_.push_back(inclusion);
    const std::optional<LineMarker> marker = parseMarker(text_.lineText(i));
    if (!marker) {
      bufferLines_[i] = names.lineIn(file, line++);
      continue;
    }
    file = names.fileOf(marker->file);
    line = marker->line;
    inclusion = follow(inclusion, file, marker->enters, marker->returns);
    if (marker->enters)
      entered.push_back(i + 1);
    if (!marker->returns || entered.empty())
      continue;
    // The line of the #include is certain only on return: the marker names the line after it.
    if (const uint32_t directive = line > 1 ? names.lineIn(file, line - 1) : 0)
      for (uint32_t included = entered.back(); included <= i; ++included)
        if (!bufferLines_[included])
          bufferLines_[included] = directive;
    entered.pop_back();
  }
  for (uint32_t &bufferLine : bufferLines_)
    if (bufferLine > buffer.count())
      bufferLine = 0;
  files_ = names.paths();
  for (uint32_t i = 0; i < files_.size(); ++i)
    isBuffer_.push_back(names.isOfBuffer(i));
}

/// A marker without a flag may give the rest of a file another name (`#line`): that is taken for another file beside
/// it.
uint32_t Preprocessed::follow(uint32_t current, uint32_t file, bool enters, bool returns) {
  if (returns && inclusions_[current].parent != kNone)
    current = inclusions_[current].parent;
  if (!enters && inclusions_[current].file == file)
    return current;
  const Inclusion around = inclusions_[current];
  inclusions_.push_back(enters ? Inclusion{file, current, around.depth + 1}
                               : Inclusion{file, around.parent, around.depth});
  return static_cast<uint32_t>(inclusions_.size() - 1);
}

/// The innermost inclusion that holds both; kNone if there is none.
uint32_t Preprocessed::commonOf(uint32_t a, uint32_t b) const {
  while (a != b && a != kNone && b != kNone) {
    const uint32_t depthOfA = inclusions_[a].depth, depthOfB = inclusions_[b].depth;
    if (depthOfA >= depthOfB)
      a = inclusions_[a].parent;
    if (depthOfB >= depthOfA)
      b = inclusions_[b].parent;
  }
  return a == b ? a : kNone;
}

std::vector<uint32_t> Preprocessed::filesAround(std::span<const uint32_t> offsets) const {
  if (offsets.empty())
    return {};
  uint32_t common = inclusionOf_[text_.lineOf(offsets.front())];
  for (const uint32_t offset : offsets.subspan(1))
    common = commonOf(common, inclusionOf_[text_.lineOf(offset)]);
  std::vector<uint32_t> files;
  for (; common != kNone; common = inclusions_[common].parent)
    files.push_back(inclusions_[common].file);
  return files;
}

SourcePlace Preprocessed::placeOf(uint32_t offset) const {
  const uint32_t line = text_.lineOf(offset);
  const uint32_t inBuffer = bufferLines_[line];
  if (!inBuffer)
    return {};
  const llvm::StringRef expanded = text_.lineText(line), written = buffer_->lineText(inBuffer - 1);
  if (!isSameButForBlanks(expanded, written))
    return {inBuffer, 0};
  return {inBuffer, correspondingIn(written, expanded, offset - text_.range(line).begin) + 1};
}

wire::ByteRange Preprocessed::inBuffer(wire::ByteRange range) const {
  const SourcePlace begin = placeOf(range.begin), end = placeOf(range.end);
  const uint32_t first = begin.line ? begin.line - 1 : 0, last = end.line ? end.line - 1 : first;
  const wire::ByteRange firstLine = buffer_->content(first), lastLine = buffer_->content(std::max(first, last));
  wire::ByteRange result{begin.column ? buffer_->range(first).begin + begin.column - 1 : firstLine.begin,
                         end.column ? buffer_->range(last).begin + end.column - 1 : lastLine.end};
  result.end = std::max(result.begin, result.end);
  return result;
}

std::string preprocessedFileAt(std::string_view text, uint32_t offset) {
  const llvm::StringRef before = llvm::StringRef(text).take_front(offset);
  for (size_t begin = before.size(); begin != 0;) {
    const size_t newline = before.take_front(begin - 1).rfind("\n# ");
    begin = newline == llvm::StringRef::npos ? 0 : newline + 1;
    if (std::optional<LineMarker> marker = parseMarker(before.substr(begin).split('\n').first))
      return std::move(marker->file);
  }
  return "";
}

} // namespace analysis
