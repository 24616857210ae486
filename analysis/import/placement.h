// Where the instructions of an assembly text lie in a program.
//
// A function of the text is that of the program with the same name and the same bytes. What the linker may change is
// compared as instructions: where a relocation stands, or a branch leaves the function, the opcode and the registers
// have to agree, and for relocations that linkers replace by shorter ways (through the GOT, for example) nothing.
// Padding between instructions is not compared, and belongs to the instruction after it. Where linkers shorten code,
// relaxed_function.h has the rules; for code that differs otherwise, mapped_blocks.h. A function that fits in no way is
// refused with the first difference: its counts would belong to other instructions.
#pragma once

#include "analysis/import/assembled_text.h"
#include "analysis/import/program_image.h"
#include "mca-core/program/branches.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace analysis {

class Placement {
public:
  static constexpr uint64_t kNoAddress = ~uint64_t{0};

  Placement(const mca::ProgramBranches &branches, const mca::Program &program, const AssembledText &text,
            const ProgramImage &image);

  /// The address of an instruction in the program's file; kNoAddress if its function was refused, or if only its blocks
  /// were found.
  uint64_t addressOf(uint32_t instruction) const { return addresses_[instruction]; }
  /// The instruction at an address, or after the padding that starts there; otherwise mca::kNone.
  uint32_t instructionAt(uint64_t address) const {
    if (address - lowest_ > highest_ - lowest_)
      return mca::kNone;
    const auto found = instructions_.find(address);
    return found == instructions_.end() ? mca::kNone : found->second;
  }
  bool isEmpty() const { return instructions_.empty(); }
  /// Why a function, by index in ProgramBranches::functions(), was refused; empty if it was placed.
  const std::string &refusal(uint32_t function) const { return refusals_[function]; }

private:
  /// A piece of a function in one section: all of it, or its cold part.
  struct Part {
    uint32_t function = 0;
    std::string name;
    std::vector<uint32_t> instructions;
  };
  std::vector<Part> findParts() const;
  std::string place(const Part &part);
  std::optional<std::vector<uint64_t>> addressesIn(const Part &part, const ProgramFunction &function,
                                                   std::string &why) const;
  std::string differenceOf(const Part &part, const ProgramFunction &function) const;
  std::string differenceAt(const Part &part, size_t index, const ProgramFunction &function) const;
  bool leavesFunction(uint32_t instruction) const;

  const mca::ProgramBranches &branches_;
  const mca::Program &program_;
  const AssembledText &text_;
  const ProgramImage &image_;
  std::vector<uint64_t> addresses_;
  llvm::DenseMap<uint64_t, uint32_t> instructions_;
  uint64_t lowest_ = 1, highest_ = 0;
  std::vector<std::string> refusals_;
};

} // namespace analysis
