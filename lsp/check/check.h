// `mca-lsp --check`: files on the command line, analysed by the worker, supervisor and scheduler that serve an editor.
// So a bug report shows what the editor shows, and a build can fail on it.
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
  std::vector<std::string> merge; ///< the JSON of each shard of a run, in place of files; "@FILE": those that it names
  std::string unit;               ///< a file with the description of the one file of the run (check_unit.h)
  analysis::wire::Settings settings;
  unsigned jobs = 1; ///< workers; 0 counts as 1
  CheckFormat format = CheckFormat::Text;
  std::string measure;   ///< path of mca-measure, which compares results in trusted folders
  std::string advise;    ///< "predicted": try what would make each loop faster; "measured": and time it; empty: neither
  bool annotate = false; ///< as text: the source with its hints
  PageStyle style;
  std::string output;           ///< file for the result; empty: to `print`
  std::string depfile;          ///< file for a rule of make with what the result was made from; empty for none
  std::string baseline;         ///< the JSON of an earlier run; empty for none
  size_t top = 10;              ///< loops in each list of those that deserve a look first
  double regressionPercent = 5; ///< more cycles than this are slower than the baseline
  FailOn failOn = defaultFailOn();
};

/// Where a run reports to.
struct CheckOutput {
  std::function<bool(std::string_view)> print; ///< false if it could not be written
  /// Work on the `number`th of `total` files begins; called with an empty name before something is printed.
  std::function<void(size_t number, size_t total, const std::string &name)> progress;
};

// The statuses are those of docs/check.md; CLI11's own, for mistaken options, are above 100.

/// The status of a run that has a finding to fail on.
inline constexpr int kCheckFailed = 3;
/// The status of a run that is impossible: an input cannot be read, the result cannot be written, or nothing of the run
/// is in the baseline. The log says why.
inline constexpr int kCheckUnusable = 2;

/// Checks the files and writes the result: each file's text as soon as those before it are done. Returns 0,
/// kCheckFailed or kCheckUnusable.
int check(const CheckOptions &options, const WorkerOptions &worker, const CheckOutput &output);

} // namespace lsp
