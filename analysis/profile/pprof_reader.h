// Profiles in pprof's format, as Go, gperftools, Rust's pprof, perf_to_profile and the profilers of clouds write them.
#pragma once

#include "analysis/profile/profile_records.h"

namespace analysis {

/// Of several kinds of values the one counts that the profile names as its default, or else the last one. Of a call
/// chain the innermost location counts. One without an address has the source line of the function that was not
/// inlined.
std::unique_ptr<ProfileReader> createPprofReader();

} // namespace analysis
