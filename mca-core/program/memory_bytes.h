// How many bytes an instruction moves between registers and memory.
#pragma once

#include "mca-core/target/target.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mca {

/// Bytes of what an AArch64 load or store of LLVM's name moves for each register, 0 if the name does not say.
uint32_t accessBytes(llvm::StringRef name);

/// What an AArch64 load or store of whole vectors moves: two of 16 bytes for "LD2Twov8h_POST"; none for any other name.
struct Structure {
  uint32_t registers = 0;
  uint32_t bytes = 0; ///< of each
};
Structure structureOf(llvm::StringRef name);

/// The sizes of memory operands, read from what LLVM's tables say of each target.
class MemoryBytes {
public:
  explicit MemoryBytes(const Target &target);

  /// Bytes loaded plus bytes stored; 0 for none. Of vectors whose length is the CPU's the least that the instruction
  /// set allows, 16; otherwise those of the registers that are loaded or stored.
  uint32_t of(const llvm::MCInst &inst) const;
  /// The same of its widest operand; of what moves several registers, of one of them.
  uint32_t widest(const llvm::MCInst &inst) const;
  /// On x86, the size of its first operand in memory; 0 if it has none, or the size is unknown.
  uint32_t ofX86Operand(const llvm::MCInst &inst) const;

private:
  /// Bytes of each operand in memory, once for loading and once for storing it.
  using Accesses = llvm::SmallVector<uint32_t, 4>;
  Accesses accessesOf(const llvm::MCInst &inst) const;
  Accesses onX86(const llvm::MCInst &inst) const;
  Accesses x86Operands(const llvm::MCInst &inst) const;
  Accesses ofRegisters(const llvm::MCInst &inst) const;

  const Target &target_;
  std::unique_ptr<llvm::MCInstPrinter> printer_; // of x86: Intel's syntax, which has the size
};

} // namespace mca
