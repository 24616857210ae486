// Whether a function of an assembly text is the code that a profile was recorded of, and where its instructions are.
//
// Each instruction of the text is encoded and compared with the bytes of the program. Only what the assembler and the
// linker fill in may differ: the bits of a fixup; the length of a branch, whose target has to be the same instruction;
// padding between instructions; and loads from the GOT and the like, which linkers replace by other instructions of the
// same length. Other differences refuse the function, as its samples would belong to other instructions. (Placement
// compares with a whole program, for which the whole text has to be assembled. Here a text with a hundred thousand
// functions is compared with the few that have samples, on each change of the text.)
#pragma once

#include "analysis/profile/profile.h"
#include "mca-core/program/branches.h"

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"

#include <memory>
#include <string>
#include <vector>

namespace analysis {

class FunctionMatcher {
public:
  /// The branches must outlive it.
  explicit FunctionMatcher(const mca::ProgramBranches &branches);
  ~FunctionMatcher();

  struct Match {
    std::vector<uint32_t> instructions; ///< of the text, in its order; indices in the program
    std::vector<uint64_t> offsets;      ///< of each in the function
    std::string difference;             ///< the first one, if the codes differ; then the others are empty
  };
  /// Compares a profiled function with what the text has from an instruction on, to the end of the function or of its
  /// part in the section.
  Match match(uint32_t entry, const ProfiledFunction &function) const;

private:
  class Walk;

  const mca::ProgramBranches &branches_;
  std::unique_ptr<llvm::MCContext> context_; ///< of the disassembler
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
  std::unique_ptr<llvm::MCCodeEmitter> emitter_;
  std::unique_ptr<llvm::MCAsmBackend> backend_;
};

} // namespace analysis
