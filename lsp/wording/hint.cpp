// The hint of a line: its label in parts, each of which explains itself, and a tooltip of the whole.
#include "lsp/wording/hint.h"

#include "analysis/common/counts.h"
#include "lsp/wording/caveat_text.h"
#include "lsp/wording/hint_label.h"
#include "lsp/wording/region_text.h"
#include "lsp/wording/verdict_text.h"

#include <algorithm>
#include <iterator>

namespace lsp::wording {
namespace {

using Kind = Block::Kind;
using analysis::decimals;

/// What limits the numbers that are shown; several paths must agree on it.
std::string commonLimit(const ShownLoop &loop) {
  const std::string limit = limitOf(loop.front()->simulation->verdict);
  const bool same = std::all_of(loop.begin(), loop.end(), [&](const AnalysedRegion *path) {
    return limitOf(path->simulation->verdict) == limit;
  });
  return same ? limit : "";
}

HintLabel labelFor(const LoopsOfLine &onLine) {
  return fitLabel(numbersOf(onLine.front()), commonLimit(onLine.front()), onLine.size() - 1);
}

/// Why the cycles are a lower bound.
std::string aboutBound(const LoopNumbers &numbers, size_t paths) {
  return "At least this many cycles: the code " + lowerBoundInWords(numbers.calls) +
         (paths > 1 ? ". They are those of the shortest path, on which it may make no call." : ".");
}

RichText aboutIpc(const AnalysedRegion &first) {
  const analysis::wire::Simulation &summary = *first.simulation;
  RichText text;
  add(text, Kind::Paragraph,
      "Instructions per cycle: " + decimals(summary.ipc, 2) + ", as " + decimals(microOpsPerCycle(summary), 2) +
          " micro-ops per cycle. The CPU dispatches " + std::to_string(summary.dispatchWidth) +
          " micro-ops per cycle at most.");
  return text;
}

RichText aboutCycles(const ShownLoop &loop) {
  const AnalysedRegion &first = *loop.front();
  const analysis::wire::Simulation &summary = *first.simulation;
  const uint32_t several = first.region.sourceIterations;
  const std::string cycles = decimals(summary.cyclesPerIteration, 2);
  RichText text;
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

RichText aboutLimit(const AnalysedRegion &first) {
  const analysis::wire::Verdict &verdict = first.simulation->verdict;
  RichText text;
  if (verdict.kind == analysis::wire::Verdict::Kind::None)
    return text;
  add(text, Kind::Paragraph, verdictParagraph(first));
  for (const analysis::wire::Verdict::Witness &witness : verdict.witnesses)
    add(text, Kind::Item, witness.text + ": " + roleOf(witness, verdict, first.region.sourceIterations));
  return text;
}

RichText aboutMark(const ShownLoop &loop) {
  RichText text;
  const LoopNumbers numbers = numbersOf(loop);
  if (!numbers.calls.empty())
    add(text, Kind::Paragraph, aboutBound(numbers, loop.size()));
  if (numbers.uncertain)
    add(text, Kind::Paragraph, "Less certain than it looks:");
  std::vector<analysis::wire::Caveat> listed;
  for (const AnalysedRegion *path : loop)
    for (const analysis::wire::Caveat &caveat : path->region.caveats)
      if (std::find(listed.begin(), listed.end(), caveat) == listed.end()) {
        listed.push_back(caveat);
        add(text, Kind::Item, inWords(caveat));
      }
  return text;
}

void append(RichText &to, RichText more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

} // namespace

Hint makeHint(const LoopsOfLine &onLine, const analysis::wire::TargetSummary &target) {
  const ShownLoop &loop = onLine.front();
  const AnalysedRegion &first = *loop.front();
  Hint hint;
  const HintLabel label = labelFor(onLine);
  const auto addPart = [&](const std::string &text, RichText tooltip) {
    if (!text.empty())
      hint.parts.push_back({text, std::move(tooltip)});
  };
  RichText others;
  addOthers(others, onLine);
  // The cycles always stand: what has no room goes to the tooltip.
  RichText cycles = aboutCycles(loop);
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

Hint makeShortHint(const LoopsOfLine &onLine) {
  Hint hint;
  const HintLabel label = labelFor(onLine);
  for (const std::string *text : {&label.mark, &label.ipc, &label.cycles, &label.limit, &label.others})
    if (!text->empty())
      hint.parts.push_back({*text, {}});
  return hint;
}

std::string hintLabel(const LoopsOfLine &onLine) {
  return labelFor(onLine).whole();
}

} // namespace lsp::wording
