// What there is to know of an x86 instruction beyond LLVM's descriptions: which flags it reads and writes, and which
// memory it touches.
#pragma once

#include "mca-core/program/memory_bytes.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCInst.h"

#include <cstdint>
#include <optional>

namespace llvm {
class MCSymbol;
}

namespace mca {

/// The operation in an opcode's name: ADD for ADD64ri8, JCC for JCC_1.
llvm::StringRef operationOf(llvm::StringRef opcode);

/// The address that an instruction names: base, scale, index, displacement and segment, in this order
/// (X86BaseInfo.h, which LLVM does not install).
struct X86Address {
  static constexpr unsigned kOperands = 5, kDisplacement = 3;

  unsigned first = 0;           ///< its first operand in the instruction
  llvm::MCRegister base, index; ///< invalid if there are none
  int64_t scale = 1;
  std::optional<int64_t> displacement; ///< nothing if it is an expression
  llvm::MCRegister segment;
};
/// Nothing if the instruction has none, or another kind, as string instructions.
std::optional<X86Address> x86AddressOf(const llvm::MCInst &inst, const Target &target);

/// The carry flag is renamed apart from the other flags.
enum FlagParts : uint8_t { kNoFlags = 0, kCarryFlag = 1, kOtherFlags = 2, kAllFlags = 3 };
/// Of an instruction that reads, or writes, the flags at all.
FlagParts flagsReadBy(const llvm::MCInst &inst, const Target &target);
FlagParts flagsWrittenBy(const llvm::MCInst &inst, const Target &target);
/// Returns the condition of a conditional jump or another instruction that has one (0, overflow, to 15, greater).
std::optional<unsigned> conditionOf(const llvm::MCInst &inst, const Target &target);

/// Memory that an instruction touches. Registers are 0 if there are none.
struct MemoryAccess {
  llvm::MCRegister base, index;
  int64_t scale = 1, displacement = 0;
  const llvm::MCSymbol *symbol = nullptr; ///< added to the displacement
  uint32_t bytes = 0;                     ///< 0: unknown
  bool isStack = false;                   ///< push or pop; the base has its value before the instruction
  bool isKnown = true;                    ///< false: the address contains something else
};

/// Returns the access of an instruction that loads or stores; nothing if it has no operand for it, like string
/// instructions, or none is needed. `sizes`: of the same target.
std::optional<MemoryAccess> memoryAccessOf(const llvm::MCInst &inst, const Target &target, const MemoryBytes &sizes);

/// By how much push and pop change the stack pointer; 0 for all other instructions.
int64_t stackChangeOf(llvm::StringRef opcode);
/// The register that push and pop read and write without naming it.
llvm::MCRegister stackPointer(const llvm::MCInst &inst, const Target &target);

/// Whether a register is all of x86's stack pointer.
bool isStackPointer(llvm::MCRegister reg, const Target &target);

/// The widest register that a register is a part of, or itself.
llvm::MCRegister wholeRegister(llvm::MCRegister reg, const Target &target);
/// Whether a write of the register leaves nothing of the whole one: a write of 32 bits clears the others.
bool definesWholeRegister(llvm::MCRegister reg, const Target &target);

} // namespace mca
