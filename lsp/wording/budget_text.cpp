// Compares each budget with its regions, and says by how much it is missed and why.
#include "lsp/wording/budget_text.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/wording/caveat_text.h"
#include "lsp/wording/region_text.h"
#include "lsp/wording/verdict_text.h"
#include "lsp/workspace/region_numbers.h"

#include <algorithm>
#include <optional>

namespace lsp::wording {
namespace {

using wire::Budget;
using wire::BudgetedRegion;
using wire::Finding;

bool isCycles(const Budget &budget) {
  return budget.what == Budget::What::Cycles;
}

const char *nameOf(const Budget &budget) {
  return isCycles(budget) ? "cycles" : "ipc";
}

/// Unrounded. Cycles are per iteration of the source loop if it is known how many the code does at once.
double valueOf(const Budget &budget, const BudgetedRegion &region) {
  return isCycles(budget) ? cyclesPerSourceIteration(region.cyclesPerIteration, region.sourceIterations) : region.ipc;
}

/// The value with the decimals that are compared.
std::string shown(const Budget &budget, const BudgetedRegion &region) {
  constexpr int kMaxDecimals = 2;
  const int ofHint = isCycles(budget) && region.sourceIterations <= 1 ? 1 : kMaxDecimals;
  const size_t point = budget.written.find('.');
  const auto ofLimit = point == std::string::npos ? 0 : static_cast<int>(budget.written.size() - point - 1);
  return decimals(valueOf(budget, region), std::clamp(ofLimit, ofHint, kMaxDecimals));
}

/// The number that is compared; 0 if the region was not simulated.
double compared(const Budget &budget, const BudgetedRegion &region) {
  return region.failure.empty() ? std::stod(shown(budget, region)) : 0;
}

/// Unknown: not simulated, or a lower bound that does not exceed the limit.
enum class Outcome : uint8_t { Met, Exceeded, Unknown };

Outcome outcomeOf(const Budget &budget, const BudgetedRegion &region) {
  if (!region.failure.empty())
    return Outcome::Unknown;
  const double value = compared(budget, region);
  const bool meets = isCycles(budget) ? value <= budget.limit : value >= budget.limit;
  if (!isLowerBound(region))
    return meets ? Outcome::Met : Outcome::Exceeded;
  return isCycles(budget) && !meets ? Outcome::Exceeded : Outcome::Unknown;
}

/// By how much the budget is missed, and what the numbers depend on.
std::string exceeded(const Budget &budget, const BudgetedRegion &region, const std::string &why) {
  std::string message = std::string(nameOf(budget)) + (isLowerBound(region) ? " ≥ " : " ") + shown(budget, region) +
                        (isCycles(budget) ? " > " : " < ") + budget.written + " on " + budget.cpu + ": " +
                        (region.name.empty() ? "marked region" : region.name);
  if (!why.empty())
    message += "; " + why;
  for (const wire::Caveat &caveat : region.caveats)
    message += "; " + markedInWords(caveat);
  return message;
}

/// `region`: the first one that decides nothing; null if the budget has no region at all.
std::string whyUnchecked(const Budget &budget, const BudgetedRegion *region) {
  if (!region)
    return "no region with instructions begins at its marker";
  if (!region->failure.empty())
    return region->failure;
  return (region->name.empty() ? "the marked region" : region->name) + " " +
         (isCycles(budget) ? "takes " + shown(budget, *region) + " or more: it " : "") +
         lowerBoundInWords(region->calls, region->caveats);
}

/// The worst region makes the finding: the others are still in the hover.
std::optional<Finding> findingOf(const Budget &budget, const Analysis &analysis) {
  const double sign = isCycles(budget) ? 1 : -1; // more cycles are worse, and so is a lower IPC
  const BudgetedRegion *worst = nullptr, *unknown = nullptr;
  for (const BudgetedRegion &region : budget.regions) {
    const Outcome outcome = outcomeOf(budget, region);
    if (outcome == Outcome::Unknown)
      unknown = unknown ? unknown : &region;
    else if (outcome == Outcome::Exceeded &&
             (!worst || sign * valueOf(budget, region) > sign * valueOf(budget, *worst)))
      worst = &region;
  }
  if (worst) {
    // The verdict is about the buffer's CPU: it does not explain the numbers of another one.
    const bool isHere = budget.cpu == analysis.target.cpu && worst->region < analysis.regions.size();
    return wire::makeFinding(budget.at, wire::codes::kBudgetExceeded,
                             exceeded(budget, *worst, isHere ? bottleneckOf(analysis.regions[worst->region]) : ""));
  }
  if (!unknown && !budget.regions.empty())
    return std::nullopt;
  return wire::makeFinding(budget.at, wire::codes::kBudgetUnchecked,
                           std::string("the budget of ") + nameOf(budget) + " is not checked on " + budget.cpu + ": " +
                               whyUnchecked(budget, unknown));
}

} // namespace

std::vector<Finding> budgetFindings(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const Budget &budget : analysis.budgets)
    if (std::optional<Finding> finding = findingOf(budget, analysis))
      findings.push_back(std::move(*finding));
  return findings;
}

BudgetResult resultOf(const Budget &budget, const BudgetedRegion &region) {
  const Outcome outcome = outcomeOf(budget, region);
  return {.what = nameOf(budget),
          .limit = budget.limit,
          .value = compared(budget, region),
          .cpu = budget.cpu,
          .met = outcome == Outcome::Met,
          .checked = outcome != Outcome::Unknown};
}

} // namespace lsp::wording
