// Instructions that are written as data: `.byte 0x66, 0x0f, 0x3a, 0x0f, 0xca, 0x04`, `.inst 0xd503201f`.
//
// A text may have instructions as data that its author's assembler did not know, and data in code that is none: tables,
// literal pools, padding. The data that control flow reaches is decoded. It does so by falling through from the
// instruction before it, or by a branch to a label before it; and if what it falls through to could not be reached
// otherwise. Where branches lead is known at the end of a text: a text with such data is parsed a second time, with the
// instructions that the first parse found.
//
// x86 texts write prefixes as data before an instruction (`.byte 0xf3` before `ret`). They are a part of it.
#pragma once

#include "mca-core/assembly/program.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCSubtargetInfo.h"

#include <optional>
#include <string>
#include <vector>

namespace mca {

/// The data of one directive in code.
struct CodeData {
  uint32_t instruction = 0; ///< index of the next instruction
  uint32_t label = 0;       ///< index of the next label
  const llvm::MCSection *section = nullptr;
  const llvm::MCSubtargetInfo *subtarget = nullptr; ///< in force there
  std::string bytes;
  bool endsUnknown = false; ///< after the bytes come some that only a linker knows
};

/// What the data of a directive reads as. Empty for data that control flow does not reach.
struct DecodedData {
  llvm::SmallVector<llvm::MCInst, 1> instructions; ///< those whose first byte is in it
  bool isUnread = false;                           ///< it is executed, and some of it could not be decoded
  std::optional<llvm::MCInst> next;                ///< the instruction after it, if its prefixes make that another one
  unsigned nextFlags = 0;                          ///< or what they add to that instruction's flags
};

/// Decodes the data of a program; empty if none of it is reached. `data`: in text order.
std::vector<DecodedData> decodeCodeData(const ProgramContents &program, const Target &target, llvm::MCContext &context,
                                        std::span<const CodeData> data);

/// Whether the instruction is a directive that LLVM keeps as an instruction without a meaning: RISC-V's and SystemZ's
/// `.insn`.
bool isInsnDirective(const Target &target, const llvm::MCInst &inst);

/// The instruction that such a directive encodes; nothing if it cannot be decoded.
std::optional<llvm::MCInst> decodeInsn(const Target &target, llvm::MCContext &context, const llvm::MCInst &inst,
                                       const llvm::MCSubtargetInfo &subtarget);

} // namespace mca
