// What LLVM's scheduling model says of instructions, asked of LLVM one instruction at a time.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/report/report.h"
#include "mca-core/target/target.h"

#include "llvm/MCA/Instruction.h"

#include <vector>

namespace mca::reference {

/// The scheduling class with its variants resolved; 0 when there is none.
unsigned schedulingClassOf(const Target &target, const Program &program, const Instruction &instruction);

class Describer {
public:
  /// All three must outlive it.
  Describer(const Target &target, const Program &program, llvm::MCInstPrinter &printer)
      : target_(target), program_(program), printer_(printer) {}

  InstructionInfo describe(const Instruction &source, const llvm::mca::Instruction &lowered, bool withDetails) const;
  /// The machine code of each of `sources`, laid out one behind the other.
  void addEncodings(const std::vector<const Instruction *> &sources, std::vector<InstructionInfo> &infos) const;
  std::vector<ResourceDescription> resources() const;

private:
  std::string textOf(const llvm::MCInst &inst) const;
  SchedulingDetails detailsOf(const llvm::MCInst &inst, const llvm::MCSchedClassDesc &sched, uint32_t latency) const;

  const Target &target_;
  const Program &program_;
  llvm::MCInstPrinter &printer_;
};

} // namespace mca::reference
