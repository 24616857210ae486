// clang's comments have whole stacks, gcc's DWARF has the calls around each `.loc`; both become frames of one tree.
#include "analysis/source_map/source_map.h"

#include "analysis/source_map/buffer_names.h"
#include "analysis/source_map/inline_scopes.h"
#include "analysis/text/named_place.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Path.h"

#include <tuple>

namespace analysis {
namespace {

/// The text of the comment after the directive at `offset`: all after the first comment character of its line.
llvm::StringRef commentOf(llvm::StringRef text, uint32_t offset) {
  text = text.drop_front(offset);
  const llvm::StringRef line = text.take_front(text.find_first_of("\r\n"));
  const size_t start = line.find_first_of("#;@/|!");
  if (start == llvm::StringRef::npos)
    return {};
  // "#" or "//"; a single slash after that begins an absolute path.
  const size_t marks = line.substr(start + 1).starts_with(line.substr(start, 1)) ? 2 : 1;
  return line.drop_front(start + marks).ltrim(" \t");
}

/// Adds frames to a map, each once.
struct FrameTree {
  BufferNames &names;
  std::vector<Frame> &frames;
  uint32_t lines; ///< of the buffer
  llvm::DenseMap<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>, uint32_t> known{};

  uint32_t add(uint32_t file, uint32_t line, uint32_t column, uint32_t caller) {
    const auto [entry, isNew] =
        known.try_emplace(std::tuple(caller, file, line, column), static_cast<uint32_t>(frames.size()));
    if (isNew) {
      Frame frame{file, line, column, caller};
      frame.depth = caller == SourceMap::kNoFrame ? 0 : frames[caller].depth + 1;
      if (const uint32_t inBuffer = line ? names.lineIn(file, line) : 0; inBuffer && inBuffer <= lines)
        frame.inBuffer = {inBuffer, column};
      frames.push_back(frame);
    }
    return entry->second;
  }

