// An answer costs a binary search for each instruction of a region: a text may have many regions and many errors.
#include "analysis/regions/unread_lines.h"

#include "analysis/regions/branches.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>

namespace analysis {

UnreadLines::UnreadLines(const mca::Target &target, const mca::Program &program, const SourceMap &map, bool compiled)
    : target_(target), program_(program), map_(map), compiled_(compiled) {
  const auto unread = program.unreadLines();
  if (unread.empty())
    return;
  // From the last line to the first, the next instruction of each section is known.
  const auto instructions = program.instructions();
  llvm::DenseMap<const llvm::MCSection *, uint32_t> nextIn;
  size_t next = instructions.size();
  for (const mca::UnreadLine &line : llvm::reverse(unread)) {
    for (; next > line.instruction; --next)
      nextIn[instructions[next - 1].section] = static_cast<uint32_t>(next - 1);
    const auto found = nextIn.find(line.section);
    lines_.push_back({found == nextIn.end() ? mca::kNone : found->second, line.label});
    offsets_.push_back(map.inBuffer(line.offset));
  }
  llvm::stable_sort(
      lines_, [](const Line &a, const Line &b) { return std::pair(a.next, a.label) < std::pair(b.next, b.label); });
  llvm::sort(offsets_);
  for (uint32_t i = 0; i < program.labels().size(); ++i)
    labels_.try_emplace(program.labels()[i].symbol, i);
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
  while (++from < to && instructions[from].section != instructions[to].section)
    ;
  return from == to;
}

/// Those between two instructions that are executed one after the other.
uint32_t UnreadLines::countOnWay(uint32_t from, uint32_t to) const {
  const Lines lines = before(to);
  if (lines.empty())
    return 0;
  // A delay slot is executed with the branch before it.
  const auto hasDelaySlot = [&](uint32_t index) {
    return target_.instructions().get(program_.instructions()[index].inst.getOpcode()).hasDelaySlot();
  };
  const Flow flow = flowOf(target_, program_, from && hasDelaySlot(from - 1) ? from - 1 : from);
  if (flow.fallsThrough && isNextInSection(from, to))
    return static_cast<uint32_t>(lines.size());
  const auto target = flow.target ? labels_.find(flow.target) : labels_.end();
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

/// Lines before the first instruction belong to its function if they stand after its name, and those after the last one
/// if they stand before the name of the next function.
uint32_t UnreadLines::countInText(const Instructions &text) const {
  if (text.size() == program_.instructions().size())
    return static_cast<uint32_t>(lines_.size());
  const auto labels = program_.labels();
  const auto labelsAt = [&](uint32_t instruction) {
    return std::ranges::equal_range(labels, instruction, {}, &mca::Label::instruction);
  };
  const auto isName = [](const mca::Label &label) { return !label.symbol->isTemporary(); };
  const uint32_t first = text.front(), end = text.back() + 1;
  uint32_t begin = 0, nextFunction = mca::kNone;
  for (const mca::Label &label : labelsAt(first))
    if (isName(label))
      begin = static_cast<uint32_t>(&label - labels.data()) + 1;
  for (const mca::Label &label : llvm::reverse(labelsAt(end)))
    if (isName(label))
      nextFunction = static_cast<uint32_t>(&label - labels.data());
  const auto unread = program_.unreadLines();
  const auto from = std::ranges::lower_bound(unread, first, {}, &mca::UnreadLine::instruction);
  const auto to = std::ranges::upper_bound(unread, end, {}, &mca::UnreadLine::instruction);
  return static_cast<uint32_t>(std::count_if(from, to, [&](const mca::UnreadLine &line) {
    return (line.instruction > first || line.label >= begin) && (line.instruction < end || line.label <= nextFunction);
  }));
}

uint32_t UnreadLines::countInLines(wire::ByteRange at) const {
  return static_cast<uint32_t>(std::ranges::upper_bound(offsets_, at.end) -
                               std::ranges::lower_bound(offsets_, at.begin));
}

/// A line that was made of no line of the buffer counts if it stands between two of the region's instructions.
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

void addUnreadLines(const mca::Target &target, const mca::Program &program, const SourceMap &map, bool compiled,
                    std::vector<Region> &regions) {
  if (program.unreadLines().empty())
    return;
  const UnreadLines unread(target, program, map, compiled);
  for (Region &region : regions)
    if (const uint32_t count = unread.countIn(region))
      region.caveats.push_back({.kind = wire::Caveat::Kind::UnreadLine, .count = count, .cycles = 0, .names = {}});
}

} // namespace analysis
