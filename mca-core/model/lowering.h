// From instructions to what LLVM's MCA library simulates: the scheduling class resolved, instruments applied, the
// target's post-processing done. An instruction that the model says nothing about is skipped with its reason; the rest
// of the region is still worth simulating.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"
#include "mca-core/views/report.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/MCA/InstrBuilder.h"

#include <memory>
#include <span>
#include <vector>

namespace mca {

struct SkippedInstruction {
  uint32_t instruction = 0; ///< position in the region
  std::string message;
};

/// Told of each instruction that is skipped, when it is; returns false to lower no further one.
using OnSkipped = llvm::function_ref<bool(const SkippedInstruction &)>;

struct LoweredRegion {
  std::vector<uint32_t> origins; ///< for each lowered instruction its position in the region
  std::vector<std::unique_ptr<llvm::mca::Instruction>> instructions;
  std::vector<const Instruction *> sources; ///< the same instructions in the program
  std::vector<SkippedInstruction> skipped;
};

/// Lowers one region. The lowered instructions refer to descriptions that the Lowering owns: it must outlive them.
class Lowering {
public:
  /// `callLatency`: cycles that a call is assumed to take. `customBehaviour`: let the target have the last word on an
  /// instruction.
  Lowering(const Target &target, unsigned callLatency, bool customBehaviour = true);

  LoweredRegion lower(const Program &program, std::span<const uint32_t> region, OnSkipped onSkipped = nullptr);

private:
  const Target &target_;
  llvm::mca::InstrBuilder builder_;
  std::unique_ptr<llvm::mca::InstrPostProcess> postProcess_;
};

/// The scheduling class of an instruction once its variants are resolved. 0 when there is none.
unsigned resolveSchedClass(const Target &target, const llvm::MCInst &inst, const Program::InstrumentSet &instruments);

} // namespace mca
