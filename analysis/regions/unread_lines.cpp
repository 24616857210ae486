// An answer costs a binary search for each instruction of a region: a text may have many regions and many errors.
#include "analysis/regions/unread_lines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>

namespace analysis {

UnreadLines::UnreadLines(const mca::ControlFlow &code, const SourceMap &map, bool compiled)
    : branches_(code.branches), program_(code.program()), map_(map), compiled_(compiled) {
  const auto unread = program_.unreadLines();
  if (unread.empty())
    return;
  findNeighbours();
  lines_ = inOrder_;
  llvm::stable_sort(
      lines_, [](const Line &a, const Line &b) { return std::pair(a.next, a.label) < std::pair(b.next, b.label); });
  for (const mca::UnreadLine &line : unread)
    offsets_.push_back(map.inBuffer(line.offset));
  llvm::sort(offsets_);
  for (uint32_t i = 0; i < program_.labels().size(); ++i)
    labels_.try_emplace(program_.labels()[i].symbol, i);
}

/// Goes through instructions, labels and lines twice: forwards for what precedes a line in its section, backwards
/// for what follows it.
void UnreadLines::findNeighbours() {
  struct Seen {
    uint32_t instruction = mca::kNone; ///< the last one
    bool isNamed = false;              ///< whether the name of a function came after it
  };
  const auto instructions = program_.instructions();
  const auto labels = program_.labels();
  const auto unread = program_.unreadLines();
  llvm::DenseMap<const llvm::MCSection *, Seen> seen;
  const auto see = [&](uint32_t instruction) { seen[instructions[instruction].section] = {instruction, false}; };
  const auto seeLabel = [&](const mca::Label &label) { seen[label.section].isNamed |= !label.symbol->isTemporary(); };
  uint32_t instruction = 0, label = 0;
  for (const mca::UnreadLine &line : unread) {
    for (; label < line.label; seeLabel(labels[label++]))
      for (; instruction < labels[label].instruction; ++instruction)
        see(instruction);
    for (; instruction < line.instruction; ++instruction)
      see(instruction);
    const Seen before = seen.lookup(line.section);
    inOrder_.push_back({.label = line.label, .previous = before.instruction, .isNamedBefore = before.isNamed});
  }
  seen.clear();
  instruction = static_cast<uint32_t>(instructions.size());
  label = static_cast<uint32_t>(labels.size());
  for (size_t i = unread.size(); i-- > 0;) {
    for (; label > unread[i].label; seeLabel(labels[--label]))
      for (; instruction > labels[label - 1].instruction; --instruction)
        see(instruction - 1);
    for (; instruction > unread[i].instruction; --instruction)
      see(instruction - 1);
    const Seen after = seen.lookup(unread[i].section);
    inOrder_[i].next = after.instruction;
    inOrder_[i].isNamedAfter = after.isNamed;
  }
}

uint32_t UnreadLines::countIn(const Region &region) const {
  if (lines_.empty() || region.instructions.empty())
    return 0;
  if (region.severalPaths)
    return countInBlocks(region.instructions);
  if (region.body)
    return countOnPath(region.instructions);
  if (compiled_)
    return countInSource(region);
  return region.kind == wire::RegionKind::Marker ? countInLines(region.at) : countInText(region.instructions);
}

/// The lines between an instruction and the one before it in its section.
UnreadLines::Lines UnreadLines::before(uint32_t instruction) const {
  const auto range = std::ranges::equal_range(lines_, instruction, {}, &Line::next);
  return llvm::ArrayRef(lines_).slice(static_cast<size_t>(range.begin() - lines_.begin()), range.size());
}

bool UnreadLines::isNextInSection(uint32_t from, uint32_t to) const {
  const auto instructions = program_.instructions();
  if (from >= to || instructions[from].section != instructions[to].section)
    return false;
  for (uint32_t between = from + 1; between < to; ++between)
    if (instructions[between].section == instructions[to].section)
      return false;
  return true;
}

/// Those between two instructions that are executed one after the other.
uint32_t UnreadLines::countOnWay(uint32_t from, uint32_t to) const {
  const Lines lines = before(to);
  if (lines.empty())
    return 0;
  // A delay slot is executed with the branch before it.
  const mca::Branch &branch = branches_.at(from && branches_.at(from - 1).hasDelaySlot ? from - 1 : from);
  if (branch.fallsThrough() && isNextInSection(from, to))
    return static_cast<uint32_t>(lines.size());
  const auto target = mca::isJump(branch.kind) && !branch.isTailCall ? labels_.find(branch.symbol) : labels_.end();
  // A computed jump may go to the first label there.
  const uint32_t label = target == labels_.end() ? 0 : target->second;
  return static_cast<uint32_t>(llvm::count_if(lines, [&](const Line &line) {
    return target == labels_.end() ? line.label && program_.labels()[line.label - 1].instruction == to
                                   : label < line.label;
  }));
}

uint32_t UnreadLines::countOnPath(const Instructions &path) const {
  uint32_t count = 0;
  for (size_t i = 0; i < path.size(); ++i)
    count += countOnWay(path[i ? i - 1 : path.size() - 1], path[i]);
  return count;
}

/// Which way leads through blocks in layout order is not known: those after a label count, and those between two
/// instructions.
uint32_t UnreadLines::countInBlocks(const Instructions &blocks) const {
  uint32_t count = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const bool isBetween = i && isNextInSection(blocks[i - 1], blocks[i]);
    count += static_cast<uint32_t>(llvm::count_if(before(blocks[i]), [&](const Line &line) {
      return isBetween || (line.label && program_.labels()[line.label - 1].instruction == blocks[i]);
    }));
  }
  return count;
}

