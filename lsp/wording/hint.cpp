// Each part of a label explains itself in its tooltip. What the label has no room for is in the tooltip of the cycles,
// which are always there.
#include "lsp/wording/hint.h"

#include "lsp/wording/calibration_text.h"
#include "lsp/wording/caveat_text.h"
#include "lsp/wording/flow_text.h"
#include "lsp/wording/hint_label.h"
#include "lsp/wording/measured_text.h"
#include "lsp/wording/profile_text.h"
#include "lsp/wording/region_text.h"
#include "lsp/wording/verdict_text.h"

#include <algorithm>
#include <iterator>

namespace lsp::wording {
namespace {

using Kind = Block::Kind;

/// What limits the loop in a word; empty if its paths differ in that.
std::string commonLimit(const ShownLoop &loop) {
  const std::string limit = limitOf(loop.front()->simulation->verdict);
  const bool same =
      std::ranges::all_of(loop, [&](const auto *path) { return limitOf(path->simulation->verdict) == limit; });
  return same ? limit : "";
}

HintLabel labelFor(const LoopsOfLine &onLine) {
  const ShownLoop loop = shownPaths(onLine.front());
  return fitLabel(numbersOf(loop), commonLimit(loop), onLine.size() - 1, shareLabel(onLine));
}

/// Why the cycles are a lower bound.
std::string aboutBound(const LoopNumbers &numbers, size_t paths) {
  return "At least this many cycles: the code " + lowerBoundInWords(numbers.calls, numbers.leftOut) +
         (paths == 1 || numbers.traced ? "."
          : numbers.leftOut.empty()    ? ". They are those of the shortest path, on which it may make no call."
                                       : ". They are those of the shortest path, which may lack nothing.");
}

/// The IPC with the micro-ops per cycle: these are what the dispatch width limits.
RichText aboutIpc(const AnalysedRegion &first) {
  const wire::Simulation &summary = *first.simulation;
  const std::string unit = isCalibrated(summary) ? " slots" : " micro-ops";
  return {{Kind::Paragraph, "Instructions per cycle: " + decimals(summary.ipc, 2) + ", as " +
                                decimals(microOpsPerCycle(summary), 2) + unit + " per cycle. The CPU dispatches " +
                                std::to_string(summary.dispatchWidth) + unit + " per cycle at most."}};
}

/// The cycles of the machine code with two decimals, and how they relate to those of the label.
std::string cyclesSentence(const AnalysedRegion &first) {
  const uint32_t several = first.region.sourceIterations;
  const std::string cycles = decimals(first.simulation->cyclesPerIteration, 2);
  if (several > 1)
    return "Cycles per iteration of the source's loop. The machine code does " + std::to_string(several) +
           " of them at once, in " + cycles + " cycles.";
  if (several == 0)
    return "Cycles per iteration of the machine code: " + cycles +
           ". How many iterations of the source's loop that is, is unknown.";
  return "Cycles per iteration: " + cycles + ".";
}

/// What the cycles are a rate of, and the simulated run with its start-up, which is what llvm-mca prints.
std::string rateSentence(const AnalysedRegion &first) {
  return "At the loop's steady rate. The first " + std::to_string(first.simulation->iterations) +
         " iterations, from an empty CPU, take " + std::to_string(first.simulation->cycles) + " cycles.";
}

RichText aboutCycles(const ShownLoop &loop, const wire::TargetSummary &target, const Text &source) {
  const AnalysedRegion &first = *loop.front();
  const LoopNumbers numbers = numbersOf(loop);
  RichText text;
  if (!numbers.traced)
    text = {{Kind::Paragraph, cyclesSentence(first)}, {Kind::Paragraph, rateSentence(first)}};
  addCalibration(text, loop, target);
  for (std::string &line : correctionsInWords(first))
    add(text, Kind::Item, std::move(line));
  if (numbers.isLowerBound())
    add(text, Kind::Paragraph, aboutBound(numbers, loop.size()));
  else if (loop.size() > 1 && !numbers.traced && !numbers.bounded)
    add(text, Kind::Paragraph, "The range is over the " + std::to_string(loop.size()) + " paths through the loop.");
  addFlow(text, loop, source);
  for (const Change &change : first.changes)
    add(text, Kind::Item, change.inWords());
  return text;
}

/// The verdict with its witnesses; empty without a verdict.
RichText aboutLimit(const AnalysedRegion &first) {
  const wire::Verdict &verdict = first.simulation->verdict;
  RichText text;
  if (verdict.kind == wire::Verdict::Kind::None)
    return text;
  add(text, Kind::Paragraph, verdictParagraph(first));
  for (const wire::Verdict::Witness &witness : verdict.witnesses)
    add(text, Kind::Item, witness.text + ": " + roleOf(witness, verdict, first.region.sourceIterations));
  return text;
}

/// What "≥" and "≈" mean here. The paths of a loop often share a caveat: it is listed once.
RichText aboutMark(const ShownLoop &loop) {
  RichText text;
  const LoopNumbers numbers = numbersOf(loop);
  if (numbers.isLowerBound())
    add(text, Kind::Paragraph, aboutBound(numbers, loop.size()));
  if (numbers.uncertain)
    add(text, Kind::Paragraph, "Less certain than it looks:");
  std::vector<wire::Caveat> listed;
  for (const AnalysedRegion *path : loop)
    for (const wire::Caveat &caveat : path->region.caveats)
      if (!leavesOut(caveat) && std::ranges::find(listed, caveat) == listed.end()) {
        listed.push_back(caveat);
        add(text, Kind::Item, inWords(caveat));
      }
  if (const wire::ControlFlow *flow = flowOf(loop); flow && numbers.traced && flow->isBarelyTrained)
    add(text, Kind::Item, kBarelyTrained);
  return text;
}

} // namespace

Hint makeHint(const LoopsOfLine &onLine, const wire::TargetSummary &target, const Text &text) {
  const ShownLoop loop = shownPaths(onLine.front());
  const AnalysedRegion &first = *loop.front();
  const LoopNumbers numbers = numbersOf(loop);
  const HintLabel label = labelFor(onLine);
  const RichText misses = numbers.traced ? aboutMisses(*first.flow) : RichText();
  RichText others, cycles = aboutCycles(loop, target, text);
  addOthers(others, onLine);
  const bool isBound = numbers.isLowerBound();
  RichText profiled;
  addProfiled(profiled, onLine, target.profile);
  RichText measured;
  addMeasured(measured, loop, target);
  if (label.measured.empty())
    std::ranges::copy(measured, std::back_inserter(cycles));
  if (label.missCost.empty())
    std::ranges::copy(misses, std::back_inserter(cycles));
  if (label.ipc.empty() && !isBound && !numbers.traced)
    std::ranges::move(aboutIpc(first), std::back_inserter(cycles));
  if (label.limit.empty() && !isBound)
    std::ranges::move(aboutLimit(first), std::back_inserter(cycles));
  Hint hint{{{label.share, profiled},
             {label.mark, aboutMark(loop)},
             {label.ipc, aboutIpc(first)},
             {label.cycles, std::move(cycles)},
             {label.observed, profiled},
             {label.measured, measured},
             {label.missed, misses},
             {label.missCost, misses},
             {label.limit, isBound ? aboutMark(loop) : aboutLimit(first)},
             {label.others, std::move(others)}},
            {}};
  std::erase_if(hint.parts, [](const HintPart &part) { return part.text.empty(); });
  add(hint.tooltip, Kind::Heading, titleOf(first) + ": " + labelOf(loop));
  addVerdict(hint.tooltip, loop);
  addCalibration(hint.tooltip, loop, target);
  std::ranges::move(profiled, std::back_inserter(hint.tooltip));
  std::ranges::move(measured, std::back_inserter(hint.tooltip));
  addFlow(hint.tooltip, loop, text);
  addPaths(hint.tooltip, onLine.front());
  addOthers(hint.tooltip, onLine);
  add(hint.tooltip, Kind::Paragraph, modelInWords(target));
  return hint;
}

Hint makeShortHint(const LoopsOfLine &onLine) {
  const HintLabel label = labelFor(onLine);
  Hint hint;
  for (const std::string &text : {label.share, label.mark, label.ipc, label.cycles, label.observed, label.measured,
                                  label.missed, label.missCost, label.limit, label.others})
    if (!text.empty())
      hint.parts.push_back({text, {}});
  return hint;
}

std::string hintLabel(const LoopsOfLine &onLine) {
  return labelFor(onLine).whole();
}

} // namespace lsp::wording
