// The costs in the files of `valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes`.
#pragma once

#include "analysis/profile/profile_records.h"

namespace analysis {

/// How often each instruction of the program executed. That is its weight, too: it says nothing of time, but it is
/// exact.
std::unique_ptr<ProfileReader> createCallgrindCostReader();

} // namespace analysis
