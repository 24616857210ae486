// What the calibrated machine has to know of an x86 instruction beyond LLVM's descriptions: which flags it reads and
// writes, which memory it touches, and what it adds to a register.
#pragma once

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

/// An address has base, scale, index, displacement and segment, in this order.
constexpr unsigned kAddressOperands = 5;
/// The first operand of the instruction's address; nothing if it has none, or another kind, as string instructions.
std::optional<unsigned> firstAddressOperand(const llvm::MCInst &inst, const Target &target);

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
/// instructions, or none is needed. `intel`: a printer of Intel's syntax, which shows the size.
std::optional<MemoryAccess> memoryAccessOf(const llvm::MCInst &inst, const Target &target, llvm::MCInstPrinter &intel);

/// By how much push and pop change the stack pointer; 0 for all other instructions.
int64_t stackChangeOf(llvm::StringRef opcode);

/// The widest register that a register is a part of, or itself.
llvm::MCRegister wholeRegister(llvm::MCRegister reg, const Target &target);
/// Whether a write of the register leaves nothing of the whole one: a write of 32 bits clears the others.
bool definesWholeRegister(llvm::MCRegister reg, const Target &target);

/// A 64-bit register becomes another one, or the same, plus a constant.
struct AddedConstant {
  llvm::MCRegister destination, source;
  int64_t constant = 0;
};
std::optional<AddedConstant> addedConstantOf(const llvm::MCInst &inst, const Target &target);

} // namespace mca
