#include "analysis/regions/loop_place.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr uint32_t kNone = SourceMap::kNoFrame;
/// Inlined calls around one loop that are looked into. Real stacks are of some thirty.
constexpr size_t kMaxLevels = 200;

/// The frame of this stack that has `depth` callers.
uint32_t ancestorAt(const SourceMap &map, uint32_t frame, uint32_t depth) {
  while (map.frame(frame).depth > depth)
    frame = map.frame(frame).caller;
  return frame;
}

/// Whether no `.loc` came since before the block: its last instruction then has the place of whatever stands above it
/// in the text, which may be another loop.
bool isStale(const Loop &loop, const LoopBlock &block, const SourceMap &map) {
  const uint32_t first = loop.instructions[block.begin], last = loop.instructions[block.end - 1];
  const uint32_t before = first == 0 ? kNone : map.frameOf(first - 1);
  return map.frameOf(first) == before && map.frameOf(last) == before;
}

/// The instruction that goes back to the header: the last one of the last latch; where its place is not its own, that
/// of the last block which has one.
uint32_t latchOf(const Loop &loop, const SourceMap &map) {
  uint32_t latch = loop.instructions.back(), placed = latch;
  bool isPlaced = false;
  for (const LoopBlock &block : loop.blocks) {
    const bool stale = isStale(loop, block, map);
    if (!stale)
      placed = loop.instructions[block.end - 1];
    if (block.isLatch) {
      latch = loop.instructions[block.end - 1];
      isPlaced = !stale;
    }
  }
  return isPlaced ? latch : placed;
}

/// One of the functions around a loop: how deep it was inlined, and the loop's frames in it.
struct Level {
  uint32_t depth = 0;
  uint32_t caller = kNone;
  std::vector<uint32_t> frames; ///< of the instructions that have one
  uint32_t latch = kNone;
  bool holdsAll = true; ///< whether no instruction of the loop is outside of it
};

bool hasPlace(const SourceMap &map, uint32_t frame) {
  return frame != kNone && map.frame(frame).line != 0;
}

/// The frames, innermost ones of instructions, as they are at a depth.
Level levelOf(const std::vector<uint32_t> &inside, uint32_t latch, uint32_t depth, uint32_t caller,
              const SourceMap &map) {
  Level level{.depth = depth, .caller = caller};
  for (const uint32_t frame : inside)
    level.frames.push_back(ancestorAt(map, frame, depth));
  if (latch != kNone && map.frame(latch).depth >= depth)
    level.latch = ancestorAt(map, latch, depth);
  return level;
}

/// From the function itself inwards, as long as one inlined call holds the loop. A few instructions from outside of it
/// (moved there by the compiler) do not count when the branch back is inside.
std::vector<Level> levelsOf(const Loop &loop, const SourceMap &map) {
  std::vector<uint32_t> inside;
  for (const uint32_t instruction : loop.instructions)
    if (const uint32_t frame = map.frameOf(instruction); hasPlace(map, frame))
      inside.push_back(frame);
  uint32_t latch = map.frameOf(latchOf(loop, map));
  if (!hasPlace(map, latch))
    latch = kNone;
  std::vector<Level> levels{levelOf(inside, latch, 0, kNone, map)};
  while (!inside.empty() && levels.size() < kMaxLevels) {
    const uint32_t depth = levels.back().depth;
    llvm::DenseMap<uint32_t, size_t> calls;
    std::pair<uint32_t, size_t> largest{kNone, 0};
    for (const uint32_t frame : inside)
      if (map.frame(frame).depth > depth) {
        const uint32_t call = ancestorAt(map, frame, depth);
        if (const size_t count = ++calls[call]; count > largest.second)
          largest = {call, count};
      }
    const auto isInside = [&](uint32_t frame) {
      return map.frame(frame).depth > depth && ancestorAt(map, frame, depth) == largest.first;
    };
    const bool all = largest.second == inside.size();
    const bool most = largest.second * 4 >= inside.size() * 3 && latch != kNone && isInside(latch);
    if (!all && !most)
      break;
    std::erase_if(inside, [&](uint32_t frame) { return !isInside(frame); });
    levels.push_back(levelOf(inside, latch, depth + 1, largest.first, map));
    levels.back().holdsAll = all && levels[levels.size() - 2].holdsAll;
  }
  return levels;
}

