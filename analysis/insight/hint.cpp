// The hint of a line: its label in parts, each of which explains itself, and a tooltip of the whole.
#include "analysis/insight/details.h"
#include "analysis/insight/hint_label.h"
#include "analysis/insight/sections.h"
#include "mca-core/views/text.h"

#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

using Kind = wire::Block::Kind;

/// What limits the numbers that are shown; several paths must agree on it.
std::string limitOf(const AnalysedLoop &loop) {
  const std::string &limit = loop.front().verdict.limit;
  const bool same = llvm::all_of(loop, [&](const AnalysedRegion &path) { return path.verdict.limit == limit; });
  return same ? limit : "";
}

wire::RichText aboutIpc(const AnalysedRegion &first) {
  const mca::Summary &summary = first.report->summary;
  wire::RichText text;
  add(text, Kind::Paragraph,
      "Instructions per cycle: " + mca::formatRounded(summary.steadyIpc(), 2) + ", as " +
          mca::formatRounded(summary.steadyMicroOpsPerCycle(), 2) + " micro-ops per cycle. The CPU dispatches " +
          std::to_string(summary.dispatchWidth) + " micro-ops per cycle at most.");
  return text;
}

wire::RichText aboutCycles(const AnalysedLoop &loop) {
  const AnalysedRegion &first = loop.front();
  const uint32_t several = first.region->sourceIterations;
  const std::string cycles = mca::formatRounded(first.report->summary.cyclesPerIteration(), 2);
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
  if (loop.size() > 1)
    add(text, Kind::Paragraph, "The range is over the " + std::to_string(loop.size()) + " paths through the loop.");
  for (const Change &change : first.changes)
    add(text, Kind::Item, change.inWords());
  return text;
}

wire::RichText aboutLimit(const AnalysedRegion &first) {
  wire::RichText text;
  add(text, Kind::Paragraph, sentenceOf(first.verdict));
  for (const Verdict::Witness &witness : first.verdict.witnesses)
    add(text, Kind::Item, flatText(first.report->instructions[witness.instruction].text) + ": " + witness.message);
  return text;
}

wire::RichText aboutDoubt(const AnalysedLoop &loop) {
  wire::RichText text;
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

} // namespace

wire::Hint makeHint(const std::vector<AnalysedLoop> &onLine, const wire::TargetSummary &target) {
  const AnalysedLoop &loop = onLine.front();
  const AnalysedRegion &first = loop.front();
  wire::Hint hint{.offset = first.region->anchor};
  const HintLabel label = fitLabel(numbersOf(loop), limitOf(loop), onLine.size() - 1);
  const auto addPart = [&](const std::string &text, wire::RichText tooltip) {
    if (!text.empty())
      hint.parts.push_back({text, std::move(tooltip)});
  };
  wire::RichText others;
  addOthers(others, onLine);
  addPart(label.ipc, aboutIpc(first));
  addPart(label.cycles, aboutCycles(loop));
  addPart(label.limit, aboutLimit(first));
  addPart(label.doubt, aboutDoubt(loop));
  addPart(label.others, std::move(others));
  add(hint.tooltip, Kind::Heading, titleOf(*first.region));
  addVerdict(hint.tooltip, first);
  addPaths(hint.tooltip, loop);
  addOthers(hint.tooltip, onLine);
  add(hint.tooltip, Kind::Paragraph, modelInWords(target));
  return hint;
}

} // namespace analysis
