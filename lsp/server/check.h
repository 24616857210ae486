// `mca-lsp --check FILE...`: the same worker, supervisor and scheduler as behind an editor, for files on the command
// line. What a bug report needs, and what a script can read.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/features/check_report.h"
#include "lsp/server/worker_supervisor.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lsp {

struct CheckOptions {
  std::vector<std::string> files;
  analysis::wire::Settings settings;
  bool annotate = false;
  features::PageStyle style;
};

/// A file could not be read or analysed, or has a finding that is an error.
inline constexpr int kCheckFailed = 3;

/// Checks the files in their order and hands the report of each to `print`. 0 or kCheckFailed.
int check(const CheckOptions &options, const WorkerOptions &worker, const std::function<void(std::string_view)> &print);

} // namespace lsp
