// How far the memory accesses of a loop move from one iteration to the next. A vector body moves as many times farther
// than the loop of single iterations as it does more of them, whatever the compiler reports.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <cstdint>
#include <span>

namespace analysis {

/// How far one iteration moves.
struct Advance {
  uint64_t distance = 0; ///< 0 if unknown
  bool ofMemory = false; ///< in bytes, of the access that moves farthest; otherwise the largest step of a counter
  bool operator==(const Advance &) const = default;
};

/// Of these instructions, indices in the program, which make one iteration. A counter's step is given where no access
/// moves by a known constant. Reads the additions, copies and addresses of x86, AArch64 and RISC-V.
Advance advanceOf(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions);

/// By what the addresses of an iteration's accesses move.
enum class Strides : uint8_t {
  Constant,   ///< each by a known constant, or not at all
  ByRegister, ///< one by a register that the iteration does not write: the distance is known only when the program runs
  Unknown
};
/// Of these instructions, indices in the program, which make one iteration. Reads the same instructions, and additions
/// of registers.
Strides stridesOf(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions);

/// Whether it depends on what these instructions load where one of them stores, as in a histogram: iterations then
/// store to one place if the data say so.
bool storesWhereDataSay(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions);

/// Bytes of the widest access among them that moves by a known constant; 0 when none does.
uint32_t widestMoving(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions);

} // namespace analysis
