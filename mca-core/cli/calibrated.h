// `mca -calibration`: simulates regions on a CPU as it was measured instead of on LLVM's model.
#pragma once

#include "mca-core/cli/options.h"

namespace llvm {
class raw_ostream;
}

namespace mca {

/// Prints a report for each region. Returns false, after printing an error, if the calibration cannot be used or a
/// region cannot be reported.
bool reportCalibrated(const Target &target, const Program &program, const Options &options, llvm::raw_ostream &out);

} // namespace mca