/// Lines at the ends of a function belong to it up to its name, and up to the name of the next one.
uint32_t UnreadLines::countInText(const Instructions &text) const {
  if (text.size() == program_.instructions().size())
    return static_cast<uint32_t>(inOrder_.size());
  const auto isIn = [&](uint32_t instruction) { return std::ranges::binary_search(text, instruction); };
  const auto unread = program_.unreadLines();
  const auto from = std::ranges::lower_bound(unread, text.front(), {}, &mca::UnreadLine::instruction);
  const auto to = std::ranges::upper_bound(unread, text.back() + 1, {}, &mca::UnreadLine::instruction);
  const llvm::ArrayRef<Line> lines =
      llvm::ArrayRef(inOrder_).slice(static_cast<size_t>(from - unread.begin()), static_cast<size_t>(to - from));
  return static_cast<uint32_t>(llvm::count_if(lines, [&](const Line &line) {
    const bool isAfter = isIn(line.previous);
    return isIn(line.next) ? isAfter || !line.isNamedAfter : isAfter && !line.isNamedBefore;
  }));
}

uint32_t UnreadLines::countInLines(wire::ByteRange at) const {
  return static_cast<uint32_t>(std::ranges::upper_bound(offsets_, at.end) -
                               std::ranges::lower_bound(offsets_, at.begin));
}

/// A line that was made of no line of the buffer counts if it is between two of the region's instructions.
uint32_t UnreadLines::countInSource(const Region &region) const {
  const auto [first, last] = std::ranges::minmax(region.instructions);
  const auto unread = program_.unreadLines();
  const auto isIn = [&](uint32_t instruction) { return std::ranges::binary_search(region.instructions, instruction); };
  uint32_t count = 0;
  for (auto one = std::ranges::lower_bound(unread, first, {}, &mca::UnreadLine::instruction);
       one != unread.end() && one->instruction <= last + 1; ++one) {
    const SourcePlace place = map_.placeOfUnread(static_cast<uint32_t>(one - unread.begin()));
    if (place.line) {
      const uint32_t offset = map_.lines().content(place.line - 1).begin;
      count += offset >= region.at.begin && offset <= region.at.end;
    } else {
      count += one->instruction > first && isIn(one->instruction - 1) && isIn(one->instruction);
    }
  }
  return count;
}

void addUnreadLines(const mca::ControlFlow &code, const SourceMap &map, bool compiled, std::vector<Region> &regions) {
  if (code.program().unreadLines().empty())
    return;
  const UnreadLines unread(code, map, compiled);
  for (Region &region : regions)
    if (const uint32_t count = unread.countIn(region))
      region.caveats.push_back({.kind = wire::Caveat::Kind::UnreadLine, .count = count, .cycles = 0, .names = {}});
}

} // namespace analysis
