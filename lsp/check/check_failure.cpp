#include "lsp/check/check_failure.h"

#include "analysis/wire/enum_names.h"
#include "analysis/wire/finding_codes.h"

#include <algorithm>

namespace lsp::features {
namespace {

using analysis::wire::Severity;
using protocol::CheckFile;
using protocol::CheckFinding;

std::optional<Severity> severityOf(std::string_view word) {
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Information})
    if (word == nameOf(severity))
      return severity;
  return std::nullopt;
}

} // namespace

FailOn defaultFailOn() {
  return {Severity::Error, {analysis::wire::codes::kBudgetExceeded, analysis::wire::codes::kBudgetUnchecked}};
}

std::optional<FailOn> readFailOn(const std::vector<std::string> &words, std::string &unknown) {
  FailOn failOn;
  for (const std::string &word : words) {
    if (const std::optional<Severity> severity = severityOf(word))
      failOn.least = std::max(failOn.least.value_or(*severity), *severity);
    else if (word == "regression")
      failOn.codes.insert(analysis::wire::codes::kSlowerThanBaseline);
    else if (analysis::wire::findFindingKind(word))
      failOn.codes.insert(word);
    else if (word != "never") {
      unknown = word;
      return std::nullopt;
    }
  }
  return failOn;
}

bool fails(const std::vector<CheckFile> &files, const FailOn &failOn) {
  const auto counts = [&](const CheckFinding &finding) {
    return (failOn.least && finding.severity <= *failOn.least) || failOn.codes.contains(finding.code);
  };
  return std::any_of(files.begin(), files.end(), [&](const CheckFile &file) {
    return std::any_of(file.findings.begin(), file.findings.end(), counts);
  });
}

} // namespace lsp::features
