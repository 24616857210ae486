#include "lsp/check/worst_loops.h"

#include "analysis/common/counts.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/check/check_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace lsp::features {
namespace {

using analysis::decimals;
using analysis::wire::RegionKind;
using protocol::CheckFile;
using protocol::CheckFinding;
using protocol::CheckRegion;

void addBudgets(const CheckFile &file, WorstLoops &worst) {
  for (const CheckFinding &finding : file.findings)
    if (finding.code == analysis::wire::codes::kBudgetExceeded ||
        finding.code == analysis::wire::codes::kBudgetUnchecked)
      worst.budgets.push_back({&file, finding.at.line, "", finding.message});
}

// ---- changes -------------------------------------------------------------------------------------------------------

struct ChangedLoop {
  double ratio = 1; ///< the greater of the numbers before and after over the smaller one
  WorstLoop loop;
};

void addChanges(const CheckFile &file, std::vector<ChangedLoop> &changed) {
  for (const CheckRegion &region : file.regions) {
    const double now = cyclesOf(region);
    if (!region.baseline || !looksChanged(region))
      continue;
    const double low = std::min(now, *region.baseline), high = std::max(now, *region.baseline);
    changed.push_back({low > 0 ? high / low : HUGE_VAL, {&file, region.line, region.name, changeOf(region)}});
  }
}

// ---- costs ---------------------------------------------------------------------------------------------------------

/// The paths through one loop together.
struct LoopCost {
  double cycles = 0;     ///< per iteration of the machine code: the paths' mean by their shares, else the slowest one's
  double iterations = 0; ///< in one call of the function; 0 when unknown
  WorstLoop loop;

  double perCall() const { return cycles * iterations; }
};

double machineCycles(const CheckRegion &region) {
  return region.numbers.cyclesPerIteration;
}

double meanCycles(const std::vector<const CheckRegion *> &paths) {
  double shares = 0, weighted = 0, most = 0;
  bool known = true;
  for (const CheckRegion *path : paths) {
    const double cycles = machineCycles(*path);
    known &= path->share >= 0;
    shares += path->share;
    weighted += path->share * cycles;
    most = std::max(most, cycles);
  }
  return known && shares > 0 ? weighted / shares : most;
}

std::string reasonOf(const LoopCost &cost, const CheckRegion &slowest) {
  const std::string cycles = decimals(cost.cycles, 1);
  std::string reason = cost.iterations > 0 ? std::to_string(std::llround(cost.perCall())) + " cyc: " + cycles + " × " +
                                                 decimals(cost.iterations, 1) + " iterations"
                                           : cycles + " cyc per iteration, how often is unknown";
  return slowest.bottleneck.empty() ? reason : reason + "; " + slowest.bottleneck;
}

/// What the names of a loop's paths have in common: "loop in f" of "loop in f, through line 7" and "…, line 9".
std::string loopName(const std::vector<const CheckRegion *> &paths) {
  std::string_view name = paths.front()->name;
  if (paths.size() == 1)
    return std::string(name);
  for (const CheckRegion *path : paths) {
    const std::string &other = path->name;
    name = name.substr(0, std::mismatch(name.begin(), name.end(), other.begin(), other.end()).first - name.begin());
  }
  return std::string(name.substr(0, std::min(name.find(", through "), name.rfind(", "))));
}

void addCosts(const CheckFile &file, std::vector<LoopCost> &costs) {
  std::map<uint32_t, std::vector<const CheckRegion *>> loops;
  for (const CheckRegion &region : file.regions)
    if (region.kind == RegionKind::Loop || region.kind == RegionKind::Path)
      loops[region.loop].push_back(&region);
  for (const auto &[number, paths] : loops) {
    const CheckRegion &slowest = **std::max_element(
        paths.begin(), paths.end(), [](const auto *a, const auto *b) { return machineCycles(*a) < machineCycles(*b); });
    LoopCost cost{.cycles = meanCycles(paths), .iterations = slowest.iterationsPerCall};
    cost.loop = {&file, slowest.line, loopName(paths), reasonOf(cost, slowest)};
    costs.push_back(std::move(cost));
  }
}

/// Cuts a list to its length, and returns how long it was.
template <typename T>
size_t cut(std::vector<T> &list, size_t most) {
  const size_t all = list.size();
  list.resize(std::min(all, most));
  return all;
}

} // namespace

WorstLoops worstLoops(const std::vector<CheckFile> &files, size_t most) {
  WorstLoops worst;
  std::vector<ChangedLoop> changed;
  std::vector<LoopCost> costs;
  for (const CheckFile &file : files) {
    addBudgets(file, worst);
    addChanges(file, changed);
    addCosts(file, costs);
  }
  std::stable_sort(changed.begin(), changed.end(),
                   [](const ChangedLoop &a, const ChangedLoop &b) { return a.ratio > b.ratio; });
  std::stable_sort(costs.begin(), costs.end(), [](const LoopCost &a, const LoopCost &b) {
    return std::pair(a.perCall(), a.cycles) > std::pair(b.perCall(), b.cycles);
  });
  worst.budgetsInAll = cut(worst.budgets, most);
  worst.changedInAll = cut(changed, most);
  worst.costlyInAll = cut(costs, most);
  for (ChangedLoop &one : changed)
    worst.changed.push_back(std::move(one.loop));
  for (LoopCost &one : costs)
    worst.costly.push_back(std::move(one.loop));
  return worst;
}

} // namespace lsp::features
