// The branch stacks of `perf script -F ip,brstack --show-mmap-events`: Intel's LBR, AMD's BRS and LbrExtV2, Arm's BRBE
// and SPE.
#pragma once

#include "analysis/import/branch_records.h"

namespace analysis {

/// Each sample is a window: after a gap, its branches with the oldest first, and whether they were predicted. LBR has
/// only taken branches, BRBE and SPE have the others, too. Branches from or to the kernel, and aborted transactions,
/// are gaps.
std::unique_ptr<RecordingReader> createPerfReader();

} // namespace analysis