bool holds(const LoopStatement &statement, uint32_t offset) {
  return statement.extent.begin <= offset && offset < statement.extent.end;
}

/// The innermost statement that holds at least half of the places: first among those around the branch back, then among
/// all.
const LoopStatement *statementAround(const std::vector<uint32_t> &offsets, std::optional<uint32_t> latch,
                                     const LoopStatements &statements) {
  const auto firstAround = [&](uint32_t offset) {
    const LoopStatement *one = statements.around(offset);
    for (; one; one = statements.around(*one)) {
      const auto count = std::count_if(offsets.begin(), offsets.end(), [&](uint32_t at) { return holds(*one, at); });
      if (static_cast<size_t>(count) * 2 >= offsets.size())
        break;
    }
    return one;
  };
  const LoopStatement *best = latch ? firstAround(*latch) : nullptr;
  if (best)
    return best;
  for (const uint32_t offset : offsets)
    if (const LoopStatement *one = firstAround(offset); one && (!best || one->extent.begin > best->extent.begin))
      best = one;
  return best;
}

wire::ByteRange linesBetween(const TextLines &lines, uint32_t first, uint32_t last) {
  return {lines.content(first).begin, lines.content(last).end};
}

/// The head of a loop stands a little above its first instruction at most.
constexpr uint32_t kHeadLines = 3;

void setCodeLines(LoopPlace &place, const Level &level, const SourceMap &map) {
  if (level.frames.empty())
    return;
  const Frame &first = map.frame(level.frames.front());
  place.file = first.file;
  place.firstLine = place.lastLine = first.line;
  for (const uint32_t frame : level.frames)
    if (map.frame(frame).file == place.file) {
      place.firstLine = std::min(place.firstLine, map.frame(frame).line);
      place.lastLine = std::max(place.lastLine, map.frame(frame).line);
    }
  place.firstLine = std::max(place.firstLine, kHeadLines + 1) - kHeadLines;
}

/// The file that holds the loop's head: the branch back's, else that of most frames.
uint32_t fileOf(const Level &level, const SourceMap &map) {
  if (level.latch != kNone)
    return map.frame(level.latch).file;
  llvm::DenseMap<uint32_t, size_t> counts;
  std::pair<uint32_t, size_t> largest{kNone, 0};
  for (const uint32_t frame : level.frames)
    if (const size_t count = ++counts[map.frame(frame).file]; count > largest.second)
      largest = {map.frame(frame).file, count};
  return largest.first;
}

bool isInBuffer(const Level &level, const SourceMap &map) {
  if (level.latch != kNone)
    return map.frame(level.latch).inBuffer.line != 0;
  const auto count = std::count_if(level.frames.begin(), level.frames.end(),
                                   [&](uint32_t frame) { return map.frame(frame).inBuffer.line != 0; });
  return count > 0 && static_cast<size_t>(count) * 2 >= level.frames.size();
}

