#include "mca-core/program/branch.h"

#include "mca-core/assembly/symbols.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>

namespace mca {
namespace {

constexpr unsigned kMaxAliases = 8;

bool isArm(const Target &target) {
  return target.triple().isARM() || target.triple().isThumb();
}

bool callsFunction(const Target &target, const llvm::MCInst &inst, const llvm::MCInstrDesc &description) {
  return target.analysis() ? target.analysis()->isCall(inst) : description.isCall();
}

/// Whether the target of a call is computed: it is in a register or in memory.
bool isComputed(const llvm::MCInst &inst, const llvm::MCInstrDesc &description) {
  const unsigned count = std::min<unsigned>(inst.getNumOperands(), description.getNumOperands());
  bool hasRegister = false, hasValue = false;
  for (unsigned i = description.getNumDefs(); i < count; ++i) {
    const llvm::MCOperand &operand = inst.getOperand(i);
    if (description.operands()[i].OperandType == llvm::MCOI::OPERAND_PCREL)
      return false;
    if (!description.operands()[i].isPredicate()) {
      hasRegister |= operand.isReg() && operand.getReg();
      hasValue |= operand.isExpr() || operand.isImm();
    }
  }
  return description.mayLoad() || hasRegister || !hasValue; // PowerPC's `bctrl` has no operands
}

bool reads(const llvm::MCInst &inst, const llvm::MCRegisterInfo &registers, llvm::MCRegister one) {
  return one && llvm::any_of(inst, [&](const llvm::MCOperand &operand) {
           return operand.isReg() && operand.getReg() && registers.regsOverlap(operand.getReg(), one);
         });
}

/// On ARM, `bx lr` and `mov pc, lr` return, and so do loads of the program counter from the stack.
bool returnsByRegister(const Target &target, const llvm::MCInst &inst, const llvm::MCInstrDesc &description) {
  const llvm::MCRegisterInfo &registers = target.registers();
  if (!description.mayLoad())
    return reads(inst, registers, registers.getRARegister());
  if (!isArm(target))
    return false;
  return llvm::any_of(inst, [&](const llvm::MCOperand &operand) {
    return operand.isReg() && llvm::StringRef(registers.getName(operand.getReg())) == "SP";
  });
}

/// gcc's `__builtin_trap` for RISC-V is a breakpoint, which LLVM does not describe as a trap.
bool isTrap(const Target &target, const llvm::MCInst &inst, const llvm::MCInstrDesc &description) {
  const llvm::StringRef name = target.instructions().getName(inst.getOpcode());
  return description.isTrap() || description.isBarrier() ||
         (target.triple().isRISCV() && (name == "EBREAK" || name == "C_EBREAK"));
}

BranchKind kindOf(const Target &target, const llvm::MCInst &inst, const llvm::MCInstrDesc &description) {
  const llvm::MCInstrAnalysis *analysis = target.analysis();
  const bool isCall = callsFunction(target, inst, description);
  const bool isReturn = analysis ? analysis->isReturn(inst) : description.isReturn();
  // A call that is a return or a barrier is a tail call, which is a jump.
  if (isCall && !isReturn && !description.isBarrier())
    return isComputed(inst, description) ? BranchKind::IndirectCall : BranchKind::Call;
  if (isReturn && !isCall)
    return BranchKind::Return;
  const bool isIndirect = analysis ? analysis->isIndirectBranch(inst) : description.isIndirectBranch();
  const bool writesProgramCounter =
      isArm(target) && analysis && analysis->mayAffectControlFlow(inst, target.registers());
  if (isIndirect || (isCall && isComputed(inst, description)))
    return returnsByRegister(target, inst, description) ? BranchKind::Return : BranchKind::IndirectJump;
  if (analysis ? analysis->isConditionalBranch(inst) : description.isConditionalBranch())
    return BranchKind::ConditionalJump;
  if (isCall || (analysis ? analysis->isBranch(inst) : description.isBranch()))
    return isPredicated(target, inst) ? BranchKind::ConditionalJump : BranchKind::Jump;
  if (writesProgramCounter)
    return returnsByRegister(target, inst, description) ? BranchKind::Return : BranchKind::IndirectJump;
  return isTrap(target, inst, description) ? BranchKind::Trap : BranchKind::None;
}

} // namespace

const llvm::MCSymbol *exactSymbolIn(const llvm::MCExpr &expression) {
  const llvm::MCExpr *inner = &expression;
  for (unsigned aliases = 0; aliases < kMaxAliases; ++aliases) {
    while (const auto *specifier = llvm::dyn_cast<llvm::MCSpecifierExpr>(inner))
      inner = specifier->getSubExpr();
    const auto *reference = llvm::dyn_cast<llvm::MCSymbolRefExpr>(inner);
    if (!reference)
      return nullptr;
    if (!reference->getSymbol().isVariable())
      return &reference->getSymbol();
    inner = reference->getSymbol().getVariableValue();
  }
  return nullptr;
}

std::string_view Branch::symbolName() const {
  return symbol ? std::string_view(symbol->getName().data(), symbol->getName().size()) : std::string_view();
}

bool isPredicated(const Target &target, const llvm::MCInst &inst) {
  constexpr int64_t kAlways = 14; // the condition code AL of the ARM architecture
  if (!isArm(target))
    return false;
  const int operand = target.instructions().get(inst.getOpcode()).findFirstPredOperandIdx();
  if (operand < 0 || static_cast<unsigned>(operand) >= inst.getNumOperands())
    return false;
  const llvm::MCOperand &predicate = inst.getOperand(static_cast<unsigned>(operand));
  return predicate.isImm() && predicate.getImm() != kAlways;
}

const llvm::MCSymbol *symbolOf(const llvm::MCInst &inst) {
  for (const llvm::MCOperand &operand : llvm::reverse(inst))
    if (const llvm::MCSymbol *symbol = operand.isExpr() ? firstSymbolIn(*operand.getExpr()) : nullptr)
      return symbol;
  return nullptr;
}

Branch classifyBranch(const Target &target, const llvm::MCInst &inst) {
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  Branch branch{.kind = kindOf(target, inst, description)};
  if (branch.kind == BranchKind::None)
    return branch;
  branch.isPredicated = branch.kind != BranchKind::ConditionalJump && isPredicated(target, inst);
  branch.hasDelaySlot = description.hasDelaySlot();
  branch.isTailCall = isJump(branch.kind) && callsFunction(target, inst, description);
  return branch;
}

} // namespace mca
