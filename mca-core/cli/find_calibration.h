// Which calibration `mca -calibration` stands for: a file, or one that is found by the CPU.
#pragma once

#include "mca-core/calibration/calibration.h"
#include "mca-core/target/result.h"

#include <string>

namespace llvm {
class raw_ostream;
}

namespace mca {

/// Reads the calibration of the CPU that LLVM calls `cpu`. `choice`: a path; or `shipped`, the one that is compiled in;
/// or `documented`, the profile of what is published of it; or `auto`, the user's own file if this machine has that
/// CPU, else the shipped one, else the profile. Fails if there is none, saying where it would be, or if it cannot be
/// used.
Result<Calibration> findCalibration(const std::string &choice, const std::string &cpu);

/// Prints what `auto`, `shipped` and `documented` find.
void listCalibrations(llvm::raw_ostream &out);

} // namespace mca
