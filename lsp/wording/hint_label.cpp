// Which pieces of a label fit, and how names and numbers are shortened.
#include "lsp/wording/hint_label.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <ranges>

namespace lsp::wording {
namespace {

/// Three digits and a power of a thousand: "1.2", "12.3k", "123M"; at most five characters. The bounds of the ranges
/// are where rounding would carry into another digit: 99.95 would become "100.0", and 999.5 "1000".
std::string compact(double value) {
  constexpr std::array kPowers{"", "k", "M", "G", "T", "P"};
  size_t power = 0;
  while (value >= 999.5 && power + 1 < kPowers.size()) {
    value /= 1000;
    ++power;
  }
  if (value >= 999.5)
    return ">999P";
  return (value < 99.95 ? decimals(value, 1) : std::to_string(std::lround(value))) + kPowers[power];
}

std::string compactCycles(const LoopNumbers &numbers) {
  const uint32_t several = std::max(numbers.sourceIterations, 1u);
  const std::string low = compact(numbers.leastCycles / several);
  const std::string high = numbers.isLowerBound() ? low : compact(numbers.mostCycles / several);
  // The unit stays: 0.5 per source iteration and 4.0 for eight of them would look alike.
  return (low == high ? low : low + "–" + high) + (several == 1 ? " cyc" : " c/iter");
}

/// "f" of "ns::list::f".
std::string lastName(const std::string &function) {
  const size_t scope = function.rfind("::");
  return scope == std::string::npos ? function : function.substr(scope + 2);
}

/// The longest form that fits: " · calls ns::f", " · calls f", " · calls a_very_lo…", " · calls 3 functions"; empty if
/// none does.
std::string callsThatFit(const std::vector<std::string> &calls, size_t columns) {
  constexpr std::string_view kBefore = " · calls ";
  constexpr size_t kLeastOfAName = 6; // columns; less of a name is no help
  std::vector<std::string> shortNames;
  for (const std::string &function : calls)
    shortNames.push_back(lastName(function));
  std::vector<std::string> choices{listOf(calls, calls.size()), listOf(shortNames, calls.size())};
  if (calls.size() > 1)
    choices.push_back(std::to_string(calls.size()) + " functions");
  for (const std::string &choice : choices)
    if (columnsOf(kBefore) + columnsOf(choice) <= columns)
      return std::string(kBefore) + choice;
  if (calls.size() > 1 || columnsOf(kBefore) + kLeastOfAName > columns)
    return {};
  return std::string(kBefore) + clipped(shortNames.front(), columns - columnsOf(kBefore), "…");
}

/// " · lacks casb", " · lacks 3 instructions", " · lacks 2 lines"; empty if it does not fit.
std::string leftOutThatFits(const std::vector<wire::Caveat> &leftOut, size_t columns) {
  std::vector<std::string> mnemonics;
  size_t instructions = 0, lines = 0;
  for (const wire::Caveat &caveat : leftOut) {
    const bool isLine = caveat.kind == wire::Caveat::Kind::UnreadLine;
    size_t &most = isLine ? lines : instructions; // several paths may share them
    most = std::max<size_t>(most, caveat.count);
    if (!isLine)
      std::ranges::copy(caveat.names | std::views::drop(1), std::back_inserter(mnemonics));
  }
  const std::string what = lines ? counted(lines, "line") : counted(instructions, "instruction");
  for (const std::string &choice : {lines || mnemonics.size() != 1 ? what : mnemonics.front(), what})
    if (columnsOf(" · lacks " + choice) <= columns)
      return " · lacks " + choice;
  return {};
}

/// Along a trace: neither IPC nor limit, which are about perfect prediction.
HintLabel withMisses(HintLabel label, const LoopNumbers &numbers) {
  const size_t room = kHintColumns - columnsOf(label.whole());
  const auto separated = [](const std::string &part) { return part.empty() ? "" : " · " + part; };
  const std::string missed = separated(missedLabelOf(numbers)), cost = separated(missCostLabelOf(numbers));
  if (columnsOf(missed) <= room)
    label.missed = missed;
  if (columnsOf(missed + cost) <= room)
    label.missCost = cost;
  return label;
}

} // namespace

HintLabel fitLabel(const LoopNumbers &numbers, const std::string &limit, size_t others, const std::string &share) {
  HintLabel least{.share = share,
                  .mark = markOf(numbers),
                  .ipc = "",
                  .cycles = cyclesLabelOf(numbers),
                  .observed = observedLabelOf(numbers),
                  .measured = measuredLabelOf(numbers),
                  .missed = "",
                  .missCost = "",
                  .limit = "",
                  .others = others ? " +" + std::to_string(others) : ""};
  if (columnsOf(least.whole()) > kHintColumns)
    least.cycles = compactCycles(numbers);
  if (columnsOf(least.whole()) > kHintColumns)
    least.measured.clear();
  if (columnsOf(least.whole()) > kHintColumns)
    least.observed.clear();
  if (numbers.traced)
    return withMisses(std::move(least), numbers);
  if (numbers.isLowerBound()) {
    const size_t room = kHintColumns - columnsOf(least.whole());
    least.limit = numbers.calls.empty() ? leftOutThatFits(numbers.leftOut, room) : callsThatFit(numbers.calls, room);
    return least;
  }
  HintLabel withIpc = least, withLimit = least;
  withIpc.ipc = "IPC " + rangeOf(numbers.leastIpc, numbers.mostIpc, 2);
  withIpc.cycles = " · " + least.cycles;
  withLimit.limit = limit.empty() ? "" : " · " + limit;
  HintLabel withBoth = withIpc;
  withBoth.limit = withLimit.limit;
  for (const HintLabel &label : {withBoth, withLimit, withIpc})
    if (columnsOf(label.whole()) <= kHintColumns)
      return label;
  return least;
}

} // namespace lsp::wording