/// The statement that holds the loop's instructions, in the buffer or in another file.
const LoopStatement *statementOf(const Level &level, const SourceMap &map, const LoopStatements &statements,
                                 SourceFiles &files) {
  const bool inBuffer = isInBuffer(level, map);
  const uint32_t file = level.frames.empty() ? kNone : fileOf(level, map);
  if (file == kNone)
    return nullptr;
  const SourceFiles::File *other = inBuffer ? nullptr : &files.file(file);
  if (other && !other->statements)
    return nullptr;
  const auto offsetOf = [&](uint32_t index) -> std::optional<uint32_t> {
    const Frame &frame = map.frame(index);
    if (inBuffer)
      return frame.inBuffer.line ? std::optional(map.offsetOf(frame.inBuffer)) : std::nullopt;
    if (frame.file != file || !frame.line || frame.line > other->lines->count())
      return std::nullopt;
    const wire::ByteRange line = other->lines->range(frame.line - 1);
    return frame.column ? line.begin + std::min(frame.column - 1, line.end - line.begin) : line.begin;
  };
  std::vector<uint32_t> offsets;
  for (const uint32_t frame : level.frames)
    if (const std::optional<uint32_t> offset = offsetOf(frame))
      offsets.push_back(*offset);
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  return statementAround(offsets, level.latch == kNone ? std::nullopt : offsetOf(level.latch),
                         inBuffer ? statements : *other->statements);
}

LoopPlace placeInBuffer(const Level &level, const SourceMap &map, const LoopStatement *statement) {
  const TextLines &lines = map.lines();
  LoopPlace place{.caller = level.caller};
  setCodeLines(place, level, map);
  if (!statement) {
    // A loop of `goto`, or a macro's.
    uint32_t first = ~0u, last = 0;
    for (const uint32_t frame : level.frames)
      if (const uint32_t line = map.frame(frame).inBuffer.line) {
        first = std::min(first, line);
        last = std::max(last, line);
      }
    place.at = linesBetween(lines, first - 1, last - 1);
    place.anchor = place.at.begin;
    return place;
  }
  const uint32_t begin = lines.lineOf(statement->extent.begin), head = lines.lineOf(statement->keyword);
  place.at = linesBetween(lines, begin, lines.lineOf(statement->extent.end - 1));
  place.anchor = statement->keyword;
  // `#line` may have the compiler count otherwise.
  for (const uint32_t frame : level.frames)
    if (const Frame &one = map.frame(frame); one.inBuffer.line) {
      place.file = one.file;
      place.firstLine = begin + 1 + one.line - one.inBuffer.line;
      place.lastLine = head + 1 + one.line - one.inBuffer.line;
      place.isStatement = true;
    }
  return place;
}

/// Where a call stands for the reader: one in the head of a loop belongs to that loop.
uint32_t anchorOfCall(uint32_t offset, const LoopStatements &statements) {
  const LoopStatement *around = statements.around(offset);
  return around && offset < around->headEnd ? around->keyword : offset;
}

LoopPlace placeAtLine(const Level &level, const SourceMap &map, uint32_t anchor, uint32_t call) {
  const uint32_t line = map.lines().lineOf(anchor);
  LoopPlace place{.anchor = anchor, .at = linesBetween(map.lines(), line, line), .caller = call, .atCall = true};
  setCodeLines(place, level, map);
  return place;
}

/// The `#include` that brought the loop's text into a function of the buffer.
std::optional<LoopPlace> placeAtInclude(const Level &level, const SourceMap &map, const LoopStatements &statements,
                                        uint32_t functionStart, uint32_t loopStart) {
  const auto isOfBuffer = [&](uint32_t instruction) {
    const uint32_t frame = map.frameOf(instruction);
    return frame != kNone && map.frame(ancestorAt(map, frame, 0)).inBuffer.line != 0;
  };
  uint32_t at = functionStart;
  while (at < loopStart && !isOfBuffer(at))
    ++at;
  if (at == loopStart || level.frames.empty())
    return std::nullopt;
  const llvm::StringRef file = map.fileName(fileOf(level, map));
  for (const IncludeLine &include : statements.includes())
    if (!include.name.empty() && file.ends_with(include.name))
      return placeAtLine(level, map, include.offset, kNone);
  return std::nullopt;
}

} // namespace

