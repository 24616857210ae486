#include "lsp/workspace/analysis.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace lsp {
namespace {

using analysis::wire::ByteRange;

ByteRange clamp(ByteRange range, uint32_t size) {
  const uint32_t begin = std::min(range.begin, size);
  return {begin, std::clamp(range.end, begin, size)};
}

void moveRegion(analysis::wire::RegionSummary &region, const LineEdit &edit) {
  region.at = moveClamped(region.at, edit);
  for (analysis::wire::InstructionDetails &instruction : region.body)
    if (instruction.at.begin < instruction.at.end)
      instruction.at = moveWithLines(instruction.at, edit).value_or(ByteRange{});
}

void clampRegion(analysis::wire::RegionSummary &region, uint32_t size) {
  const auto outside = [&](uint32_t position) { return position >= region.body.size(); };
  region.at = clamp(region.at, size);
  std::erase_if(region.chain, outside);
  for (analysis::wire::InstructionDetails &instruction : region.body) {
    instruction.at = clamp(instruction.at, size);
    std::erase_if(instruction.needs, outside);
    for (analysis::wire::Wait &wait : instruction.waits)
      std::erase_if(wait.by, outside);
  }
}

/// How many items belong to no part; they come first.
template <typename Item>
uint32_t countOutside(const std::vector<Item> &items, const std::vector<KnownPart> &parts, uint32_t KnownPart::*count) {
  size_t outside = items.size();
  for (const KnownPart &part : parts)
    outside -= part.*count;
  return static_cast<uint32_t>(outside);
}

KnownPart outside(const Analysis &analysis) {
  return {.hints = countOutside(analysis.hints, analysis.parts, &KnownPart::hints),
          .findings = countOutside(analysis.findings, analysis.parts, &KnownPart::findings),
          .hovers = countOutside(analysis.hovers, analysis.parts, &KnownPart::hovers),
          .regions = countOutside(analysis.regions, analysis.parts, &KnownPart::regions)};
}

/// Erases items, and has their parts know.
template <typename Item, typename Condition>
void eraseIf(std::vector<Item> &items, std::vector<KnownPart> &parts, uint32_t KnownPart::*count,
             const Condition &isGone) {
  auto next = items.begin() + countOutside(items, parts, count);
  auto end = std::remove_if(items.begin(), next, isGone);
  for (KnownPart &part : parts) {
    const auto behind = next + part.*count;
    const auto keptEnd = std::remove_if(next, behind, isGone);
    part.*count = static_cast<uint32_t>(keptEnd - next);
    end = end == next ? keptEnd : std::move(next, keptEnd, end);
    next = behind;
  }
  items.erase(end, items.end());
}

/// Takes the items of an analysis from the first to the last.
class Taker {
public:
  explicit Taker(Analysis &from) : from_(from) {}

  /// As many as `part` has, to the end of `to`.
  void take(const KnownPart &part, Analysis &to) {
    take(from_.hints, hints_, part.hints, to.hints);
    take(from_.findings, findings_, part.findings, to.findings);
    take(from_.hovers, hovers_, part.hovers, to.hovers);
    take(from_.regions, regions_, part.regions, to.regions);
  }

private:
  template <typename Item>
  static void take(std::vector<Item> &from, size_t &next, uint32_t count, std::vector<Item> &to) {
    const auto begin = from.begin() + static_cast<ptrdiff_t>(next);
    std::move(begin, begin + count, std::back_inserter(to));
    next += count;
  }

  Analysis &from_;
  size_t hints_ = 0, findings_ = 0, hovers_ = 0, regions_ = 0;
};

} // namespace

void Analysis::move(const LineEdit &edit) {
  eraseIf(hints, parts, &KnownPart::hints, [&](analysis::wire::Hint &hint) {
    const auto moved = moveWithLine(hint.offset, edit);
    hint.offset = moved.value_or(0);
    return !moved;
  });
  eraseIf(hovers, parts, &KnownPart::hovers, [&](analysis::wire::Hover &hover) {
    const auto moved = moveWithLines(hover.at, edit);
    hover.at = moved.value_or(ByteRange{});
    return !moved;
  });
  for (analysis::wire::Finding &finding : findings) {
    finding.at = moveClamped(finding.at, edit);
    for (analysis::wire::RelatedPlace &related : finding.related)
      related.at = moveClamped(related.at, edit);
  }
  for (analysis::wire::RegionSummary &region : regions)
    moveRegion(region, edit);
  for (KnownPart &part : parts) {
    const auto moved = moveWithLines(part.text, edit);
    part.intact &= moved.has_value();
    part.text = moved.value_or(moveClamped(part.text, edit));
  }
}

void Analysis::clampTo(uint32_t size) {
  for (analysis::wire::Finding &finding : findings) {
    finding.at = clamp(finding.at, size);
    for (analysis::wire::RelatedPlace &related : finding.related)
      related.at = clamp(related.at, size);
  }
  for (analysis::wire::Hint &hint : hints)
    hint.offset = std::min(hint.offset, size);
  for (analysis::wire::Hover &hover : hovers)
    hover.at = clamp(hover.at, size);
  for (analysis::wire::RegionSummary &region : regions)
    clampRegion(region, size);
  for (KnownPart &part : parts)
    part.text = clamp(part.text, size);
}

void Analysis::add(analysis::wire::Part part) {
  parts.push_back({.id = part.id,
                   .line = part.line,
                   .text = part.text,
                   .hints = static_cast<uint32_t>(part.hints.size()),
                   .findings = static_cast<uint32_t>(part.findings.size()),
                   .hovers = static_cast<uint32_t>(part.hovers.size()),
                   .regions = static_cast<uint32_t>(part.regions.size())});
  std::move(part.hints.begin(), part.hints.end(), std::back_inserter(hints));
  std::move(part.findings.begin(), part.findings.end(), std::back_inserter(findings));
  std::move(part.hovers.begin(), part.hovers.end(), std::back_inserter(hovers));
  std::move(part.regions.begin(), part.regions.end(), std::back_inserter(regions));
}

std::vector<uint64_t> Analysis::intactParts(const Text &text) const {
  std::vector<uint64_t> ids;
  for (const KnownPart &part : parts)
    if (part.intact && text.lineOf(part.text.begin) == part.line)
      ids.push_back(part.id);
  return ids;
}

Analysis merge(Analysis before, Analysis now, const std::vector<analysis::wire::Part> &parts) {
  std::unordered_map<uint64_t, Analysis> known;
  Taker old(before);
  Analysis unused, merged{.target = std::move(now.target), .coverage = now.coverage};
  old.take(outside(before), unused);
  for (const KnownPart &part : before.parts) {
    Analysis &its = known[part.id];
    its.parts.push_back(part);
    old.take(part, its);
  }
  Taker fresh(now);
  fresh.take(outside(now), merged);
  auto next = now.parts.begin();
  for (const analysis::wire::Part &part : parts) {
    const auto found = part.kept ? known.find(part.id) : known.end();
    if (found != known.end()) {
      Taker(found->second).take(found->second.parts.front(), merged);
      merged.parts.push_back(found->second.parts.front());
    } else if (!part.kept) {
      fresh.take(*next, merged);
      merged.parts.push_back(*next++);
    }
  }
  return merged;
}

} // namespace lsp