  /// Adds the stack in the comment of a `.loc` line, and returns its innermost frame; kNoFrame if it is no stack.
  uint32_t addComment(llvm::StringRef comment) {
    llvm::SmallVector<llvm::StringRef, 8> texts;
    comment.split(texts, "@[");
    uint32_t frame = SourceMap::kNoFrame;
    for (llvm::StringRef text : llvm::reverse(texts)) {
      const std::optional<NamedPlace> place = parsePlace(text.rtrim(" ]").trim());
      if (!place || place->file.empty())
        return SourceMap::kNoFrame;
      frame = add(names.fileOf(place->file), place->line, place->column, frame);
    }
    return frame;
  }
};

/// The program's `.file` directives, by number, as indices into `names`. clang's comments name a file without the
/// directory of its directive: such a name becomes an alias.
llvm::DenseMap<uint32_t, uint32_t> filesOf(const mca::Program &program, BufferNames &names) {
  llvm::DenseMap<uint32_t, uint32_t> files;
  for (const mca::LineFile &file : program.lineFiles()) {
    llvm::SmallString<256> name(file.directory);
    llvm::sys::path::append(name, file.name);
    files[file.number] =
        names.fileOf(llvm::sys::path::is_absolute(file.name) ? llvm::StringRef(file.name) : name.str());
    names.alias(file.name, files[file.number]);
  }
  return files;
}

/// The place of the outermost frame in the buffer.
SourcePlace outermostInBuffer(const std::vector<Frame> &frames, uint32_t frame) {
  SourcePlace place;
  for (; frame != SourceMap::kNoFrame; frame = frames[frame].caller)
    if (frames[frame].inBuffer.line)
      place = frames[frame].inBuffer;
  return place;
}

} // namespace

SourceMap SourceMap::ofAssembly(const mca::Program &program, const TextLines &lines,
                                std::optional<Preprocessed> preprocessed) {
  SourceMap map(lines);
  map.preprocessed_ = std::move(preprocessed);
  if (map.preprocessed_)
    map.files_ = map.preprocessed_->files();
  map.places_.reserve(program.instructions().size());
  uint32_t line = 0;
  const auto placeAt = [&](uint32_t offset) {
    if (map.preprocessed_)
      return map.preprocessed_->placeOf(offset);
    line = lines.lineOf(offset, line);
    return SourcePlace{line + 1, offset - lines.range(line).begin + 1};
  };
  for (const mca::Instruction &instruction : program.instructions())
    map.places_.push_back(placeAt(instruction.offset));
  line = 0;
  for (const mca::UnreadLine &unread : program.unreadLines())
    map.unreadPlaces_.push_back(placeAt(unread.offset));
  return map;
}

SourceMap SourceMap::ofSource(const mca::Program &program, const TextLines &lines, const std::string &path,
                              const std::string &directory, const InlineScopes &scopes) {
  SourceMap map(lines);
  BufferNames names(lines, path, directory);
  FrameTree tree{names, map.frames_, lines.count()};
  const llvm::DenseMap<uint32_t, uint32_t> files = filesOf(program, names);
  const auto add = [&](uint32_t number, uint32_t line, uint32_t column, uint32_t caller) {
    const auto file = files.find(number);
    return file == files.end() ? caller : tree.add(file->second, line, column, caller);
  };
  // A comment has the whole stack, the directive itself only the innermost frame.
  std::vector<uint32_t> commented; // by `.loc`
  commented.reserve(program.lines().size());
  for (const mca::LineEntry &entry : program.lines())
    commented.push_back(tree.addComment(commentOf(program.text(), entry.offset)));
  std::vector<uint32_t> calls; // by scope
  for (const InlineScopes::Scope &scope : scopes.scopes())
    calls.push_back(add(scope.call.file, scope.call.line, scope.call.column,
                        scope.parent == InlineScopes::kNone ? kNoFrame : calls[scope.parent]));
  // `instruction`: in whose scope the `.loc` is.
  const auto frameOf = [&](uint32_t line, uint32_t instruction) {
    if (line == mca::kNone || commented[line] != kNoFrame)
      return line == mca::kNone ? kNoFrame : commented[line];
    const mca::LineEntry &entry = program.lines()[line];
    const uint32_t scope = scopes.scopeOf(instruction);
    return add(entry.file, entry.line, entry.column, scope == InlineScopes::kNone ? kNoFrame : calls[scope]);
  };
  for (uint32_t i = 0; i < program.instructions().size(); ++i) {
    map.frameOf_.push_back(frameOf(program.instructions()[i].line, i));
    map.places_.push_back(outermostInBuffer(map.frames_, map.frameOf_.back()));
  }
  for (const mca::UnreadLine &unread : program.unreadLines())
    map.unreadPlaces_.push_back(outermostInBuffer(map.frames_, frameOf(unread.line, unread.instruction)));
  map.files_ = names.paths();
  return map;
}

std::optional<SourcePlace> SourceMap::placeOf(uint32_t instruction) const {
  const SourcePlace place = places_[instruction];
  return place.line ? std::optional(place) : std::nullopt;
}

const Frame &SourceMap::outermost(uint32_t instruction) const {
  uint32_t frame = frameOf_[instruction];
  while (frames_[frame].caller != kNoFrame)
    frame = frames_[frame].caller;
  return frames_[frame];
}

bool SourceMap::isOfOtherFile(uint32_t functionStart) const {
  const uint32_t frame = frameOf(functionStart);
  return frame != kNoFrame && outermost(functionStart).line && !outermost(functionStart).inBuffer.line;
}

uint32_t SourceMap::offsetOf(SourcePlace place) const {
  const wire::ByteRange line = lines_->range(place.line - 1);
  return place.column ? line.begin + std::min(place.column - 1, line.end - line.begin) : line.begin;
}

} // namespace analysis
