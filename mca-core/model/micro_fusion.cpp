#include "mca-core/model/micro_fusion.h"

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
/// Of an address's operands, in LLVM's order: base, scale, index, displacement, segment.
constexpr unsigned kIndex = 2, kAddressParts = 5;

const MCInstrDesc &describe(const llvm::MCInst &inst, const Target &target) {
  return target.instructions().get(inst.getOpcode());
}

/// The first operand of the address; no value without one.
std::optional<unsigned> addressOf(const MCInstrDesc &description) {
  for (unsigned i = 0; i + kAddressParts <= description.getNumOperands(); ++i)
    if (description.operands()[i].OperandType == llvm::MCOI::OPERAND_MEMORY)
      return i;
  return std::nullopt;
}

bool isVectorOperation(const llvm::MCInst &inst, const Target &target) {
  return llvm::any_of(inst, [&](const llvm::MCOperand &operand) {
    if (!operand.isReg() || !operand.getReg())
      return false;
    const StringRef name = target.registers().getName(operand.getReg());
    return name.starts_with("XMM") || name.starts_with("YMM") || name.starts_with("ZMM");
  });
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

unsigned fusedSlots(const llvm::MCInst &inst, const Target &target, unsigned microOps) {
  const MCInstrDesc &description = describe(inst, target);
  if (!target.triple().isX86() || microOps > kMostFused || !addressOf(description) || description.isBranch() ||
      description.isCall())
    return microOps;
  // A vector operation by an immediate takes a slot of its own.
  const bool isApart = hasImmediate(description) && isVectorOperation(inst, target);
  const bool isRead = description.mayLoad() && microOps > 1 && !isApart;
  const bool isWritten = description.mayStore() && microOps - isRead > (isApart ? 2 : 1);
  return microOps - isRead - isWritten;
}

bool isUnlaminated(const llvm::MCInst &inst, const Target &target) {
  const MCInstrDesc &description = describe(inst, target);
  const std::optional<unsigned> address = addressOf(description);
  if (!address || !description.mayLoad() || !inst.getOperand(*address + kIndex).getReg())
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