const SourceFiles::File &SourceFiles::file(uint32_t index) {
  const auto [entry, isNew] = files_.try_emplace(index);
  File &file = entry->second;
  if (!isNew)
    return file;
  constexpr uint64_t kMaxBytes = 8u << 20;
  const std::string &name = map_.fileName(index);
  llvm::sys::fs::file_status status;
  // The name comes from a text that may be hostile: no device, no pipe.
  if (llvm::sys::fs::status(name, status) || !llvm::sys::fs::is_regular_file(status) || status.getSize() > kMaxBytes)
    return file;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> text = llvm::MemoryBuffer::getFile(
      name, /*IsText=*/false, /*RequiresNullTerminator=*/true, /*IsVolatile=*/true); // it may shrink while it is read
  if (!text)
    return file;
  file.text = std::move(*text);
  const llvm::StringRef content = file.text->getBuffer();
  const std::string_view view(content.data(), content.size());
  file.lines.emplace(view);
  file.statements.emplace(view, language_);
  return file;
}

namespace {

/// The innermost of the functions around a loop in whose text a statement holds it.
std::pair<const Level *, const LoopStatement *> innermostHolder(const std::vector<Level> &levels, const SourceMap &map,
                                                                const LoopStatements &statements, SourceFiles &files) {
  for (const Level &one : llvm::reverse(levels))
    if (const LoopStatement *statement = statementOf(one, map, statements, files))
      return {&one, statement};
  // Without a statement it is a loop of the compiler's own making, over the elements of an array for instance.
  return {&*llvm::find_if(llvm::reverse(levels), [](const Level &one) { return one.holdsAll; }), nullptr};
}

} // namespace

std::vector<uint32_t> filesAround(const Loop &loop, const SourceMap &map, const LoopStatements &statements,
                                  SourceFiles &files) {
  const std::vector<Level> levels = levelsOf(loop, map);
  const Level &level = *innermostHolder(levels, map, statements, files).first;
  std::vector<uint32_t> found;
  if (const uint32_t file = level.frames.empty() ? kNone : fileOf(level, map); file != kNone)
    found.push_back(file);
  for (uint32_t frame = level.caller; frame != kNone; frame = map.frame(frame).caller)
    if (const uint32_t file = map.frame(frame).file; !llvm::is_contained(found, file))
      found.push_back(file);
  return found;
}

std::optional<LoopPlace> placeLoop(const Loop &loop, const SourceMap &map, const LoopStatements &statements,
                                   SourceFiles &files, uint32_t functionStart) {
  const std::vector<Level> levels = levelsOf(loop, map);
  const auto [level, statement] = innermostHolder(levels, map, statements, files);
  if (isInBuffer(*level, map))
    return placeInBuffer(*level, map, statement);
  for (uint32_t frame = level->caller; frame != kNone; frame = map.frame(frame).caller)
    if (map.frame(frame).inBuffer.line) {
      LoopPlace place =
          placeAtLine(*level, map, anchorOfCall(map.offsetOf(map.frame(frame).inBuffer), statements), frame);
      if (statement) {
        const TextLines &lines = *files.file(place.file = fileOf(*level, map)).lines;
        place.firstLine = lines.lineOf(statement->extent.begin) + 1;
        place.lastLine = lines.lineOf(statement->keyword) + 1;
        place.isStatement = true;
      }
      return place;
    }
  return level->depth == 0 ? placeAtInclude(*level, map, statements, functionStart, loop.instructions.front())
                           : std::nullopt;
}

uint32_t lineInLoop(const SourceMap &map, const LoopPlace &place, uint32_t instruction) {
  uint32_t line = 0;
  for (uint32_t frame = map.frameOf(instruction); frame != kNone && frame != place.caller;
       frame = map.frame(frame).caller)
    if (map.frame(frame).inBuffer.line)
      line = map.frame(frame).inBuffer.line;
  if (!line && place.atCall)
    line = map.lines().lineOf(place.anchor) + 1;
  return line;
}

} // namespace analysis
