// A region as a text of its own, for other CPUs and for llvm-mca: its instructions in the order of execution, after the
// directives and comments that they depend on (the syntax, instruments such as RISC-V's vector type).
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <span>
#include <string>

namespace analysis {

/// `instructions` are indices into the program's, in the order of execution.
std::string listingOf(const mca::Program &program, const mca::Target &target, std::span<const uint32_t> instructions);

} // namespace analysis
