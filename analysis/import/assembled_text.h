// An assembly text as an assembler encodes it: the bytes of each instruction and where they lie in their section.
//
// LLVM's object streamers say nothing about single instructions. So the text is assembled with a symbol of its own
// before each, and the symbols are read from the object file. Instructions of one macro call share the call's place:
// they follow its first one.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/program/branch.h"
#include "mca-core/target/result.h"
#include "mca-core/target/target.h"

#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/Object/ObjectFile.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace analysis {

struct EncodedInstruction {
  static constexpr uint32_t kNowhere = ~0u;
  uint32_t section = kNowhere; ///< index of the section; kNowhere if the place is not known
  uint64_t offset = 0;         ///< in the section
  llvm::StringRef bytes;
  std::string relocation; ///< the name of its relocation's type; empty without one
};

/// Whether two decoded instructions differ only in numbers.
bool haveSameRegisters(const llvm::MCInst &one, const llvm::MCInst &other);
/// Whether two decoded instructions are the same.
bool areEqual(const llvm::MCInst &one, const llvm::MCInst &other);

/// What bytes mean as an instruction.
struct DecodedInstruction {
  llvm::MCInst inst;
  uint64_t size = 0; ///< in bytes
};

class AssembledText {
public:
  /// Fails at the first line that does not assemble, or if the target has no assembler for ELF files.
  static mca::Result<std::unique_ptr<AssembledText>> assemble(const mca::Target &target, const mca::Program &program);
  ~AssembledText();

  /// By index in the program.
  const EncodedInstruction &at(uint32_t instruction) const { return instructions_[instruction]; }
  /// The declared size of a function in bytes; 0 if the text declares none.
  uint64_t sizeOf(llvm::StringRef function) const { return sizes_.lookup(function); }
  /// The file that was assembled.
  const llvm::object::ObjectFile &object() const { return *object_; }
  /// Decodes the instruction that the bytes start with. Nothing if they are none.
  std::optional<DecodedInstruction> decode(llvm::StringRef bytes, uint64_t address) const;
  mca::BranchKind kindOf(const llvm::MCInst &inst) const { return mca::classifyBranch(target_, inst).kind; }
  bool isNop(const llvm::MCInst &inst) const { return llvm::StringRef(mnemonicOf(inst)).ends_with("nop"); }
  /// Where a direct branch at an address goes; nothing for other instructions.
  std::optional<uint64_t> targetOf(const DecodedInstruction &branch, uint64_t address) const;
  const llvm::Triple &triple() const { return target_.triple(); }
  /// As the target's printer writes it, without operands.
  std::string mnemonicOf(const llvm::MCInst &inst) const;

private:
  explicit AssembledText(const mca::Target &target);
  void readSymbols(const mca::Program &program);
  void fillGaps();
  void readRelocations();

  const mca::Target &target_;
  std::unique_ptr<llvm::MCContext> context_; ///< of the disassembler
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
  llvm::SmallVector<char, 0> bytes_;
  std::unique_ptr<llvm::object::ObjectFile> object_;
  std::vector<llvm::StringRef> sections_; ///< contents by index
  std::vector<EncodedInstruction> instructions_;
  llvm::StringMap<uint64_t> sizes_;
};

} // namespace analysis
