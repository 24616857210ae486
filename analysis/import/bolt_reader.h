// Profiles of BOLT: the preaggregated format that `perf2bolt -pa` reads.
#pragma once

#include "analysis/import/branch_records.h"

namespace analysis {

/// Counts of branches with their mispredictions, and of the straight lines between them. Addresses are those of the
/// program's file. Places in other objects, which start with a build ID, are ignored.
std::unique_ptr<RecordingReader> createBoltReader();

} // namespace analysis
