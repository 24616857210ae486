// Complete traces, as `perf script --itrace=b -F ip,addr,flags` decodes them: Intel PT, Arm's CoreSight.
#pragma once

#include "analysis/import/branch_records.h"

namespace analysis {

/// Taken branches in order, of one thread, or of several if `-F pid,tid,ip,addr,flags` says which. Where decoding
/// failed is a gap. Where the program goes on after an interrupt or a system call is visited.
std::unique_ptr<RecordingReader> createPerfTraceReader();

} // namespace analysis
