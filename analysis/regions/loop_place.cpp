#include "analysis/regions/loop_place.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr uint32_t kNone = SourceMap::kNoFrame;

/// The frame of this stack that has `depth` callers.
uint32_t ancestorAt(const SourceMap &map, uint32_t frame, uint32_t depth) {
  while (map.frame(frame).depth > depth)
    frame = map.frame(frame).caller;
  return frame;
}

/// The instruction that goes back to the header: the last one of the last latch.
uint32_t latchOf(const Loop &loop) {
  uint32_t latch = loop.instructions.back();
  for (const LoopBlock &block : loop.blocks)
    if (block.isLatch)
      latch = loop.instructions[block.end - 1];
  return latch;
}

/// The function that holds the loop: how deep it was inlined, and the loop's frames in it.
struct Level {
  uint32_t depth = 0;
  uint32_t caller = kNone;
  std::vector<uint32_t> frames; ///< of the instructions that have one
  uint32_t latch = kNone;
};

bool hasPlace(const SourceMap &map, uint32_t frame) {
  return frame != kNone && map.frame(frame).line != 0;
}

/// Goes inwards as long as one inlined call holds the loop. A few instructions from outside of it (moved there by the
/// compiler) do not count when the branch back is inside.
Level findLevel(const Loop &loop, const SourceMap &map) {
  Level level;
  for (const uint32_t instruction : loop.instructions)
    if (const uint32_t frame = map.frameOf(instruction); hasPlace(map, frame))
      level.frames.push_back(frame);
  uint32_t latch = map.frameOf(latchOf(loop));
  if (!hasPlace(map, latch))
    latch = kNone;
  std::vector<uint32_t> inside = level.frames;
  while (!inside.empty()) {
    llvm::DenseMap<uint32_t, size_t> calls;
    std::pair<uint32_t, size_t> largest{kNone, 0};
    for (const uint32_t frame : inside)
      if (map.frame(frame).depth > level.depth) {
        const uint32_t call = ancestorAt(map, frame, level.depth);
        if (const size_t count = ++calls[call]; count > largest.second)
          largest = {call, count};
      }
    const auto isInside = [&](uint32_t frame) {
      return map.frame(frame).depth > level.depth && ancestorAt(map, frame, level.depth) == largest.first;
    };
    const bool all = largest.second == inside.size();
    const bool most = largest.second * 4 >= inside.size() * 3 && latch != kNone && isInside(latch);
    if (!all && !most)
      break;
    std::erase_if(inside, [&](uint32_t frame) { return !isInside(frame); });
    level.caller = largest.first;
    ++level.depth;
  }
  level.frames.clear();
  for (const uint32_t frame : inside)
    level.frames.push_back(ancestorAt(map, frame, level.depth));
  if (latch != kNone && map.frame(latch).depth >= level.depth)
    level.latch = ancestorAt(map, latch, level.depth);
  return level;
}

bool holds(const LoopStatement &statement, uint32_t offset) {
  return statement.extent.begin <= offset && offset < statement.extent.end;
}

/// The innermost statement around the branch back that holds at least half of the places; without such a branch, the
/// innermost one around some place that holds three quarters of them.
const LoopStatement *statementAround(const std::vector<uint32_t> &offsets, std::optional<uint32_t> latch,
                                     const LoopStatements &statements) {
  const auto enough = [&](const LoopStatement &statement, size_t quarters) {
    const auto count = std::count_if(offsets.begin(), offsets.end(), [&](uint32_t at) { return holds(statement, at); });
    return static_cast<size_t>(count) * 4 >= offsets.size() * quarters;
  };
  if (latch)
    for (const LoopStatement *one = statements.around(*latch); one; one = statements.around(*one))
      if (enough(*one, 2))
        return one;
  const LoopStatement *best = nullptr;
  for (const uint32_t offset : offsets)
    for (const LoopStatement *one = statements.around(offset); one; one = statements.around(*one))
      if (enough(*one, 3)) {
        if (!best || one->extent.begin > best->extent.begin)
          best = one;
        break;
      }
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
  place.firstLine -= std::min(place.firstLine, kHeadLines);
}

/// In the function's own text.
LoopPlace placeInBuffer(const Level &level, const SourceMap &map, const LoopStatements &statements) {
  const TextLines &lines = map.lines();
  std::vector<uint32_t> offsets;
  for (const uint32_t frame : level.frames)
    if (map.frame(frame).inBuffer.line)
      offsets.push_back(map.offsetOf(map.frame(frame).inBuffer));
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  std::optional<uint32_t> latch;
  if (level.latch != kNone && map.frame(level.latch).inBuffer.line)
    latch = map.offsetOf(map.frame(level.latch).inBuffer);
  LoopPlace place{.caller = level.caller};
  setCodeLines(place, level, map);
  if (const LoopStatement *statement = statementAround(offsets, latch, statements)) {
    place.anchor = statement->extent.begin;
    const uint32_t head = lines.lineOf(statement->extent.begin);
    place.at = linesBetween(lines, head, lines.lineOf(statement->extent.end - 1));
    // `#line` may have the compiler count otherwise.
    for (const uint32_t frame : level.frames)
      if (const Frame &one = map.frame(frame); one.inBuffer.line) {
        place.file = one.file;
        place.firstLine = place.lastLine = head + 1 + one.line - one.inBuffer.line;
      }
  } else {
    // A loop of `goto`, or a macro's.
    place.at = linesBetween(lines, lines.lineOf(offsets.front()), lines.lineOf(offsets.back()));
    place.anchor = place.at.begin;
  }
  return place;
}

} // namespace

std::optional<LoopPlace> placeLoop(const Loop &loop, const SourceMap &map, const LoopStatements &statements) {
  const Level level = findLevel(loop, map);
  const auto inBuffer = [&](uint32_t frame) { return map.frame(frame).inBuffer.line != 0; };
  const auto count = std::count_if(level.frames.begin(), level.frames.end(), inBuffer);
  if (static_cast<size_t>(count) * 2 >= level.frames.size() && count > 0)
    return placeInBuffer(level, map, statements);
  for (uint32_t frame = level.caller; frame != kNone; frame = map.frame(frame).caller)
    if (inBuffer(frame)) {
      const uint32_t anchor = map.offsetOf(map.frame(frame).inBuffer);
      const uint32_t line = map.lines().lineOf(anchor);
      LoopPlace place{anchor, linesBetween(map.lines(), line, line), frame, true};
      setCodeLines(place, level, map);
      return place;
    }
  return std::nullopt;
}

uint32_t lineInLoop(const SourceMap &map, const LoopPlace &place, uint32_t instruction) {
  uint32_t line = 0;
  for (uint32_t frame = map.frameOf(instruction); frame != kNone && frame != place.caller;
       frame = map.frame(frame).caller)
    if (map.frame(frame).inBuffer.line)
      line = map.frame(frame).inBuffer.line;
  if (!line && place.atCall)
    line = map.frame(place.caller).inBuffer.line;
  return line;
}

} // namespace analysis
