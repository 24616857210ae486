// A compiler's names are compared as absolute paths first, then as files on disk, each name once.
#include "analysis/source_map/buffer_names.h"

#include "llvm/Support/Path.h"

namespace analysis {
namespace {

std::string realPath(const std::string &path) {
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(path, real) ? "" : real.str().str();
}

} // namespace

BufferNames::BufferNames(const TextLines &lines, const std::string &path, const std::string &directory)
    : directory_(directory), path_(normalize(path)) {
  static_cast<void>(llvm::sys::fs::getUniqueID(path, id_)); // a buffer without a file has no id
  stretches_.push_back({1, lines.count(), 1, ""});
  readLineDirectives(lines);
}

/// `#line 7`, `#line 7 "name"` (C17, 6.10.4), and the form of preprocessed text, `# 7 "name" flags`. The number may be
/// a macro; those of other files are unknown here.
void BufferNames::readLineDirectives(const TextLines &lines) {
  if (lines.text().find('#') == std::string_view::npos)
    return;
  llvm::StringMap<llvm::StringRef> numbers; // the values of `#define`s
  for (uint32_t i = 0; i < lines.count(); ++i) {
    llvm::StringRef text = llvm::StringRef(lines.lineText(i)).ltrim();
    uint32_t number = 0;
    if (!text.consume_front("#"))
      continue;
    text = text.ltrim();
    if (text.consume_front("define")) {
      const auto [name, value] = text.ltrim().split(' ');
      numbers[name] = value.trim();
      continue;
    }
    const bool isShort = !text.consume_front("line");
    text = text.ltrim();
    const size_t wordEnd = text.find_first_of(" \t\"");
    if (const auto macro = numbers.find(text.take_front(wordEnd)); macro != numbers.end()) {
      if (macro->second.getAsInteger(10, number))
        continue;
      text = text.drop_front(std::min(wordEnd, text.size()));
    } else if (text.consumeInteger(10, number)) {
      continue;
    }
    std::string file = stretches_.back().file;
    text = text.ltrim();
    // "# 5 apples" is a line of a comment, not a marker.
    if (isShort && !text.empty() && !text.starts_with("\""))
      continue;
    if (text.consume_front("\""))
      file = normalize(text.take_until([](char c) { return c == '"'; }));
    Stretch &before = stretches_.back();
    before.count = i + 1 - before.first; // up to the directive
    stretches_.push_back({i + 2, lines.count() - i - 1, number, std::move(file)});
  }
}

std::string BufferNames::normalize(llvm::StringRef name) const {
  llvm::SmallString<256> full(name);
  llvm::sys::path::make_absolute(directory_, full);
  llvm::sys::path::remove_dots(full, /*remove_dot_dot=*/true);
  return full.str().str();
}

bool BufferNames::isBuffer(const std::string &full) const {
  if (full == path_)
    return true;
  // It may be the same file by another path, through a link. A hard link with another name is another file.
  llvm::sys::fs::UniqueID other;
  if (llvm::sys::fs::getUniqueID(full, other) || other != id_)
    return false;
  return llvm::sys::path::filename(full) == llvm::sys::path::filename(path_) || realPath(full) == realPath(path_);
}

uint32_t BufferNames::fileOf(llvm::StringRef name) {
  const auto [entry, isNew] = known_.try_emplace(name, static_cast<uint32_t>(paths_.size()));
  if (!isNew)
    return entry->second;
  std::vector<uint32_t> &own = stretchesOf_.emplace_back();
  const std::string full = normalize(name);
  paths_.push_back(full);
  const bool buffer = isBuffer(full);
  for (uint32_t i = 0; i < stretches_.size(); ++i)
    if (stretches_[i].file.empty() ? buffer : stretches_[i].file == full)
      own.push_back(i);
  return entry->second;
}

uint32_t BufferNames::lineIn(uint32_t file, uint32_t line) const {
  for (const uint32_t index : stretchesOf_[file]) {
    const Stretch &stretch = stretches_[index];
    if (line >= stretch.firstName && line - stretch.firstName < stretch.count && line > 0)
      return stretch.first + (line - stretch.firstName);
  }
  return 0;
}

} // namespace analysis
