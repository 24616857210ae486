// Whether a loop computes with vectors. Of the loops that a vectorizer made of one statement, the fallback for arrays
// that overlap may do as many iterations at once as the vector body: only their instructions distinguish the two.
//
// LLVM's tables give the sizes of registers. Scalar code of several targets uses vector registers, too: its own
// instructions for single numbers, copies, and bit operations on one number (an absolute value, a zero) do not count.
// Other idioms of scalar code do (conversions from 64-bit integers on x86, counting bits on AArch64), but move no
// vectors between registers and memory: loops are compared by VectorUse.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <span>

namespace analysis {

/// The most that an instruction does with vectors.
enum class VectorUse : uint8_t {
  None,
  Registers, ///< computes with some in registers
  Memory,    ///< loads or stores whole ones, at an address that the loop changes
};

/// Of these instructions, indices in the program, which make one iteration.
VectorUse vectorUseOf(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions);

} // namespace analysis
