// The functions around a loop are its levels: the function whose code it is, then those that were inlined there, each
// one call deeper. Compilers move instructions, drop lines and give some the line of their neighbour, so that no single
// instruction decides: the branch back counts most, else the majority.
#include "analysis/regions/loop_place.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace analysis {
namespace {

constexpr uint32_t kNone = SourceMap::kNoFrame;
/// Inlined calls around one loop that are searched, for its text costs a search of each. Real stacks are of some
/// thirty.
constexpr size_t kMaxLevels = 200;

/// The frame of this stack that has `depth` callers.
uint32_t ancestorAt(const SourceMap &map, uint32_t frame, uint32_t depth) {
  while (map.frame(frame).depth > depth)
    frame = map.frame(frame).caller;
  return frame;
}

/// The instruction that goes back to the header: the last one of the last latch; if its place is not its own, the last
/// one of the last block that has its own place. A block's place is stale if no `.loc` came since before it: its
/// instructions then have the place of the code above it in the text, which may be another loop.
uint32_t latchOf(const mca::Loop &loop, const SourceMap &map) {
  uint32_t latch = loop.instructions.back(), placed = latch;
  bool isPlaced = false;
  for (const mca::LoopBlock &block : loop.blocks) {
    const uint32_t first = loop.instructions[block.begin], last = loop.instructions[block.end - 1];
    const uint32_t before = first == 0 ? kNone : map.frameOf(first - 1);
    const bool isStale = map.frameOf(first) == before && map.frameOf(last) == before;
    if (!isStale)
      placed = last;
    if (block.isLatch) {
      latch = last;
      isPlaced = !isStale;
    }
  }
  return isPlaced ? latch : placed;
}

/// One of the functions around a loop: through how many calls it was inlined, and the loop's frames in it.
struct Level {
  uint32_t depth = 0;
  uint32_t caller = kNone;
  std::vector<uint32_t> frames; ///< of the instructions that have one
  uint32_t latch = kNone;       ///< the frame of the branch back; kNone if that is not inside, or has no place
  bool holdsAll = true;         ///< whether no instruction of the loop is outside of it
};

bool hasPlace(const SourceMap &map, uint32_t frame) {
  return frame != kNone && map.frame(frame).line != 0;
}

/// The ancestors of innermost frames at a depth.
Level levelOf(const std::vector<uint32_t> &inside, uint32_t latch, uint32_t depth, uint32_t caller,
              const SourceMap &map) {
  Level level{.depth = depth, .caller = caller};
  for (const uint32_t frame : inside)
    level.frames.push_back(ancestorAt(map, frame, depth));
  if (latch != kNone && map.frame(latch).depth >= depth)
    level.latch = ancestorAt(map, latch, depth);
  return level;
}

/// Frames whose line is that of code which was inlined into them: gcc gives the copy of a register after an inlined
/// call the last line of the called function, in the frame of the caller. It lies in another file than the rest of that
/// frame's function.
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

/// The value that comes most often and how often; of several the one that did so first. {kNone, 0} for no values.
std::pair<uint32_t, size_t> mostFrequent(const std::vector<uint32_t> &values) {
  llvm::DenseMap<uint32_t, size_t> counts;
  std::pair<uint32_t, size_t> largest{kNone, 0};
  for (const uint32_t value : values)
    if (const size_t count = ++counts[value]; count > largest.second)
      largest = {value, count};
  return largest;
}

/// From the function itself inwards, as long as one inlined call holds the loop. A few instructions from outside of it
/// (moved there by the compiler) do not count if the branch back is inside.
std::vector<Level> levelsOf(const mca::Loop &loop, const SourceMap &map) {
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
    std::vector<uint32_t> calls;
    for (const uint32_t frame : inside)
      if (map.frame(frame).depth > depth)
        calls.push_back(ancestorAt(map, frame, depth));
    const auto [call, count] = mostFrequent(calls);
    const auto isInside = [&](uint32_t frame) {
      return map.frame(frame).depth > depth && ancestorAt(map, frame, depth) == call;
    };
    const bool all = count == inside.size();
    const bool most = count * 4 >= inside.size() * 3 && latch != kNone && isInside(latch);
    if (!all && !most)
      break;
    std::erase_if(inside, [&](uint32_t frame) { return !isInside(frame); });
    const bool holdsAll = all && levels.back().holdsAll;
    levels.push_back(levelOf(inside, latch, depth + 1, call, map));
    levels.back().holdsAll = holdsAll;
  }
  return levels;
}

