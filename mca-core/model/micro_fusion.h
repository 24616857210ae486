// How many slots of renaming an x86 instruction takes that accesses memory, on CPUs that handle a load and the
// operation on its value, or the two parts of a store, as one until they execute.
//
// Before renaming, Intel's CPUs since Sandy Bridge take some of these apart again: those whose address has an index.
// Since Haswell the operation of an instruction with an index stays with its load if it changes a register in place, as
// legacy encodings do, and reads no flags (Intel's Optimization Reference Manual, "micro-fusion"; which ones was
// measured for docs/truth.md).
#pragma once

#include "mca-core/target/target.h"

#include "llvm/MC/MCInst.h"

namespace mca {

/// LLVM's number of micro-ops less those that are fused: what an instruction takes with an address without an index.
/// `microOps`: at least 1. `isVector`: it has vector registers.
unsigned fusedSlots(const llvm::MCInst &inst, const Target &target, unsigned microOps, bool isVector);

/// Whether its operation is taken apart from its load: then it takes a slot more.
bool isUnlaminated(const llvm::MCInst &inst, const Target &target);

} // namespace mca
