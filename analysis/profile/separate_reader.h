// Reads a recording in a child process. LLVM's readers of binary profiles believe what a file says of its tables: a
// damaged or hostile one makes them crash, or reserve more memory than there is. Then the child ends, and the recording
// is refused.
#pragma once

#include "analysis/profile/profile_records.h"

namespace analysis {

/// A reader that reads as `reader` does, in a child with 2 GiB of memory and a minute of processor time. Where it
/// reads, the process must have one thread only.
std::unique_ptr<ProfileReader> readSeparately(std::unique_ptr<ProfileReader> reader);

} // namespace analysis
