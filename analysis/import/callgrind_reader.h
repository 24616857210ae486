// The files that `valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes [--branch-sim=yes]` writes.
#pragma once

#include "analysis/import/branch_records.h"

namespace analysis {

/// Counts of jumps and calls, and of conditional jumps that were not taken, as edges at the end of the text: ascending
/// by the branch, each different one once.
///
/// Addresses are those of an object's file, so a program's and its libraries' overlap: only the program that `cmd:`
/// names counts. Mispredictions are those of callgrind's own, simple predictor, and known with --branch-sim=yes.
/// Callgrind counts them by branch; the first edges of a branch get as many as they can have.
std::unique_ptr<RecordingReader> createCallgrindReader();

} // namespace analysis
