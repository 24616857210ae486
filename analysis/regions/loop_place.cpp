#include "analysis/regions/loop_place.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

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

/// Frames that have the line of what was inlined into them: gcc gives the copy of a register after an inlined call the
/// call's last line, in the frame of the caller. It lies in another file than the rest of that frame's function.
llvm::DenseSet<uint32_t> misplacedFrames(const std::vector<uint32_t> &inside, const SourceMap &map) {
  const llvm::DenseSet<uint32_t> distinct(inside.begin(), inside.end());
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> inlined; // the caller of a frame; a file and line inlined into it
  for (const uint32_t frame : distinct) {
    const auto [file, line] = std::pair(map.frame(frame).file, map.frame(frame).line);
    for (uint32_t around = map.frame(frame).caller; around != kNone; around = map.frame(around).caller)
      if (map.frame(around).file != file)
        inlined.emplace(map.frame(around).caller, file, line);
  }
  llvm::DenseSet<uint32_t> misplaced;
  for (const uint32_t frame : distinct)
    if (const Frame &one = map.frame(frame); inlined.contains({one.caller, one.file, one.line}))
      misplaced.insert(frame);
  return misplaced;
}

/// From the function itself inwards, as long as one inlined call holds the loop. A few instructions from outside of it
/// (moved there by the compiler) do not count when the branch back is inside.
std::vector<Level> levelsOf(const Loop &loop, const SourceMap &map) {
  std::vector<uint32_t> inside;
  for (const uint32_t instruction : loop.instructions)
    if (const uint32_t frame = map.frameOf(instruction); hasPlace(map, frame))
      inside.push_back(frame);
  const llvm::DenseSet<uint32_t> misplaced = misplacedFrames(inside, map);
  std::erase_if(inside, [&](uint32_t frame) { return misplaced.contains(frame); });
  uint32_t latch = map.frameOf(latchOf(loop, map));
  if (!hasPlace(map, latch) || misplaced.contains(latch))
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

template <class Item>
bool holds(const Item &item, uint32_t offset) {
  return item.extent.begin <= offset && offset < item.extent.end;
}

/// The innermost extent that holds at least half of the places: first among those around the branch back, then among
/// all.
template <class Extents>
auto innermostAround(const std::vector<uint32_t> &offsets, std::optional<uint32_t> latch, const Extents &extents) {
  const auto firstAround = [&](uint32_t offset) {
    auto one = extents.around(offset);
    for (; one; one = extents.around(*one)) {
      const auto count = llvm::count_if(offsets, [&](uint32_t at) { return holds(*one, at); });
      if (static_cast<size_t>(count) * 2 >= offsets.size())
        break;
    }
    return one;
  };
  auto best = latch ? firstAround(*latch) : nullptr;
  if (best)
    return best;
  for (const uint32_t offset : offsets)
    if (const auto one = firstAround(offset); one && (!best || one->extent.begin > best->extent.begin))
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

/// Where a level's frames stand in the text of one file.
struct LevelText {
  bool inBuffer = false;
  uint32_t file = kNone;                      ///< that holds the loop's head; kNone without frames
  const TextLines *lines = nullptr;           ///< null when the file cannot be read
  const LoopStatements *statements = nullptr; ///< likewise
  std::vector<uint32_t> offsets;              ///< of the frames, ascending, each once
  std::optional<uint32_t> latch;
  const FunctionExtent *function = nullptr; ///< the one that they stand in; null when a macro made it
};

/// The offset of a frame in the level's file; none when it stands in another one.
std::optional<uint32_t> offsetIn(const LevelText &text, uint32_t index, const SourceMap &map) {
  const Frame &frame = map.frame(index);
  if (text.inBuffer)
    return frame.inBuffer.line ? std::optional(map.offsetOf(frame.inBuffer)) : std::nullopt;
  if (!text.lines || frame.file != text.file || !frame.line || frame.line > text.lines->count())
    return std::nullopt;
  const wire::ByteRange line = text.lines->range(frame.line - 1);
  return frame.column ? line.begin + std::min(frame.column - 1, line.end - line.begin) : line.begin;
}

/// Whether a function of the buffer that the level stands in includes the file, with which its code may begin.
bool isIncluded(uint32_t file, const Level &level, const SourceMap &map, const LoopStatements &statements) {
  return llvm::any_of(level.frames, [&](uint32_t frame) {
    const SourcePlace place = map.frame(frame).inBuffer;
    const FunctionExtent *function = place.line ? statements.functions().around(map.offsetOf(place)) : nullptr;
    return function && llvm::any_of(statements.includes(), [&](const IncludeLine &include) {
             return !include.name.empty() && llvm::StringRef(map.fileName(file)).ends_with(include.name) &&
                    holds(*function, include.offset);
           });
  });
}

/// Whether a place is before the function's name ends. Compilers give it to code of no statement: what a loop keeps of
/// its last iteration, for instance.
bool isInHead(const LevelText &text, uint32_t offset) {
  return text.function && holds(*text.function, offset) && offset < text.function->name.end;
}

/// `otherFile`: of the function itself, where it does not stand in the buffer.
LevelText textOf(const Level &level, uint32_t otherFile, const SourceMap &map, const LoopStatements &statements,
                 SourceFiles &files) {
  const bool isOther = level.depth == 0 && otherFile != kNone && !isIncluded(otherFile, level, map, statements);
  LevelText text{.inBuffer = !isOther && isInBuffer(level, map), .file = isOther ? otherFile : kNone};
  if (!isOther && !level.frames.empty())
    text.file = fileOf(level, map);
  if (text.inBuffer) {
    text.lines = &map.lines();
    text.statements = &statements;
  } else if (const SourceFiles::File *file = text.file == kNone ? nullptr : &files.file(text.file);
             file && file->statements) {
    text.lines = &*file->lines;
    text.statements = &*file->statements;
  }
  if (!text.statements)
    return text;
  for (const uint32_t frame : level.frames)
    if (const std::optional<uint32_t> offset = offsetIn(text, frame, map))
      text.offsets.push_back(*offset);
  std::sort(text.offsets.begin(), text.offsets.end());
  text.offsets.erase(std::unique(text.offsets.begin(), text.offsets.end()), text.offsets.end());
  text.latch = level.latch == kNone ? std::nullopt : offsetIn(text, level.latch, map);
  text.function = innermostAround(text.offsets, text.latch, text.statements->functions());
  return text;
}

/// Whether it is the function's own: a lambda's code does not stand in the loop around the lambda.
bool isOfFunction(const LoopStatement &statement, const LevelText &text) {
  return !text.function || statement.keyword >= text.function->extent.begin;
}

/// The statement that holds the loop's instructions.
const LoopStatement *statementOf(const LevelText &text) {
  if (!text.statements)
    return nullptr;
  std::vector<uint32_t> offsets = text.offsets;
  std::erase_if(offsets, [&](uint32_t offset) { return isInHead(text, offset); });
  const LoopStatement *statement = innermostAround(offsets, text.latch, *text.statements);
  return statement && isOfFunction(*statement, text) ? statement : nullptr;
}

/// The call of the function by itself that became the loop's way back, if its code is among the loop's: the one on the
/// line of the branch back, else the last. Around the branch back is no statement then.
std::optional<uint32_t> tailCallOf(const LevelText &text) {
  if (!text.function || !text.latch)
    return std::nullopt;
  const LoopStatement *around = text.statements->around(*text.latch);
  if (around && isOfFunction(*around, text))
    return std::nullopt;
  const uint32_t latchLine = text.lines->lineOf(*text.latch);
  std::optional<uint32_t> found;
  for (const uint32_t call : text.function->ownCalls) {
    const uint32_t line = text.lines->lineOf(call);
    if (line == latchLine)
      return call;
    if (llvm::any_of(text.offsets, [&](uint32_t offset) { return text.lines->lineOf(offset) == line; }))
      found = call;
  }
  return found;
}

LoopPlace placeInBuffer(const Level &level, const SourceMap &map, const LevelText &text,
                        const LoopStatement *statement) {
  const TextLines &lines = map.lines();
  LoopPlace place{.caller = level.caller};
  setCodeLines(place, level, map);
  if (!statement) {
    // A tail recursion, or a macro's loop, or the compiler's own.
    uint32_t first = ~0u, last = 0;
    for (const uint32_t offset : text.offsets)
      if (!text.function || holds(*text.function, offset)) {
        first = std::min(first, lines.lineOf(offset));
        last = std::max(last, lines.lineOf(offset));
      }
    place.at = linesBetween(lines, first, last);
    place.anchor = tailCallOf(text).value_or(place.at.begin);
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

/// The function around a loop whose text holds it, and the statement there; null for a recursion or a loop of the
/// compiler's own making, over the elements of an array for instance.
struct Found {
  Level level;
  LevelText text;
  const LoopStatement *statement = nullptr;
};

LoopPlace placeAtLine(const Found &found, const SourceMap &map, uint32_t anchor) {
  const uint32_t line = map.lines().lineOf(anchor);
  LoopPlace place{.anchor = anchor, .at = linesBetween(map.lines(), line, line), .atCall = true};
  setCodeLines(place, found.level, map);
  if (found.statement) {
    place.file = found.text.file;
    place.firstLine = found.text.lines->lineOf(found.statement->extent.begin) + 1;
    place.lastLine = found.text.lines->lineOf(found.statement->keyword) + 1;
    place.isStatement = true;
  }
  return place;
}

/// The `#include` that brought the loop's text into a function of the buffer: an instruction of the function stands in
/// the buffer, before the loop or after it.
std::optional<LoopPlace> placeAtInclude(const Found &found, const SourceMap &map, const LoopStatements &statements,
                                        uint32_t functionStart, uint32_t functionEnd) {
  const Level &level = found.level;
  if (found.text.file == kNone || statements.includes().empty())
    return std::nullopt;
  const llvm::StringRef file = map.fileName(found.text.file);
  const FunctionExtent *before = nullptr;
  for (uint32_t at = functionStart; at < functionEnd; ++at) {
    const uint32_t frame = map.frameOf(at);
    if (frame == kNone || map.frame(frame).depth < level.depth)
      continue;
    const Frame &own = map.frame(ancestorAt(map, frame, level.depth));
    if (own.caller != level.caller || !own.inBuffer.line)
      continue;
    const FunctionExtent *function = statements.functions().around(map.offsetOf(own.inBuffer));
    if (!function || function == std::exchange(before, function))
      continue;
    std::vector<uint32_t> includes;
    for (const IncludeLine &include : statements.includes())
      if (!include.name.empty() && file.ends_with(include.name) && holds(*function, include.offset))
        includes.push_back(include.offset);
    if (includes.empty())
      continue;
    LoopPlace place = placeAtLine(found, map, includes.front());
    place.includes = std::move(includes);
    return place;
  }
  return std::nullopt;
}

Found find(const Loop &loop, uint32_t functionStart, const SourceMap &map, const LoopStatements &statements,
           SourceFiles &files) {
  std::vector<Level> levels = levelsOf(loop, map);
  const uint32_t otherFile = map.isOfOtherFile(functionStart) ? map.outermost(functionStart).file : kNone;
  uint32_t innerCall = kNone; // of the level inside
  for (Level &level : llvm::reverse(levels)) {
    LevelText text = textOf(level, otherFile, map, statements, files);
    const std::optional<uint32_t> call = level.holdsAll ? tailCallOf(text) : std::nullopt;
    // What is called there may be another function of this name that was inlined.
    const std::optional<uint32_t> inner = call && innerCall != kNone ? offsetIn(text, innerCall, map) : std::nullopt;
    const bool isInlined = inner && text.lines->lineOf(*inner) == text.lines->lineOf(*call);
    const bool isRecursion = call && !isInlined;
    const LoopStatement *statement = isRecursion ? nullptr : statementOf(text);
    if (statement || isRecursion)
      return {std::move(level), std::move(text), statement};
    innerCall = level.caller;
  }
  Level &level = *llvm::find_if(llvm::reverse(levels), [](const Level &one) { return one.holdsAll; });
  LevelText text = textOf(level, otherFile, map, statements, files);
  return {std::move(level), std::move(text)};
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

std::vector<uint32_t> filesAround(const Loop &loop, const SourceMap &map, const LoopStatements &statements,
                                  SourceFiles &files, uint32_t functionStart) {
  const Found found = find(loop, functionStart, map, statements, files);
  std::vector<uint32_t> around;
  if (found.text.file != kNone)
    around.push_back(found.text.file);
  for (uint32_t frame = found.level.caller; frame != kNone; frame = map.frame(frame).caller)
    if (const uint32_t file = map.frame(frame).file; !llvm::is_contained(around, file))
      around.push_back(file);
  return around;
}

std::optional<LoopPlace> placeLoop(const Loop &loop, const SourceMap &map, const LoopStatements &statements,
                                   SourceFiles &files, uint32_t functionStart, uint32_t functionEnd) {
  const Found found = find(loop, functionStart, map, statements, files);
  if (found.text.inBuffer)
    return placeInBuffer(found.level, map, found.text, found.statement);
  if (auto place = placeAtInclude(found, map, statements, functionStart, functionEnd))
    return place;
  for (uint32_t frame = found.level.caller; frame != kNone; frame = map.frame(frame).caller)
    if (map.frame(frame).inBuffer.line) {
      LoopPlace place = placeAtLine(found, map, anchorOfCall(map.offsetOf(map.frame(frame).inBuffer), statements));
      place.caller = frame;
      return place;
    }
  return std::nullopt;
}

std::vector<LoopPlace> placeAtCalls(const Loop &loop, const std::vector<uint32_t> &calls, const SourceMap &map,
                                    const LoopStatements &statements, SourceFiles &files, uint32_t functionStart) {
  std::vector<LoopPlace> places;
  const Found found = find(loop, functionStart, map, statements, files);
  for (const uint32_t call : calls) {
    LoopPlace place = placeAtLine(found, map, anchorOfCall(map.offsetOf(*map.placeOf(call)), statements));
    place.isCalled = true;
    if (llvm::none_of(places, [&](const LoopPlace &other) { return other.at == place.at; }))
      places.push_back(std::move(place));
  }
  return places;
}

bool isOwnStatement(const SharedHeader &shared, const SourceMap &map, const LoopStatements &statements,
                    SourceFiles &files, uint32_t functionStart) {
  const auto [level, text, statement] = find(shared.part, functionStart, map, statements, files);
  if (!statement || !level.holdsAll)
    return false;
  const auto isInside = [&](uint32_t frame) {
    if (map.frame(frame).depth < level.depth)
      return false;
    const uint32_t own = ancestorAt(map, frame, level.depth);
    const std::optional<uint32_t> offset = offsetIn(text, own, map);
    return map.frame(own).caller == level.caller && offset && (holds(*statement, *offset) || isInHead(text, *offset));
  };
  if (!llvm::all_of(level.frames, isInside))
    return false;
  // What goes back to a label past other loops is a `goto` of its own: no statement holds these loops.
  if (statement->isLabel && shared.holdsLoops)
    return true;
  size_t rest = 0, outside = 0;
  for (const uint32_t instruction : shared.instructions)
    if (const uint32_t frame = map.frameOf(instruction);
        hasPlace(map, frame) && !llvm::is_contained(shared.part.instructions, instruction)) {
      ++rest;
      outside += !isInside(frame);
    }
  return rest && outside * 2 >= rest;
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
