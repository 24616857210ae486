// Coverage as `gcov --json-format --branch-probabilities --stdout` prints it.
#pragma once

#include "analysis/import/branch_records.h"

namespace analysis {

/// Counts by line of the source, and of the conditional branches of each line.
std::unique_ptr<RecordingReader> createGcovReader();

} // namespace analysis