/// Whether the half-open extent of a statement or a function holds an offset.
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

/// The file that holds the loop's head: the branch back's, else that of most frames; kNone without frames.
uint32_t fileOf(const Level &level, const SourceMap &map) {
  if (level.latch != kNone)
    return map.frame(level.latch).file;
  std::vector<uint32_t> files;
  for (const uint32_t frame : level.frames)
    files.push_back(map.frame(frame).file);
  return mostFrequent(files).first;
}

/// Whether the level's function stands in the buffer: the branch back does, or if it has no place, half of the frames.
bool isInBuffer(const Level &level, const SourceMap &map) {
  const auto isThere = [&](uint32_t frame) { return map.frame(frame).inBuffer.line != 0; };
  if (level.latch != kNone)
    return isThere(level.latch);
  const auto count = llvm::count_if(level.frames, isThere);
  return count > 0 && static_cast<size_t>(count) * 2 >= level.frames.size();
}

/// Where a level's frames stand in the text of one file.
struct LevelText {
  bool inBuffer = false;
  uint32_t file = kNone;                      ///< that holds the loop's head; kNone without frames
  const TextLines *lines = nullptr;           ///< null if the file cannot be read
  const LoopStatements *statements = nullptr; ///< likewise
  std::vector<uint32_t> offsets = {};         ///< of the frames, ascending, each once
  std::optional<uint32_t> latch = std::nullopt;
  const FunctionExtent *function = nullptr; ///< the one that they stand in; null if a macro made it
};

/// The offset of a frame in the level's file; none if it stands in another one.
std::optional<uint32_t> offsetIn(const LevelText &text, uint32_t index, const SourceMap &map) {
  const Frame &frame = map.frame(index);
  if (text.inBuffer)
    return frame.inBuffer.line ? std::optional(map.offsetOf(frame.inBuffer)) : std::nullopt;
  if (!text.lines || frame.file != text.file || !frame.line || frame.line > text.lines->count())
    return std::nullopt;
  return offsetInLine(*text.lines, frame.line, frame.column);
}

/// The directives in a function of the buffer that may include a file, of which the compiler gives the whole path.
std::vector<uint32_t> includesOf(uint32_t file, const FunctionExtent &function, const Sources &in) {
  std::vector<uint32_t> includes;
  for (const IncludeLine &include : in.statements.includes())
    if (!include.name.empty() && llvm::StringRef(in.map.fileName(file)).ends_with(include.name) &&
        holds(function, include.offset))
      includes.push_back(include.offset);
  return includes;
}

/// The function of the buffer's text that holds a place; null if there is none.
const FunctionExtent *functionAt(SourcePlace place, const Sources &in) {
  return place.line ? in.statements.functions().around(in.map.offsetOf(place)) : nullptr;
}

/// Whether a function of the buffer that the level stands in includes the file: its code may begin with the file's.
bool isIncluded(uint32_t file, const Level &level, const Sources &in) {
  return llvm::any_of(level.frames, [&](uint32_t frame) {
    const FunctionExtent *function = functionAt(in.map.frame(frame).inBuffer, in);
    return function && !includesOf(file, *function, in).empty();
  });
}

/// Whether a place is before the function's name ends. Compilers give it to code of no statement: to the values that a
/// loop keeps of its last iteration, for instance.
bool isInHead(const LevelText &text, uint32_t offset) {
  return text.function && holds(*text.function, offset) && offset < text.function->name.end;
}

