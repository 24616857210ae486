// Complete traces, as `perf script --itrace=b -F ip,addr,flags` decodes them: Intel PT, Arm's CoreSight.
#pragma once

#include "analysis/import/branch_records.h"

namespace analysis {

/// Taken branches in order. Where tracing starts, stops or loses data, and around interrupts and system calls, is a
/// gap. A recording of several threads has to be filtered by --tid: the lines do not say to which they belong.
std::unique_ptr<RecordingReader> createPerfTraceReader();

} // namespace analysis
