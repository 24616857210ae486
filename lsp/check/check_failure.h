// The findings that make a run of --check fail: `--fail-on=error,budget-exceeded`.
#pragma once

#include "lsp/check/check_document.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lsp {

/// Findings that fail a run; none of them by default.
struct FailOn {
  std::optional<analysis::wire::Severity> least; ///< findings of this severity and graver ones
  std::set<std::string, std::less<>> codes;      ///< findings with one of these codes
  bool hotRegression = false; ///< loops slower than the baseline that take at least 1 % of a profile's time
};

/// Errors, and budgets that are exceeded or could not be checked: for a user who does not give --fail-on.
FailOn defaultFailOn();

/// Reads words: a severity (error, warning, information), `regression`, `hot-regression`, `never`, or a finding's code.
/// No value if a word is none of these; `unknown` is the first such word.
std::optional<FailOn> readFailOn(const std::vector<std::string> &words, std::string &unknown);

/// Whether one of the findings counts.
bool fails(const std::vector<CheckFile> &files, const FailOn &failOn);

} // namespace lsp
