// What is compared is the number as the hint shows it: a limit that was copied off a hint is met by the code that it
// was copied from.
#include "lsp/wording/budget_text.h"

#include "analysis/common/counts.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/wording/caveat_text.h"
#include "lsp/wording/region_text.h"
#include "lsp/wording/verdict_text.h"
#include "lsp/workspace/region_numbers.h"

#include <algorithm>
#include <optional>

namespace lsp::wording {
namespace {

using analysis::decimals;
using analysis::wire::Budget;
using analysis::wire::BudgetedRegion;
using analysis::wire::Caveat;
using analysis::wire::Finding;
namespace codes = analysis::wire::codes;

constexpr int kMaxDecimals = 2;

bool isCycles(const Budget &budget) {
  return budget.what == Budget::What::Cycles;
}

const char *nameOf(const Budget &budget) {
  return isCycles(budget) ? "cycles" : "ipc";
}

bool isKnown(const BudgetedRegion &region) {
  return region.failure.empty();
}

/// Unrounded; of the source's iteration where that is known.
double valueOf(const Budget &budget, const BudgetedRegion &region) {
  return isCycles(budget) ? cyclesPerSourceIteration(region.cyclesPerIteration, region.sourceIterations) : region.ipc;
}

/// With which the hint shows the value.
int hintDecimals(const Budget &budget, const BudgetedRegion &region) {
  return isCycles(budget) && region.sourceIterations <= 1 ? 1 : 2;
}

int decimalsOf(const Budget &budget, const BudgetedRegion &region) {
  const size_t point = budget.written.find('.');
  const auto written = point == std::string::npos ? 0 : static_cast<int>(budget.written.size() - point - 1);
  return std::clamp(written, hintDecimals(budget, region), kMaxDecimals);
}

std::string shown(const Budget &budget, const BudgetedRegion &region) {
  return decimals(valueOf(budget, region), decimalsOf(budget, region));
}

/// What is compared; 0 without a value.
double compared(const Budget &budget, const BudgetedRegion &region) {
  return isKnown(region) ? std::stod(shown(budget, region)) : 0;
}

enum class Outcome : uint8_t { Met, Exceeded, Unknown };

Outcome outcomeOf(const Budget &budget, const BudgetedRegion &region) {
  if (!isKnown(region))
    return Outcome::Unknown;
  const double value = compared(budget, region);
  const bool meets = isCycles(budget) ? value <= budget.limit : value >= budget.limit;
  if (region.calls.empty())
    return meets ? Outcome::Met : Outcome::Exceeded;
  return isCycles(budget) && !meets ? Outcome::Exceeded : Outcome::Unknown;
}

std::string exceeded(const Budget &budget, const BudgetedRegion &region, const std::string &why) {
  std::string message = std::string(nameOf(budget)) + (region.calls.empty() ? " " : " ≥ ") + shown(budget, region) +
                        (isCycles(budget) ? " > " : " < ") + budget.written + " on " + budget.cpu + ": " +
                        (region.name.empty() ? "marked region" : region.name);
  if (!why.empty())
    message += "; " + why;
  for (const Caveat &caveat : region.caveats)
    message += "; ≈ " + inWords(caveat);
  return message;
}

std::string whyUnknown(const Budget &budget, const BudgetedRegion &region) {
  if (!isKnown(region))
    return region.failure;
  return (region.name.empty() ? "the marked region" : region.name) + " " +
         (isCycles(budget) ? "takes " + shown(budget, region) + " or more: it " : "") + lowerBoundInWords(region.calls);
}

std::string unchecked(const Budget &budget, const std::string &why) {
  return std::string("the budget of ") + nameOf(budget) + " is not checked on " + budget.cpu + ": " + why;
}

/// For the region that exceeds the budget most; else for one that was not simulated, or not with what it calls, or for
/// the lack of any.
std::optional<Finding> findingOf(const Budget &budget, const Analysis &analysis) {
  Finding finding{.at = budget.at, .severity = analysis::wire::Severity::Warning};
  const BudgetedRegion *worst = nullptr, *unknown = nullptr;
  for (const BudgetedRegion &region : budget.regions) {
    const Outcome outcome = outcomeOf(budget, region);
    if (outcome == Outcome::Unknown)
      unknown = unknown ? unknown : &region;
    else if (outcome == Outcome::Exceeded &&
             (!worst || (isCycles(budget) ? valueOf(budget, region) > valueOf(budget, *worst)
                                          : valueOf(budget, region) < valueOf(budget, *worst))))
      worst = &region;
  }
  if (worst) {
    const bool isHere = budget.cpu == analysis.target.cpu && worst->region < analysis.regions.size();
    finding.code = codes::kBudgetExceeded;
    finding.message = exceeded(budget, *worst, isHere ? bottleneckOf(analysis.regions[worst->region]) : "");
    return finding;
  }
  if (!unknown && !budget.regions.empty())
    return std::nullopt;
  finding.code = codes::kBudgetUnchecked;
  finding.message =
      unchecked(budget, unknown ? whyUnknown(budget, *unknown) : "no region with instructions begins at its marker");
  return finding;
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
