// The order of the lists in worst_loops.h. The cost of a loop is estimated for one call of its function: how often a
// function is called is unknown.
#include "lsp/check/worst_loops.h"

#include "analysis/text/counts.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/check/check_report.h"
#include "lsp/wording/profile_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lsp {
namespace {

using analysis::decimals;
namespace codes = analysis::wire::codes;

/// The finding's message says which region it is about, so the entry has no name.
void addFindings(const CheckFile &file, WorstLoops &worst) {
  for (const CheckFinding &finding : file.findings) {
    const WorstLoop entry{&file, finding.at.line, "", finding.message, 0, {}};
    if (finding.severity == analysis::wire::Severity::Error)
      worst.errors.loops.push_back(entry);
    if (finding.code == codes::kBudgetExceeded || finding.code == codes::kBudgetUnchecked)
      worst.budgets.loops.push_back(entry);
  }
}

/// By ratio, so that a loop that became twice as fast is as far up as one that became twice as slow.
void addChanges(const CheckFile &file, WorstList &list) {
  for (const CheckRegion &region : file.regions)
    if (looksChanged(region)) {
      const auto [low, high] = std::minmax({cyclesOf(region), *region.baseline});
      const double ratio = low > 0 ? high / low : HUGE_VAL;
      list.loops.push_back({&file, region.line, region.name, changeOf(region), 0, {ratio, 0}});
    }
}

/// The paths through one loop.
using Paths = std::vector<const CheckRegion *>;

double machineCycles(const CheckRegion *path) {
  return path->numbers.cyclesPerIteration;
}

/// The paths' mean by their shares if these are known, otherwise `slowest`.
double meanCycles(const Paths &paths, double slowest) {
  double shares = 0, weighted = 0;
  for (const CheckRegion *path : paths) {
    if (path->share < 0)
      return slowest;
    shares += path->share;
    weighted += path->share * machineCycles(path);
  }
  return shares > 0 ? weighted / shares : slowest;
}

/// The common beginning of the paths' names, which end with the lines that a path goes through: "loop in f" of "loop in
/// f, through line 7" and "…, line 9". A function's name may have commas, too: only the last one is cut off.
std::string loopName(const Paths &paths) {
  std::string_view name = paths.front()->name;
  if (paths.size() == 1)
    return std::string(name);
  for (const CheckRegion *path : paths) {
    const auto end = std::ranges::mismatch(name, path->name).in1;
    name = name.substr(0, static_cast<size_t>(end - name.begin()));
  }
  return std::string(name.substr(0, std::min(name.find(", through "), name.rfind(", "))));
}

std::map<uint32_t, Paths> loopsOf(const CheckFile &file) {
  std::map<uint32_t, Paths> loops;
  for (const CheckRegion &region : file.regions)
    if (isLoop(region))
      loops[region.loop].push_back(&region);
  return loops;
}

/// The paths through a loop are one entry: they share its iterations. Cycles are those of the machine code's iteration,
/// because the expected iterations are, too.
void addCosts(const CheckFile &file, WorstList &list) {
  for (const auto &[number, paths] : loopsOf(file)) {
    const CheckRegion &slowest = **std::ranges::max_element(paths, {}, machineCycles);
    const double cycles = meanCycles(paths, machineCycles(&slowest)), iterations = slowest.iterationsPerCall;
    const std::string bound = boundMark(std::ranges::any_of(paths, [](auto *path) { return isLowerBound(*path); }));
    std::string reason = bound + decimals(cycles, 1);
    if (iterations > 0)
      reason = bound + std::to_string(std::llround(cycles * iterations)) + " cyc: " + decimals(cycles, 1) + " × " +
               decimals(iterations, 1) + " iterations";
    else
      reason += " cyc per iteration, how often is unknown";
    if (!slowest.bottleneck.empty())
      reason += "; " + slowest.bottleneck;
    list.loops.push_back({&file, slowest.line, loopName(paths), reason, 0, {cycles * iterations, cycles}});
  }
}

/// The loops of which a profile has samples.
void addShares(const CheckFile &file, WorstList &list) {
  for (const auto &[number, paths] : loopsOf(file)) {
    const CheckRegion &first = *paths.front();
    if (!isProfiled(first))
      continue;
    const CheckRegion &slowest = **std::ranges::max_element(paths, {}, machineCycles);
    const std::string bound = boundMark(std::ranges::any_of(paths, [](auto *path) { return isLowerBound(*path); }));
    const double observed = first.profile.cyclesPerIteration;
    const int digits = slowest.sourceIterations > 1 ? 2 : 1; // as in the editor
    const std::string reason = (first.profile.isByLines ? "≈ " : "") + wording::shareInWords(first.profile.share) +
                               ": " + bound + decimals(cyclesOf(slowest), digits) + " cyc per iteration" +
                               (observed > 0 ? ", " + decimals(observed, digits) + " in the program" : "") +
                               (slowest.bottleneck.empty() ? "" : "; " + slowest.bottleneck);
    list.loops.push_back({&file, first.line, loopName(paths), reason, first.profile.share, {first.profile.share, 0}});
  }
}

/// The best advice of each loop.
void addAdvice(const CheckFile &file, WorstList &list) {
  for (const CheckRegion &region : file.regions)
    if (!region.advice.empty()) {
      const CheckAdvice &best = region.advice.front();
      const double saved = isProfiled(region) ? region.profile.share * (1 - 1 / best.factor) : 0;
      const std::string gain = saved > 0 ? "saves " + wording::shareInWords(saved) + " of the program's time, " : "";
      list.loops.push_back({&file,
                            region.line,
                            region.instance,
                            gain + decimals(best.factor, 1) + " times as fast: " + best.words,
                            region.profile.share,
                            {saved, best.factor}});
    }
}

/// The sort is stable: of equals the first in the order of the files comes first, whatever the number of workers.
void finish(WorstList &list, size_t most) {
  std::ranges::stable_sort(list.loops, std::greater(), &WorstLoop::weight);
  list.inAll = list.loops.size();
  list.loops.resize(std::min(list.inAll, most));
}

} // namespace

WorstLoops worstLoops(const std::vector<CheckFile> &files, size_t most) {
  WorstLoops worst;
  for (const CheckFile &file : files) {
    addFindings(file, worst);
    addChanges(file, worst.changed);
    addAdvice(file, worst.advised);
    addCosts(file, worst.costly);
    addShares(file, worst.hottest);
  }
  for (WorstList *list : {&worst.errors, &worst.budgets, &worst.changed, &worst.hottest, &worst.advised, &worst.costly})
    finish(*list, most);
  return worst;
}

} // namespace lsp
