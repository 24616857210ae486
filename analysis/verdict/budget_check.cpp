#include "analysis/verdict/budget_check.h"

#include "analysis/wire/finding_codes.h"
#include "analysis/wording/region_text.h"
#include "analysis/wording/verdict_text.h"
#include "analysis/wording/words.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr int kMaxDecimals = 2;

bool isCycles(const Budget &budget) {
  return budget.what == Budget::What::Cycles;
}

const char *nameOf(const Budget &budget) {
  return isCycles(budget) ? "cycles" : "ipc";
}

BudgetedRegion budgeted(const Budget &budget, const Region &region, const mca::Summary &summary) {
  const uint32_t several = std::max(region.sourceIterations, 1u);
  BudgetedRegion result{.name = nameOf(region)};
  result.value = isCycles(budget) ? summary.cyclesPerIteration() / several : summary.steadyIpc();
  result.decimals = isCycles(budget) && several == 1 ? 1 : 2;
  return result;
}

int decimalsOf(const Budget &budget, const BudgetedRegion &region) {
  const size_t point = budget.written.find('.');
  const auto written = point == std::string::npos ? 0 : static_cast<int>(budget.written.size() - point - 1);
  return std::clamp(written, region.decimals, kMaxDecimals);
}

std::string shown(const Budget &budget, const BudgetedRegion &region) {
  return decimals(*region.value, decimalsOf(budget, region));
}

/// What is compared; 0 without a value.
double compared(const Budget &budget, const BudgetedRegion &region) {
  return region.value ? std::stod(shown(budget, region)) : 0;
}

enum class Outcome : uint8_t { Met, Exceeded, Unknown };

Outcome outcomeOf(const Budget &budget, const BudgetedRegion &region) {
  if (!region.value)
    return Outcome::Unknown;
  const double value = compared(budget, region);
  const bool meets = isCycles(budget) ? value <= budget.limit : value >= budget.limit;
  if (region.calls.empty())
    return meets ? Outcome::Met : Outcome::Exceeded;
  return isCycles(budget) && !meets ? Outcome::Exceeded : Outcome::Unknown;
}

std::string exceeded(const Budget &budget, const std::string &cpu, const BudgetedRegion &region) {
  std::string message = std::string(nameOf(budget)) + (region.calls.empty() ? " " : " ≥ ") + shown(budget, region) +
                        (isCycles(budget) ? " > " : " < ") + budget.written + " on " + cpu + ": " +
                        (region.name.empty() ? "marked region" : region.name);
  if (!region.why.empty())
    message += "; " + region.why;
  for (const std::string &caveat : region.caveats)
    message += "; ≈ " + caveat;
  return message;
}

std::string whyUnknown(const Budget &budget, const BudgetedRegion &region) {
  if (!region.value)
    return region.why;
  return (region.name.empty() ? "the marked region" : region.name) + " " +
         (isCycles(budget) ? "takes " + shown(budget, region) + " or more: it " : "") + lowerBoundInWords(region.calls);
}

std::string unchecked(const Budget &budget, const std::string &cpu, const std::string &why) {
  return std::string("the budget of ") + nameOf(budget) + " is not checked on " + cpu + ": " + why;
}

} // namespace

bool isBudgetOf(const Budget &budget, const Region &region) {
  using wire::RegionKind;
  return (region.kind == RegionKind::Marker || region.kind == RegionKind::Path) &&
         region.anchor >= budget.marker.begin && region.anchor <= budget.marker.end;
}

BudgetedRegion budgetedHere(const Budget &budget, const AnalysedRegion &analysed) {
  BudgetedRegion result = budgeted(budget, *analysed.region, analysed.report->summary);
  result.why = bottleneckOf(analysed.verdict, analysed.region->sourceIterations, analysed.region->calls);
  result.caveats = analysed.caveats;
  result.calls = analysed.region->calls;
  return result;
}

BudgetedRegion budgetedOn(const Budget &budget, const Region &region, const OtherCpu &other) {
  if (!other.summary)
    return {.name = nameOf(region), .value = std::nullopt, .why = other.remark};
  BudgetedRegion result = budgeted(budget, region, *other.summary);
  result.caveats = region.caveats;
  result.calls = region.calls;
  if (!other.remark.empty())
    result.caveats.push_back(other.remark);
  return result;
}

BudgetedRegion notBudgeted(const Region &region) {
  return {.name = nameOf(region), .value = std::nullopt, .why = "its region cannot be simulated"};
}

wire::Budget resultOf(const Budget &budget, const std::string &cpu, const BudgetedRegion &region) {
  const Outcome outcome = outcomeOf(budget, region);
  return {.what = nameOf(budget),
          .limit = budget.limit,
          .value = compared(budget, region),
          .cpu = cpu,
          .met = outcome == Outcome::Met,
          .checked = outcome != Outcome::Unknown};
}

std::optional<wire::Finding> findingOf(const Budget &budget, const std::string &cpu,
                                       std::span<const BudgetedRegion> regions) {
  wire::Finding finding{.at = budget.at, .severity = wire::Severity::Warning};
  const BudgetedRegion *worst = nullptr, *unknown = nullptr;
  for (const BudgetedRegion &region : regions) {
    const Outcome outcome = outcomeOf(budget, region);
    if (outcome == Outcome::Unknown)
      unknown = unknown ? unknown : &region;
    else if (outcome == Outcome::Exceeded &&
             (!worst || (isCycles(budget) ? *region.value > *worst->value : *region.value < *worst->value)))
      worst = &region;
  }
  if (worst) {
    finding.code = wire::codes::kBudgetExceeded;
    finding.message = exceeded(budget, cpu, *worst);
    return finding;
  }
  if (!unknown && !regions.empty())
    return std::nullopt;
  finding.code = wire::codes::kBudgetUnchecked;
  finding.message = unchecked(
      budget, cpu, unknown ? whyUnknown(budget, *unknown) : "no region with instructions begins at its marker");
  return finding;
}

} // namespace analysis
