// The samples of `perf script -F comm,ip,sym,symoff,dso,event,period`.
#pragma once

#include "analysis/profile/profile_records.h"

namespace analysis {

/// Time by address. Of several events the first counts, and others with the same unit if that is one of time. Of a call
/// chain only its innermost frame counts.
std::unique_ptr<ProfileReader> createPerfSampleReader();

} // namespace analysis
