#include "analysis/insight/hint_label.h"

#include "mca-core/views/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace analysis {
namespace {

constexpr size_t kMostCounted = 99; ///< other loops, for which there are two digits

/// Three digits and the power of a thousand: "1.2", "12.3k", "123M"; at most five characters.
std::string compact(double value) {
  constexpr std::array kPowers{"", "k", "M", "G", "T", "P"};
  size_t power = 0;
  while (value >= 999.5 && power + 1 < kPowers.size()) {
    value /= 1000;
    ++power;
  }
  if (value >= 999.5)
    return ">999P";
  return (value < 99.95 ? mca::formatRounded(value, 1) : std::to_string(std::lround(value))) + kPowers[power];
}

std::string compactCycles(const LoopNumbers &numbers) {
  const uint32_t several = std::max(numbers.sourceIterations, 1u);
  const std::string low = compact(numbers.leastCycles / several), high = compact(numbers.mostCycles / several);
  // An iteration of the source's loop says so even where it is short of room.
  return (low == high ? low : low + "–" + high) + (several == 1 ? " cyc" : " c/iter");
}

} // namespace

size_t columnsOf(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

HintLabel fitLabel(const LoopNumbers &numbers, const std::string &limit, size_t others) {
  HintLabel least;
  least.cycles = cyclesLabelOf(numbers);
  least.doubt = numbers.uncertain ? " ≈" : "";
  least.others = !others                 ? ""
                 : others > kMostCounted ? " >" + std::to_string(kMostCounted)
                                         : " +" + std::to_string(others);
  if (columnsOf(least.whole()) > kHintColumns)
    least.cycles = compactCycles(numbers);
  const std::string ipc = "IPC " + rangeOf(numbers.leastIpc, numbers.mostIpc, 2);
  const std::string limitPart = limit.empty() ? "" : " · " + limit;
  const auto with = [&](bool hasIpc, bool hasLimit) {
    HintLabel label = least;
    if (hasIpc) {
      label.ipc = ipc;
      label.cycles = " · " + label.cycles;
    }
    if (hasLimit)
      label.limit = limitPart;
    return label;
  };
  for (const HintLabel &label : {with(true, true), with(true, false), with(false, true)})
    if (columnsOf(label.whole()) <= kHintColumns)
      return label;
  return least;
}

} // namespace analysis
