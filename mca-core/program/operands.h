// What an instruction reads, writes and accesses.
#pragma once

#include "mca-core/target/target.h"

#include "llvm/MC/MCInst.h"

namespace mca {

/// Whether an instruction writes a part of a register.
bool writesRegister(const Target &target, const llvm::MCInst &inst, llvm::MCRegister reg);

} // namespace mca