/// Looks the level up in the one file that its function stands in. Frames of other files have no offsets there.
/// `otherFile`: that of the function itself, if it does not stand in the buffer; otherwise kNone.
LevelText textOf(const Level &level, uint32_t otherFile, const Sources &in) {
  const bool isOther = level.depth == 0 && otherFile != kNone && !isIncluded(otherFile, level, in);
  LevelText text{.inBuffer = !isOther && isInBuffer(level, in.map),
                 .file = isOther ? otherFile : fileOf(level, in.map)};
  if (text.inBuffer) {
    text.lines = &in.map.lines();
    text.statements = &in.statements;
  } else if (const SourceFiles::File *file = text.file == kNone ? nullptr : &in.files.file(text.file);
             file && file->statements) {
    text.lines = &*file->lines;
    text.statements = &*file->statements;
  }
  if (!text.statements)
    return text;
  for (const uint32_t frame : level.frames)
    if (const std::optional<uint32_t> offset = offsetIn(text, frame, in.map))
      text.offsets.push_back(*offset);
  llvm::sort(text.offsets);
  text.offsets.erase(llvm::unique(text.offsets), text.offsets.end());
  text.latch = level.latch == kNone ? std::nullopt : offsetIn(text, level.latch, in.map);
  text.function = innermostAround(text.offsets, text.latch, text.statements->functions());
  return text;
}

/// Whether it is the function's own: a lambda's code does not stand in the loop around the lambda.
bool isOfFunction(const LoopStatement &statement, const LevelText &text) {
  return !text.function || statement.keyword >= text.function->extent.begin;
}

/// The statement that holds the loop's instructions; null if there is none.
const LoopStatement *statementOf(const LevelText &text) {
  if (!text.statements)
    return nullptr;
  std::vector<uint32_t> offsets = text.offsets;
  std::erase_if(offsets, [&](uint32_t offset) { return isInHead(text, offset); });
  const LoopStatement *statement = innermostAround(offsets, text.latch, *text.statements);
  return statement && isOfFunction(*statement, text) ? statement : nullptr;
}

/// The call of the function by itself that became the loop's way back, if its code is among the loop's: the one on the
/// line of the branch back, else the last. No statement may be around the branch back.
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

/// The function around a loop whose text holds it, and the statement there; null for a recursion or a loop of the
/// compiler's own making, over the elements of an array for instance.
struct Found {
  Level level;
  LevelText text;
  const LoopStatement *statement = nullptr;
};

/// Sets where the compiler's remarks name the loop: the lines of its statement's head or, as an estimate, those of its
/// code in the file of the first frame.
void setCodeLines(LoopPlace &place, const Found &found, const SourceMap &map) {
  constexpr uint32_t kHeadLines = 3; // a head stands a little above its loop's first instruction at most
  const auto &[level, text, statement] = found;
  if (level.frames.empty())
    return;
  place.isStatement = statement != nullptr;
  place.statement = statement;
  place.statementCaller = level.caller;
  place.file = statement && !text.inBuffer ? text.file : map.frame(level.frames.front()).file;
  if (statement) {
    uint32_t shift = 0; // after `#line` the compiler counts otherwise than the text
    for (const uint32_t frame : level.frames)
      if (const Frame &one = map.frame(frame); text.inBuffer && one.inBuffer.line) {
        place.file = one.file;
        shift = one.line - one.inBuffer.line;
      }
    place.firstLine = text.lines->lineOf(statement->extent.begin) + 1 + shift;
    const uint32_t line = text.lines->lineOf(statement->keyword);
    place.lastLine = line + 1 + shift;
    place.column = statement->keyword - text.lines->range(line).begin + 1;
    return;
  }
  std::vector<uint32_t> lines;
  for (const uint32_t frame : level.frames)
    if (map.frame(frame).file == place.file)
      lines.push_back(map.frame(frame).line);
  const auto [first, last] = std::ranges::minmax(lines);
  place.firstLine = std::max(first, kHeadLines + 1) - kHeadLines;
  place.lastLine = last;
}

