// Hand-picked instructions of each architecture on few registers, in odd/: those whose renaming, latency, order or
// retirement is out of the ordinary, among plain ones. Bodies of them are dense with dependencies.
#pragma once

#include "llvm/TargetParser/Triple.h"

#include <string>
#include <vector>

namespace differential {

/// One a line. Some may be unknown to a CPU's assembler.
std::vector<std::string> oddInstructions(const llvm::Triple &triple);

} // namespace differential
