// Both sides are compared as texts, so that a change is reported exactly if the reader can see it.
#include "lsp/workspace/comparison.h"

#include "analysis/text/counts.h"
#include "lsp/workspace/region_numbers.h"

#include <algorithm>
#include <cmath>

namespace lsp {
namespace {

using analysis::decimals;

/// The numbers with the digits and the unit that a hint shows: cycles of an iteration of the source's loop if it is
/// known how many of them the machine code's iteration does, which may be another number than before.
struct Shown {
  std::string cyclesBefore, cyclesNow, ipcBefore, ipcNow;
  const char *unit;
};

double perSourceIteration(const Figures &figures) {
  return cyclesPerSourceIteration(figures.cycles, figures.sourceIterations);
}

Shown shown(const Change &change) {
  const bool isOfSeveral = std::max(change.before.sourceIterations, change.now.sourceIterations) > 1;
  const int digits = isOfSeveral ? 2 : 1;
  return {decimals(perSourceIteration(change.before), digits), decimals(perSourceIteration(change.now), digits),
          decimals(change.before.ipc, 2), decimals(change.now.ipc, 2), isOfSeveral ? " cyc/iter" : " cyc"};
}

/// "−25 %", "+5 %". The sign is that of the exact percentage: a small improvement is "−0 %".
std::string percentOf(double percent) {
  return (percent < 0 ? "−" : "+") + std::to_string(std::labs(std::lround(percent))) + " %";
}

/// An iteration of unknown size is compared only with one of the machine code: it may do the work of several.
bool isComparable(const Figures &before, const Figures &now) {
  return before.cycles > 0 && before.calls == now.calls && before.leftOut == now.leftOut &&
         (before.sourceIterations || now.sourceIterations <= 1) &&
         (now.sourceIterations || before.sourceIterations <= 1);
}

bool isVisible(const Change &change) {
  const Shown text = shown(change);
  const bool differs =
      text.cyclesBefore != text.cyclesNow || (!change.now.isLowerBound() && text.ipcBefore != text.ipcNow);
  return isComparable(change.before, change.now) && differs;
}

} // namespace

double Change::slowerPercent() const {
  const double then = perSourceIteration(before);
  return then > 0 ? (perSourceIteration(now) / then - 1) * 100 : 0;
}

std::string Change::inWords() const {
  const Shown text = shown(*this);
  const std::string bound = boundMark(now.isLowerBound());
  const std::string what = text.cyclesBefore != text.cyclesNow
                               ? bound + text.cyclesBefore + " → " + bound + text.cyclesNow + text.unit + " (" +
                                     percentOf(slowerPercent()) + ")"
                               : "IPC " + text.ipcBefore + " → " + text.ipcNow;
  return what + " since " + since;
}

std::string comparableCpu(const analysis::wire::TargetSummary &target) {
  return target.cpu + (target.calibration.id.empty() ? "" : " " + target.calibration.id);
}

std::vector<std::vector<Change>> changesSince(const std::vector<Baseline> &before, const Baseline &now) {
  std::vector<std::vector<Change>> changes(now.regions.size());
  for (const Baseline &baseline : before) {
    if (baseline.cpu != now.cpu)
      continue;
    const std::vector<std::optional<size_t>> partners = pairRegions(baseline.regions, now.regions);
    for (size_t i = 0; i < partners.size(); ++i)
      if (partners[i])
        if (Change change{baseline.name, baseline.figures[*partners[i]], now.figures[i]}; isVisible(change))
          changes[i].push_back(std::move(change));
  }
  return changes;
}

} // namespace lsp
