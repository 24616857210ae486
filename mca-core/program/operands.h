// What an instruction reads, writes and accesses, as far as LLVM's tables leave it open.
#pragma once

#include "mca-core/target/target.h"

#include "llvm/MC/MCInst.h"

#include <cstdint>
#include <optional>

namespace mca {

/// The register of an operand; invalid if the operand is none.
llvm::MCRegister registerAt(const llvm::MCInst &inst, unsigned operand);
/// The number that an operand is.
std::optional<int64_t> immediateAt(const llvm::MCInst &inst, unsigned operand);

/// Whether an instruction writes a part of a register.
bool writesRegister(const Target &target, const llvm::MCInst &inst, llvm::MCRegister reg);

/// Whether an operand of a load or store is the base of its address: what is stored stands before it, an index after
/// it. RISC-V's has a type of its own, as all parts of an address have on x86, and AArch64's a class of registers.
bool isAddressBase(const Target &target, const llvm::MCOperandInfo &operand);

/// What an instruction's explicit memory operand is used for.
struct OperandUse {
  bool loads = false;
  bool stores = false;
};
/// One of the two accesses of x86's push, pop and call with a memory operand is the stack's.
OperandUse operandUseOf(const llvm::MCInst &inst, const Target &target);

/// The number that an instruction of x86 puts into a register, all of it.
std::optional<uint64_t> loadedNumberOf(const llvm::MCInst &inst, const Target &target);

/// A register becomes another one, or the same, plus a constant.
struct AddedConstant {
  llvm::MCRegister destination, source;
  int64_t constant = 0;
};
/// Reads additions, copies and addresses of x86, AArch64 and RISC-V, x86's push and pop, and the loads and stores of
/// AArch64 that also move their base. Such an instruction may write other registers, too.
std::optional<AddedConstant> addedConstantOf(const llvm::MCInst &inst, const Target &target);

} // namespace mca
