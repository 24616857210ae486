// The worker's steps in words: in the client's progress, in the log, and in the finding that reports its death.
#pragma once

#include "lsp/workspace/worker_death.h"

namespace lsp::wording {

/// "compiling", "parsing", "looking for regions" or "simulating".
std::string stageText(const analysis::wire::Progress &progress);

/// Reports a worker's death at the place that it was working on.
analysis::wire::Finding findingOfDeath(const WorkerDeath &death, AfterDeath after);

} // namespace lsp::wording