/// The place at the statement, or at the lines of the loop's code if there is no statement.
LoopPlace placeInBuffer(const Found &found, const SourceMap &map) {
  const auto &[level, text, statement] = found;
  const TextLines &lines = map.lines();
  LoopPlace place{.caller = level.caller, .includes = {}};
  setCodeLines(place, found, map);
  if (statement) {
    place.at = linesBetween(lines, lines.lineOf(statement->extent.begin), lines.lineOf(statement->extent.end - 1));
    place.anchor = statement->keyword;
    return place;
  }
  // A tail recursion, or a macro's loop, or the compiler's own. The function holds half of the offsets at least.
  const auto isOwn = [&](uint32_t offset) { return !text.function || holds(*text.function, offset); };
  const uint32_t first = *llvm::find_if(text.offsets, isOwn), last = *llvm::find_if(llvm::reverse(text.offsets), isOwn);
  place.at = linesBetween(lines, lines.lineOf(first), lines.lineOf(last));
  place.anchor = tailCallOf(text).value_or(place.at.begin);
  return place;
}

/// Where a reader expects a loop that a call brought: at the statement if the call stands in a loop's head.
uint32_t anchorOfCall(SourcePlace call, const Sources &in) {
  const uint32_t offset = in.map.offsetOf(call);
  const LoopStatement *around = in.statements.around(offset);
  return around && offset < around->headEnd ? around->keyword : offset;
}

/// The place of another file's loop at a line of the buffer.
LoopPlace placeAtLine(const Found &found, const SourceMap &map, uint32_t anchor) {
  const uint32_t line = map.lines().lineOf(anchor);
  LoopPlace place{.anchor = anchor, .at = linesBetween(map.lines(), line, line), .atCall = true, .includes = {}};
  setCodeLines(place, found, map);
  return place;
}

/// The `#include` that brought the loop's text into a function of the buffer: an instruction of the function stands in
/// the buffer, before the loop or after it.
std::optional<LoopPlace> placeAtInclude(const Found &found, const Sources &in, uint32_t functionStart,
                                        uint32_t functionEnd) {
  const Level &level = found.level;
  if (found.text.file == kNone || in.statements.includes().empty())
    return std::nullopt;
  const FunctionExtent *before = nullptr;
  for (uint32_t at = functionStart; at < functionEnd; ++at) {
    const uint32_t frame = in.map.frameOf(at);
    if (frame == kNone || in.map.frame(frame).depth < level.depth)
      continue;
    const Frame &own = in.map.frame(ancestorAt(in.map, frame, level.depth));
    const FunctionExtent *function = own.caller == level.caller ? functionAt(own.inBuffer, in) : nullptr;
    if (!function || function == std::exchange(before, function))
      continue;
    std::vector<uint32_t> includes = includesOf(found.text.file, *function, in);
    if (includes.empty())
      continue;
    LoopPlace place = placeAtLine(found, in.map, includes.front());
    place.includes = std::move(includes);
    return place;
  }
  return std::nullopt;
}

/// Searches the functions around a loop from the innermost one outwards. If none has it in its text, it is the
/// compiler's own, and stands at the innermost function that holds all of it.
Found find(const mca::Loop &loop, uint32_t functionStart, const Sources &in) {
  std::vector<Level> levels = levelsOf(loop, in.map);
  const uint32_t otherFile = in.map.isOfOtherFile(functionStart) ? in.map.outermost(functionStart).file : kNone;
  uint32_t innerCall = kNone; // of the level inside
  for (Level &level : llvm::reverse(levels)) {
    LevelText text = textOf(level, otherFile, in);
    const std::optional<uint32_t> call = level.holdsAll ? tailCallOf(text) : std::nullopt;
    // What is called there may be another function of this name that was inlined.
    const std::optional<uint32_t> inner = call && innerCall != kNone ? offsetIn(text, innerCall, in.map) : std::nullopt;
    const bool isRecursion = call && !(inner && text.lines->lineOf(*inner) == text.lines->lineOf(*call));
    const LoopStatement *statement = isRecursion ? nullptr : statementOf(text);
    if (statement || isRecursion)
      return {std::move(level), std::move(text), statement};
    innerCall = level.caller;
  }
  Level &level = *llvm::find_if(llvm::reverse(levels), [](const Level &one) { return one.holdsAll; });
  LevelText text = textOf(level, otherFile, in);
  return {std::move(level), std::move(text)};
}

} // namespace

