// The hint of a line: its label in parts, each of which explains itself, and a tooltip of the whole.
#include "analysis/verdict/hint_label.h"
#include "analysis/verdict/sections.h"
#include "analysis/wording/verdict_text.h"
#include "analysis/wording/words.h"

#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

using Kind = wire::Block::Kind;

/// What limits the numbers that are shown; several paths must agree on it.
std::string commonLimit(const AnalysedLoop &loop) {
  const std::string limit = limitOf(loop.front().verdict);
  const bool same = llvm::all_of(loop, [&](const AnalysedRegion &path) { return limitOf(path.verdict) == limit; });
  return same ? limit : "";
}

/// Why the cycles are a lower bound.
std::string aboutBound(const LoopNumbers &numbers, size_t paths) {
  return "At least this many cycles: the code " + lowerBoundInWords(numbers.calls) +
         (paths > 1 ? ". They are those of the shortest path, on which it may make no call." : ".");
}

wire::RichText aboutIpc(const AnalysedRegion &first) {
  const mca::Summary &summary = first.report->summary;
  wire::RichText text;
  add(text, Kind::Paragraph,
      "Instructions per cycle: " + decimals(summary.steadyIpc(), 2) + ", as " +
          decimals(summary.steadyMicroOpsPerCycle(), 2) + " micro-ops per cycle. The CPU dispatches " +
          std::to_string(summary.dispatchWidth) + " micro-ops per cycle at most.");
  return text;
}

wire::RichText aboutCycles(const AnalysedLoop &loop) {
  const AnalysedRegion &first = loop.front();
  const uint32_t several = first.region->sourceIterations;
  const std::string cycles = decimals(first.report->summary.cyclesPerIteration(), 2);
  wire::RichText text;
  if (several > 1)
    add(text, Kind::Paragraph,
        "Cycles per iteration of the source's loop. The machine code does " + std::to_string(several) +
            " of them at once, in " + cycles + " cycles.");
  else if (several == 0)
    add(text, Kind::Paragraph,
        "Cycles per iteration of the machine code: " + cycles +
            ". How many iterations of the source's loop that is cannot be told.");
  else
    add(text, Kind::Paragraph, "Cycles per iteration: " + cycles + ".");
  const mca::Summary &summary = first.report->summary;
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

wire::RichText aboutLimit(const AnalysedRegion &first) {
  wire::RichText text;
  if (first.verdict.kind == wire::Verdict::Kind::None)
    return text;
  add(text, Kind::Paragraph, verdictParagraph(first));
  for (const wire::Verdict::Witness &witness : first.verdict.witnesses)
    add(text, Kind::Item, witness.text + ": " + roleOf(witness, first.verdict, first.region->sourceIterations));
  return text;
}

wire::RichText aboutMark(const AnalysedLoop &loop) {
  wire::RichText text;
  const LoopNumbers numbers = numbersOf(loop);
  if (!numbers.calls.empty())
    add(text, Kind::Paragraph, aboutBound(numbers, loop.size()));
  if (numbers.uncertain)
    add(text, Kind::Paragraph, "Less certain than it looks:");
  std::vector<std::string> told;
  for (const AnalysedRegion &path : loop)
    for (const std::string &caveat : path.caveats)
      if (!llvm::is_contained(told, caveat)) {
        told.push_back(caveat);
        add(text, Kind::Item, caveat);
      }
  return text;
}

void append(wire::RichText &to, wire::RichText more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

} // namespace

wire::Hint makeHint(const std::vector<AnalysedLoop> &onLine, const wire::TargetSummary &target) {
  const AnalysedLoop &loop = onLine.front();
  const AnalysedRegion &first = loop.front();
  wire::Hint hint{.offset = first.region->anchor};
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
  add(hint.tooltip, Kind::Heading, titleOf(*first.region) + ": " + labelOf(loop));
  addVerdict(hint.tooltip, first);
  addPaths(hint.tooltip, loop);
  addOthers(hint.tooltip, onLine);
  add(hint.tooltip, Kind::Paragraph, modelInWords(target));
  return hint;
}

} // namespace analysis
