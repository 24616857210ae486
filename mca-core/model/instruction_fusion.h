// Which neighbouring x86 instructions a calibrated CPU handles as one.
#pragma once

#include "mca-core/calibration/rules.h"
#include "mca-core/target/target.h"

#include "llvm/MC/MCInst.h"

namespace mca {

/// Refers to its arguments.
class InstructionFusion {
public:
  InstructionFusion(const Target &target, const CalibrationRules &rules)
      : target_(target), branches_(rules.macroFusion), moves_(rules.moveFusion) {}

  /// Whether the second one is a branch on the flags that fuses with the first one.
  bool fusesWithBranch(const llvm::MCInst &first, const llvm::MCInst &second) const;
  /// Whether the first one is a register move that fuses with the second one, which changes the moved value in place.
  bool moveFuses(const llvm::MCInst &first, const llvm::MCInst &second) const;

private:
  const Target &target_;
  const MacroFusionRule &branches_;
  const MoveFusionRule &moves_;
};

} // namespace mca
