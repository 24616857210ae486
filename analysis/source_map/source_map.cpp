#include "analysis/source_map/source_map.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <charconv>

namespace analysis {
namespace {

/// Tells whether a file name, as the compiler writes it, means the buffer.
class BufferNames {
public:
  BufferNames(const std::string &path, const std::string &directory) : path_(normalize(path)), directory_(directory) {
    llvm::sys::fs::getUniqueID(path, id_);
  }

  bool isBuffer(llvm::StringRef name) {
    const auto [entry, isNew] = known_.try_emplace(name, false);
    if (isNew)
      entry->second = compare(name);
    return entry->second;
  }

private:
  std::string normalize(llvm::StringRef name) const {
    llvm::SmallString<256> full(name);
    if (!llvm::sys::path::is_absolute(full)) {
      full = directory_;
      llvm::sys::path::append(full, name);
    }
    llvm::sys::path::remove_dots(full, /*remove_dot_dot=*/true);
    return full.str().str();
  }

  bool compare(llvm::StringRef name) const {
    const std::string full = normalize(name);
    if (full == path_)
      return true;
    // The same file by another way, through a link for instance.
    if (llvm::sys::path::filename(full) != llvm::sys::path::filename(path_))
      return false;
    llvm::sys::fs::UniqueID other;
    return !llvm::sys::fs::getUniqueID(full, other) && other == id_;
  }

  std::string path_;
  std::string directory_;
  llvm::sys::fs::UniqueID id_;
  llvm::StringMap<bool> known_;
};

struct Frame {
  llvm::StringRef file;
  SourcePlace place;
};

uint32_t toNumber(llvm::StringRef digits) {
  uint32_t value = 0;
  std::from_chars(digits.begin(), digits.end(), value);
  return value;
}

/// "dir/a.cpp:5:10": the name may itself hold colons.
std::optional<Frame> parseFrame(llvm::StringRef text) {
  const auto [rest, column] = text.trim().rsplit(':');
  const auto [file, line] = rest.rsplit(':');
  if (file.empty() || line.empty() || column.empty() || line.find_first_not_of("0123456789") != llvm::StringRef::npos)
    return std::nullopt;
  return Frame{file, {toNumber(line), toNumber(column)}};
}

/// The outermost frame in the buffer of a `.loc` line's comment. Frames come innermost first.
std::optional<SourcePlace> outermostInComment(llvm::StringRef comment, BufferNames &names) {
  std::optional<SourcePlace> place;
  llvm::SmallVector<llvm::StringRef, 8> frames;
  comment.split(frames, "@[");
  for (llvm::StringRef text : frames) {
    const std::optional<Frame> frame = parseFrame(text.rtrim(" ]"));
    if (frame && frame->place.line && names.isBuffer(frame->file))
      place = frame->place;
  }
  return place;
}

/// The comment behind the directive at `offset`: what follows the first blank and comment character of its line.
llvm::StringRef commentOf(llvm::StringRef text, uint32_t offset) {
  const llvm::StringRef line = text.drop_front(offset).take_until([](char c) { return c == '\n' || c == '\r'; });
  const size_t start = line.find_first_of("#;@/|!");
  return start == llvm::StringRef::npos ? llvm::StringRef() : line.drop_front(start).ltrim("#;@/|! \t");
}

SourcePlace placeOfEntry(const mca::Program &program, const mca::LineEntry &entry,
                         const llvm::DenseMap<uint32_t, std::string> &files, BufferNames &names) {
  if (const auto outer = outermostInComment(commentOf(program.text(), entry.offset), names))
    return *outer;
  const auto file = files.find(entry.file);
  if (file == files.end() || !names.isBuffer(file->second))
    return {};
  return {entry.line, entry.column};
}

} // namespace

SourceMap SourceMap::ofAssembly(const mca::Program &program, const TextLines &lines) {
  SourceMap map(lines);
  map.places_.reserve(program.instructions().size());
  for (const mca::Instruction &instruction : program.instructions()) {
    const uint32_t line = lines.lineOf(instruction.offset);
    map.places_.push_back({line + 1, instruction.offset - lines.range(line).begin + 1});
  }
  return map;
}

SourceMap SourceMap::ofSource(const mca::Program &program, const TextLines &lines, const std::string &path,
                              const std::string &directory) {
  BufferNames names(path, directory);
  llvm::DenseMap<uint32_t, std::string> files;
  for (const mca::LineFile &file : program.lineFiles()) {
    llvm::SmallString<256> name(file.directory);
    llvm::sys::path::append(name, file.name);
    files[file.number] = llvm::sys::path::is_absolute(file.name) ? file.name : name.str().str();
  }
  std::vector<SourcePlace> entries;
  entries.reserve(program.lines().size());
  for (const mca::LineEntry &entry : program.lines()) {
    SourcePlace place = placeOfEntry(program, entry, files, names);
    if (place.line > lines.count())
      place = {};
    entries.push_back(place);
  }
  SourceMap map(lines);
  map.places_.reserve(program.instructions().size());
  for (const mca::Instruction &instruction : program.instructions())
    map.places_.push_back(instruction.line == mca::kNone ? SourcePlace{} : entries[instruction.line]);
  return map;
}

std::optional<SourcePlace> SourceMap::placeOf(uint32_t instruction) const {
  const SourcePlace place = places_[instruction];
  return place.line ? std::optional(place) : std::nullopt;
}

std::optional<wire::ByteRange> SourceMap::lineRangeOf(uint32_t instruction) const {
  const SourcePlace place = places_[instruction];
  return place.line ? std::optional(lines_->content(place.line - 1)) : std::nullopt;
}

} // namespace analysis
