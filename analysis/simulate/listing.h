// A region as a text of its own, which llvm-mca reads: its instructions in the order of their execution, and in front
// of them what they rest on, the syntax and the vector type in force.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <span>
#include <string>

namespace analysis {

/// `instructions` are indices in the program.
std::string listingOf(const mca::Program &program, const mca::Target &target, std::span<const uint32_t> instructions);

} // namespace analysis
