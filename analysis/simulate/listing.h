// A region as a text of its own, for other CPUs, for llvm-mca and for measuring: its instructions in the order of
// execution, after the directives and comments that they depend on (the syntax, instruments such as RISC-V's vector
// type).
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <span>
#include <string>

namespace analysis {

/// `instructions` are indices into the program's, in the order of execution.
std::string listingOf(const mca::Program &program, const mca::Target &target, std::span<const uint32_t> instructions);

/// The same as code that can run alone, again and again: its last jump leads to its first instruction, and each other
/// jump to the next one, whether it is taken or not. `labels` is what the names of its labels begin with. Comments
/// about the simulation are left out.
std::string runnableListingOf(const mca::Program &program, const mca::Target &target,
                              std::span<const uint32_t> instructions, const std::string &labels);

/// The comments above the listing of a region with such loads (mca::Simulation::operandLoads): mca then gives the
/// numbers of the region, which llvm-mca does not. Empty for 0.
std::string operandStatement(const mca::Target &target, uint32_t operandLoads);

} // namespace analysis
