// Which loads read what a store of the region wrote, because both have the same operand.
//
// Two accesses have the same address if their operands are the same (base, index, scale, displacement, symbol, segment)
// and no register of the operand is written between them. No guess is needed, unlike for two different registers. How
// many bytes each of them accesses does not matter: they begin at the same byte, so a load that is wider than the store
// waits for it, too.
//
// - In all iterations, if the region writes none of the registers. A call may change any register.
// - In one iteration, if a store comes before the load, and neither a register of the operand nor, along a trace, the
//   order of the two is in doubt.
//
// Operands are read on x86, AArch64, ARM and RISC-V. Those that move their base are left out, as are string
// instructions, the stack accesses of push, pop, call and ret, bit tests whose register selects the byte, gathers and
// scatters of SVE, and hints such as prefetches, which LLVM describes as loads and stores.
#pragma once

#include "mca-core/assembly/program.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mca {

/// The places, numbered from 1, that an instruction loads from and stores to. 0: none that matters.
struct PlaceAccess {
  uint32_t loaded = 0;
  uint32_t stored = 0;
};

struct MemoryPlaces {
  std::vector<PlaceAccess> accesses; ///< by simulated instruction; empty if no load reads what the region stores
  uint32_t count = 0;                ///< of places
  uint32_t loads = 0;                ///< instructions that load from one
};

/// `region`: all instructions. `simulated`: positions in it, ascending. `textOf`: the printed instruction, by its index
/// in `simulated`. `inAnyOrder`: the instructions are those of a trace; only places of registers that none of them
/// writes are found.
MemoryPlaces findMemoryPlaces(const Target &target, const Program &program, std::span<const uint32_t> region,
                              std::span<const uint32_t> simulated, llvm::function_ref<llvm::StringRef(size_t)> textOf,
                              bool inAnyOrder);

} // namespace mca
