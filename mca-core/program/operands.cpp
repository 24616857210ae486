#include "mca-core/program/operands.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace mca {

bool writesRegister(const Target &target, const llvm::MCInst &inst, llvm::MCRegister reg) {
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  const auto overlaps = [&](llvm::MCRegister written) { return target.registers().regsOverlap(reg, written); };
  const auto defs = llvm::ArrayRef(inst.begin(), std::min<size_t>(description.getNumDefs(), inst.size()));
  return llvm::any_of(
             defs, [&](const llvm::MCOperand &def) { return def.isReg() && def.getReg() && overlaps(def.getReg()); }) ||
         llvm::any_of(description.implicit_defs(), overlaps);
}

} // namespace mca
