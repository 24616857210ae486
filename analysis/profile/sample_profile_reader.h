// Sample profiles as AutoFDO's create_llvm_prof and LLVM's llvm-profgen write them: text, binary or extensible binary.
#pragma once

#include "analysis/profile/profile_records.h"

namespace analysis {

/// How often the lines of functions were sampled. That follows from branch records and is no time. A line's place is
/// its distance from the function's declaration; what was inlined counts for the line of the call.
std::unique_ptr<ProfileReader> createSampleProfileReader();

} // namespace analysis
