#include "mca-core/model/micro_fusion.h"

#include "mca-core/program/x86_instruction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCInstrDesc.h"

#include <optional>

namespace mca {
namespace {

using llvm::MCInstrDesc;
using llvm::StringRef;

/// More micro-ops than this are no single operation: gathers, divisions, string instructions.
constexpr unsigned kMostFused = 4;

const MCInstrDesc &describe(const llvm::MCInst &inst, const Target &target) {
  return target.instructions().get(inst.getOpcode());
}

bool hasImmediate(const MCInstrDesc &description) {
  return llvm::any_of(description.operands(), [](const llvm::MCOperandInfo &operand) {
    return operand.OperandType == llvm::MCOI::OPERAND_IMMEDIATE;
  });
}

bool changesInPlace(const MCInstrDesc &description) {
  for (unsigned i = description.getNumDefs(); i < description.getNumOperands(); ++i)
    if (description.getOperandConstraint(i, llvm::MCOI::TIED_TO) >= 0)
      return true;
  return false;
}

} // namespace

unsigned fusedSlots(const llvm::MCInst &inst, const Target &target, unsigned microOps, bool isVector) {
  const MCInstrDesc &description = describe(inst, target);
  if (!target.triple().isX86() || microOps > kMostFused || !x86AddressOf(inst, target) || description.isBranch() ||
      description.isCall())
    return microOps;
  // A vector operation by an immediate takes a slot beside its load's or store's.
  const bool isApart = isVector && hasImmediate(description);
  const bool isRead = description.mayLoad() && microOps > 1 && !isApart;
  const bool isWritten = description.mayStore() && microOps - isRead > (isApart ? 2 : 1);
  return microOps - isRead - isWritten;
}

bool isUnlaminated(const llvm::MCInst &inst, const Target &target) {
  const MCInstrDesc &description = describe(inst, target);
  const std::optional<X86Address> address = x86AddressOf(inst, target);
  if (!address || !address->index || !description.mayLoad())
    return false;
  if (description.mayStore())
    return true;
  const StringRef name = target.instructions().getName(inst.getOpcode());
  const bool readsFlags = llvm::any_of(description.implicit_uses(), [&](llvm::MCPhysReg reg) {
    return StringRef(target.registers().getName(reg)) == "EFLAGS";
  });
  return name.starts_with("V") || readsFlags || !changesInPlace(description);
}

} // namespace mca
