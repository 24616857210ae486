// A hash by which a region is found again in another version of its text: the lines that its name holds may have moved
// since, and labels may have been numbered anew.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <cstdint>
#include <span>

namespace analysis {

/// Equal for equal instructions, whatever symbols and labels they name. The names of opcodes and registers are hashed
/// rather than LLVM's numbers for them, which differ between its versions. Never 0. `region`: indices in the program.
uint64_t codeDigest(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> region);

} // namespace analysis