uint32_t offsetInLine(const TextLines &lines, uint32_t line, uint32_t column) {
  const wire::ByteRange range = lines.range(line - 1);
  return column ? range.begin + std::min(column - 1, range.end - range.begin) : range.begin;
}

FrameText textOf(const Frame &frame, const Sources &in) {
  if (frame.inBuffer.line) {
    const uint32_t offset = in.map.offsetOf(frame.inBuffer);
    return {&in.statements, in.statements.around(offset), &in.map.lines(), offset, frame.line - frame.inBuffer.line};
  }
  const auto &[text, lines, statements] = in.files.file(frame.file);
  if (!statements || !frame.line || frame.line > lines->count())
    return {};
  const uint32_t offset = offsetInLine(*lines, frame.line, frame.column);
  return {&*statements, statements->around(offset), &*lines, offset};
}

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
  const std::string_view content = file.text->getBuffer();
  file.lines.emplace(content);
  file.statements.emplace(content, language_);
  return file;
}

std::vector<uint32_t> filesAround(const mca::Loop &loop, const Sources &in, uint32_t functionStart) {
  const Found found = find(loop, functionStart, in);
  llvm::SmallSetVector<uint32_t, 8> around;
  if (found.text.file != kNone)
    around.insert(found.text.file);
  for (uint32_t frame = found.level.caller; frame != kNone; frame = in.map.frame(frame).caller)
    around.insert(in.map.frame(frame).file);
  return {around.begin(), around.end()};
}

// The order matters: an `#include` in a function brings the loop's text into that function itself, and is closer than
// the call through which the function was inlined.
std::optional<LoopPlace> placeLoop(const mca::Loop &loop, const Sources &in, uint32_t functionStart,
                                   uint32_t functionEnd) {
  const Found found = find(loop, functionStart, in);
  if (found.text.inBuffer)
    return placeInBuffer(found, in.map);
  if (auto place = placeAtInclude(found, in, functionStart, functionEnd))
    return place;
  for (uint32_t frame = found.level.caller; frame != kNone; frame = in.map.frame(frame).caller)
    if (const SourcePlace call = in.map.frame(frame).inBuffer; call.line) {
      LoopPlace place = placeAtLine(found, in.map, anchorOfCall(call, in));
      place.caller = frame;
      return place;
    }
  return std::nullopt;
}

std::vector<LoopPlace> placeAtCalls(const mca::Loop &loop, const std::vector<uint32_t> &calls, const Sources &in,
                                    uint32_t functionStart) {
  std::vector<LoopPlace> places;
  const Found found = find(loop, functionStart, in);
  for (const uint32_t call : calls) {
    LoopPlace place = placeAtLine(found, in.map, anchorOfCall(*in.map.placeOf(call), in));
    place.isCalled = true;
    if (llvm::none_of(places, [&](const LoopPlace &other) { return other.at == place.at; }))
      places.push_back(std::move(place));
  }
  return places;
}

bool isOwnStatement(const mca::SharedHeader &shared, const Sources &in, uint32_t functionStart) {
  const auto [level, text, statement] = find(shared.part, functionStart, in);
  if (!statement || !level.holdsAll)
    return false;
  const SourceMap &map = in.map;
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
