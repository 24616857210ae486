// How far the memory accesses of a loop move from one iteration to the next.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <cstdint>
#include <span>

namespace analysis {

/// The farthest that an access of these instructions (one iteration, indices in the program) moves, in bytes; where
/// none moves by a known constant, the largest step of a counter; 0 when there is none either. Reads the additions and
/// addresses of x86, AArch64 and RISC-V.
uint64_t advanceOf(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions);

} // namespace analysis
