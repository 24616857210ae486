// What makes a run of --check fail: `--fail-on=error,budget-exceeded`.
#pragma once

#include "lsp/check/check_document.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lsp::features {

struct FailOn {
  std::optional<analysis::wire::Severity> least; ///< findings of this severity and graver ones
  std::set<std::string, std::less<>> codes;      ///< findings with one of these codes
};

/// What fails a run unless the user says something else: errors, and budgets that are exceeded or could not be checked.
FailOn defaultFailOn();

/// Reads words: a severity (error, warning, information), `regression`, `never`, or a finding's code. The first word
/// that is none of these is left in `unknown`.
std::optional<FailOn> readFailOn(const std::vector<std::string> &words, std::string &unknown);

bool fails(const std::vector<protocol::CheckFile> &files, const FailOn &failOn);

} // namespace lsp::features
