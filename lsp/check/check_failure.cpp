// The words of --fail-on. They add up, whatever their order: `never` adds nothing, and so it fails a run on nothing if
// it stands alone.
#include "lsp/check/check_failure.h"

#include "analysis/wire/enum_names.h"
#include "analysis/wire/finding_codes.h"

#include <algorithm>

namespace lsp {

using analysis::wire::Severity;
namespace codes = analysis::wire::codes;

FailOn defaultFailOn() {
  return {Severity::Error, {codes::kBudgetExceeded, codes::kBudgetUnchecked}};
}

std::optional<FailOn> readFailOn(const std::vector<std::string> &words, std::string &unknown) {
  constexpr Severity kSeverities[] = {Severity::Error, Severity::Warning, Severity::Information};
  FailOn failOn;
  for (const std::string &word : words) {
    const auto *const severity = std::ranges::find_if(kSeverities, [&](Severity one) { return word == nameOf(one); });
    if (severity != std::end(kSeverities))
      failOn.least = std::max(failOn.least.value_or(*severity), *severity);
    else if (word == "regression")
      failOn.codes.insert(codes::kSlowerThanBaseline);
    else if (word == "hot-regression")
      failOn.hotRegression = true;
    else if (analysis::wire::findFindingKind(word))
      failOn.codes.insert(word);
    else if (word != "never") {
      unknown = word;
      return std::nullopt;
    }
  }
  return failOn;
}

namespace {

/// Whether the finding is that a loop on its line, on which the program spends time, is slower than in the baseline.
bool isHotRegression(const CheckFile &file, const CheckFinding &finding) {
  constexpr double kHot = 0.01;
  return finding.code == codes::kSlowerThanBaseline &&
         std::ranges::any_of(file.regions, [&](const CheckRegion &region) {
           return region.line == finding.at.line && isProfiled(region) && region.profile.share >= kHot;
         });
}

} // namespace

bool fails(const std::vector<CheckFile> &files, const FailOn &failOn) {
  return std::ranges::any_of(files, [&](const CheckFile &file) {
    return std::ranges::any_of(file.findings, [&](const CheckFinding &finding) {
      return (failOn.least && finding.severity <= *failOn.least) || failOn.codes.contains(finding.code) ||
             (failOn.hotRegression && isHotRegression(file, finding));
    });
  });
}

} // namespace lsp
