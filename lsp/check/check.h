// `mca-lsp --check`: the same worker, supervisor and scheduler as behind an editor, for files on the command line. What
// a bug report needs, what a script can read, and what a build can fail on.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/check/check_failure.h"
#include "lsp/check/check_files.h"
#include "lsp/check/check_report.h"
#include "lsp/jobs/worker_supervisor.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lsp {

enum class CheckFormat : uint8_t { Text, Json, Sarif, Markdown };

struct CheckOptions {
  CheckSelection selection;
  std::vector<std::string> merge; ///< the JSON of each shard of a run, in place of files
  analysis::wire::Settings settings;
  unsigned jobs = 1;
  CheckFormat format = CheckFormat::Text;
  bool annotate = false; ///< as text: the source with its hints
  features::PageStyle style;
  std::string output;           ///< where the result goes; empty: to `print`
  std::string baseline;         ///< the JSON of an earlier run; empty for none
  size_t top = 10;              ///< loops in each list of those that deserve a look first
  double regressionPercent = 5; ///< more cycles than this are slower than the baseline
  features::FailOn failOn = features::defaultFailOn();
};

/// What a run says besides its result.
struct CheckOutput {
  std::function<void(std::string_view)> print;
  /// Work on the `number`th of `total` files begins; called with an empty name before something is printed.
  std::function<void(size_t number, size_t total, const std::string &name)> progress;
};

/// A file has a finding that the run shall fail on.
inline constexpr int kCheckFailed = 3;
/// The run cannot be done: what it is given cannot be read, its result not written, or nothing of it is in the
/// baseline. The log says why.
inline constexpr int kCheckUnusable = 2;

/// Checks the files and hands out the result, each file's text as soon as those before it are done. 0, kCheckFailed or
/// kCheckUnusable.
int check(const CheckOptions &options, const WorkerOptions &worker, const CheckOutput &output);

} // namespace lsp
