// The files that `valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes [--branch-sim=yes]` writes.
#pragma once

#include "analysis/import/branch_records.h"

namespace analysis {

/// Counts of jumps and calls, and of conditional jumps that were not taken, as edges at the end of the text: ascending
/// by address, each different one once. Addresses are those of the program's file. Only the object of the program that
/// `cmd:` names counts, because callgrind has no other addresses for libraries than those of their files, either.
///
/// Mispredictions are those of callgrind's own, simple predictor: known with --branch-sim=yes. It counts them by
/// branch, so they are attributed to the branch's edges in their order.
std::unique_ptr<RecordingReader> createCallgrindReader();

} // namespace analysis
