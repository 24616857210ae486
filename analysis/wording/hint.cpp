// The hint of a line: its label in parts, each of which explains itself, and a tooltip of the whole.
#include "analysis/wording/hint.h"

#include "analysis/wording/hint_label.h"
#include "analysis/wording/region_text.h"
#include "analysis/wording/verdict_text.h"
#include "analysis/wording/words.h"

#include <algorithm>
#include <iterator>

namespace analysis {
namespace {

using Kind = wire::Block::Kind;

/// What limits the numbers that are shown; several paths must agree on it.
std::string commonLimit(const ShownLoop &loop) {
  const std::string limit = limitOf(loop.front().numbers.verdict);
  const bool same = std::all_of(loop.begin(), loop.end(),
                                [&](const ShownRegion &path) { return limitOf(path.numbers.verdict) == limit; });
  return same ? limit : "";
}

/// Why the cycles are a lower bound.
std::string aboutBound(const LoopNumbers &numbers, size_t paths) {
  return "At least this many cycles: the code " + lowerBoundInWords(numbers.calls) +
         (paths > 1 ? ". They are those of the shortest path, on which it may make no call." : ".");
}

wire::RichText aboutIpc(const ShownRegion &first) {
  const wire::RegionSummary &summary = first.numbers;
  wire::RichText text;
  add(text, Kind::Paragraph,
      "Instructions per cycle: " + decimals(summary.ipc, 2) + ", as " + decimals(microOpsPerCycle(summary), 2) +
          " micro-ops per cycle. The CPU dispatches " + std::to_string(summary.dispatchWidth) +
          " micro-ops per cycle at most.");
  return text;
}

wire::RichText aboutCycles(const ShownLoop &loop) {
  const ShownRegion &first = loop.front();
  const uint32_t several = first.numbers.sourceIterations;
  const std::string cycles = decimals(first.numbers.cyclesPerIteration, 2);
  wire::RichText text;
  if (several > 1)
    add(text, Kind::Paragraph,
        "Cycles per iteration of the source's loop. The machine code does " + std::to_string(several) +
            " of them at once, in " + cycles + " cycles.");
  else if (several == 0)
    add(text, Kind::Paragraph,
        "Cycles per iteration of the machine code: " + cycles +
            ". How many iterations of the source's loop that is, is unknown.");
  else
    add(text, Kind::Paragraph, "Cycles per iteration: " + cycles + ".");
  const wire::RegionSummary &summary = first.numbers;
  add(text, Kind::Paragraph,
      "At the loop's steady rate. The first " + std::to_string(summary.iterations) +
          " iterations, from an empty CPU, take " + std::to_string(summary.cycles) + " cycles.");
  const LoopNumbers numbers = numbersOf(loop);
  if (!numbers.calls.empty())
    add(text, Kind::Paragraph, aboutBound(numbers, loop.size()));
  else if (loop.size() > 1)
    add(text, Kind::Paragraph, "The range is over the " + std::to_string(loop.size()) + " paths through the loop.");
  for (const Change &change : first.changes)
    add(text, Kind::Item, change.inWords());
  return text;
}

wire::RichText aboutLimit(const ShownRegion &first) {
  wire::RichText text;
  if (first.numbers.verdict.kind == wire::Verdict::Kind::None)
    return text;
  add(text, Kind::Paragraph, verdictParagraph(first));
  for (const wire::Verdict::Witness &witness : first.numbers.verdict.witnesses)
    add(text, Kind::Item, witness.text + ": " + roleOf(witness, first.numbers.verdict, first.numbers.sourceIterations));
  return text;
}

wire::RichText aboutMark(const ShownLoop &loop) {
  wire::RichText text;
  const LoopNumbers numbers = numbersOf(loop);
  if (!numbers.calls.empty())
    add(text, Kind::Paragraph, aboutBound(numbers, loop.size()));
  if (numbers.uncertain)
    add(text, Kind::Paragraph, "Less certain than it looks:");
  std::vector<std::string> listed;
  for (const ShownRegion &path : loop)
    for (const std::string &caveat : path.numbers.caveats)
      if (std::find(listed.begin(), listed.end(), caveat) == listed.end()) {
        listed.push_back(caveat);
        add(text, Kind::Item, caveat);
      }
  return text;
}

void append(wire::RichText &to, wire::RichText more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

} // namespace

wire::Hint makeHint(const std::vector<ShownLoop> &onLine, const wire::TargetSummary &target) {
  const ShownLoop &loop = onLine.front();
  const ShownRegion &first = loop.front();
  wire::Hint hint{.offset = first.anchor};
  const HintLabel label = fitLabel(numbersOf(loop), commonLimit(loop), onLine.size() - 1);
  const auto addPart = [&](const std::string &text, wire::RichText tooltip) {
    if (!text.empty())
      hint.parts.push_back({text, std::move(tooltip)});
  };
  wire::RichText others;
  addOthers(others, onLine);
  // The cycles always stand: what has no room goes to the tooltip.
  wire::RichText cycles = aboutCycles(loop);
  const bool isBound = !numbersOf(loop).calls.empty();
  if (label.ipc.empty() && !isBound)
    append(cycles, aboutIpc(first));
  if (label.limit.empty() && !isBound)
    append(cycles, aboutLimit(first));
  addPart(label.mark, aboutMark(loop));
  addPart(label.ipc, aboutIpc(first));
  addPart(label.cycles, std::move(cycles));
  addPart(label.limit, isBound ? aboutMark(loop) : aboutLimit(first));
  addPart(label.others, std::move(others));
  add(hint.tooltip, Kind::Heading, titleOf(first) + ": " + labelOf(loop));
  addVerdict(hint.tooltip, first);
  addPaths(hint.tooltip, loop);
  addOthers(hint.tooltip, onLine);
  add(hint.tooltip, Kind::Paragraph, modelInWords(target));
  return hint;
}

} // namespace analysis
