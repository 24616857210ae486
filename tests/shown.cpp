// The steps of the server after a job, without a server.
#include "tests/shown.h"

#include "lsp/wording/caveat_text.h"
#include "lsp/wording/findings.h"
#include "lsp/wording/hover.h"
#include "lsp/wording/region_text.h"
#include "lsp/wording/verdict_text.h"
#include "lsp/wording/view_text.h"

#include <algorithm>

namespace analysis {
namespace {

ShownRegion shownRegion(const lsp::AnalysedRegion &analysed, const lsp::Text &text) {
  const wire::Region &region = analysed.region;
  const wire::Simulation &numbers = *analysed.simulation;
  ShownRegion shown{.name = fullName(region),
                    .instance = region.name,
                    .kind = region.kind,
                    .at = region.at,
                    .line = text.lineOf(region.anchor) + 1,
                    .loop = region.loop,
                    .sourceIterations = region.sourceIterations,
                    .share = region.share,
                    .iterationsPerCall = region.iterationsPerCall,
                    .instructions = numbers.instructions,
                    .cyclesPerIteration = numbers.cyclesPerIteration,
                    .ipc = numbers.ipc,
                    .iterations = numbers.iterations,
                    .cycles = numbers.cycles,
                    .microOps = numbers.microOps,
                    .dispatchWidth = numbers.dispatchWidth,
                    .averageIpc = numbers.averageIpc,
                    .averageMicroOpsPerCycle = numbers.averageMicroOpsPerCycle,
                    .blockReciprocalThroughput = numbers.blockReciprocalThroughput,
                    .pressure = numbers.pressure,
                    .verdict = numbers.verdict,
                    .bottleneck = lsp::wording::bottleneckOf(analysed),
                    .corrections = lsp::wording::correctionsInWords(analysed),
                    .uncorrectedCycles = numbers.uncorrectedCycles,
                    .calls = region.calls,
                    .isLowerBound = wire::isLowerBound(region),
                    .otherCpus = numbers.otherCpus,
                    .listing = region.listing};
  for (const wire::Caveat &caveat : region.caveats)
    shown.caveats.push_back(lsp::wording::inWords(caveat));
  for (size_t i = 0; i < numbers.body.size(); ++i)
    shown.body.push_back({numbers.body[i], region.places[i]});
  for (const wire::ChainLink &link : numbers.chain)
    shown.chain.push_back(link.instruction);
  return shown;
}

} // namespace

std::string ShownHint::label() const {
  std::string whole;
  for (const lsp::wording::HintPart &part : parts)
    whole += part.text;
  return whole;
}

Shown shown(wire::AnalysisResult result, const std::string &bytes, const std::string &path,
            const std::vector<lsp::Baseline> &before, uint32_t slowerPercent) {
  const lsp::Text text(bytes);
  Shown shown{.status = result.status, .notes = result.notes, .otherFiles = result.otherFiles, .head = result.head};
  const std::vector<wire::View> views = std::move(result.views);
  lsp::Analysis analysis = lsp::Analysis::take(result, {});
  for (const wire::View &view : views)
    shown.documents.push_back(lsp::wording::viewText(view, analysis, text, path));
  analysis.compareWith(before);
  lsp::wording::makeFindings(analysis, text, slowerPercent);
  shown.target = analysis.target;
  shown.coverage = analysis.coverage;
  shown.findings = analysis.findings;
  for (const lsp::AnalysedRegion &region : analysis.regions)
    shown.regions.push_back(shownRegion(region, text));
  for (const wire::Budget &budget : analysis.budgets)
    for (const wire::BudgetedRegion &region : budget.regions)
      if (region.region < shown.regions.size())
        shown.regions[region.region].budgets.push_back(lsp::wording::resultOf(budget, region));
  for (const auto &[line, loops] : lsp::wording::loopsByLine(analysis, text, 0, text.lineCount() - 1)) {
    lsp::wording::Hint hint = lsp::wording::makeHint(loops, analysis.target, text);
    wire::ByteRange at = loops.front().front()->region.at;
    for (const lsp::wording::ShownLoop &loop : loops)
      at = {std::min(at.begin, loop.front()->region.at.begin), std::max(at.end, loop.front()->region.at.end)};
    shown.hints.push_back({loops.front().front()->region.anchor, std::move(hint.parts), std::move(hint.tooltip)});
    shown.hovers.push_back({at, lsp::wording::makeHover(loops, analysis.target, text)});
  }
  return shown;
}

} // namespace analysis
