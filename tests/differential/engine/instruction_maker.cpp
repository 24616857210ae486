#include "tests/differential/engine/instruction_maker.h"

#include "llvm/MC/MCExpr.h"

#include <algorithm>

namespace differential {
namespace {

constexpr unsigned kFewRegisters = 4;
constexpr unsigned kX86AddressOperands = 5; // base, scale, index, displacement, segment
constexpr int64_t kArmAlways = 14;
// "eq", "ne", "lt" and "ge" of condition register field 0, as PowerPC's branches encode them.
constexpr int64_t kPowerPredicates[] = {76, 68, 12, 4};

} // namespace

InstructionMaker::InstructionMaker(const mca::Target &target, llvm::MCContext &context, uint64_t seed)
    : target_(target), context_(context), random_(seed),
      hwMode_(target.subtarget().getHwMode(llvm::MCSubtargetInfo::HwMode_RegInfo)) {}

int InstructionMaker::registerClass(const llvm::MCOperandInfo &info) const {
  return target_.instructions().getOpRegClassID(info, hwMode_);
}

bool InstructionMaker::hasImmediates(unsigned opcode) const {
  const auto operands = target_.instructions().get(opcode).operands();
  return std::any_of(operands.begin(), operands.end(), [](const llvm::MCOperandInfo &info) {
    return info.RegClass < 0 || info.isPredicate() || info.isOptionalDef();
  });
}

llvm::MCInst InstructionMaker::make(unsigned opcode, unsigned style) {
  const llvm::MCInstrDesc &description = target_.instructions().get(opcode);
  const llvm::ArrayRef<llvm::MCOperandInfo> infos = description.operands();
  llvm::MCInst inst;
  inst.setOpcode(opcode);
  for (unsigned i = 0; i < infos.size();) {
    const int tied = description.getOperandConstraint(i, llvm::MCOI::TIED_TO);
    const bool address = target_.triple().isX86() && i + kX86AddressOperands <= infos.size() &&
                         std::all_of(infos.begin() + i, infos.begin() + i + kX86AddressOperands,
                                     [](const auto &info) { return info.OperandType == llvm::MCOI::OPERAND_MEMORY; });
    if (tied >= 0 && tied < static_cast<int>(inst.size())) {
      inst.addOperand(inst.getOperand(static_cast<unsigned>(tied)));
    } else if (address) {
      addX86Address(infos.slice(i, kX86AddressOperands), inst);
      i += kX86AddressOperands - 1;
    } else {
      inst.addOperand(operand(infos[i], style));
    }
    ++i;
  }
  if (description.isVariadic() && !infos.empty())
    addRegisterList(infos.back(), inst);
  return inst;
}

llvm::MCOperand InstructionMaker::operand(const llvm::MCOperandInfo &info, unsigned style) {
  if (info.isPredicate())
    return predicate(info, style);
  if (info.isOptionalDef() && style % 2 == 0)
    return llvm::MCOperand::createReg(0);
  if (info.RegClass >= 0)
    return registerOf(info);
  if (info.OperandType == llvm::MCOI::OPERAND_PCREL || info.isBranchTarget())
    return label();
  // Rounding modes and condition codes; what is beyond their names crashes the printer.
  if (target_.triple().isX86() && info.OperandType >= llvm::MCOI::OPERAND_FIRST_TARGET)
    return llvm::MCOperand::createImm(random_.below(4));
  return llvm::MCOperand::createImm(immediate(style));
}

/// Mostly "always".
llvm::MCOperand InstructionMaker::predicate(const llvm::MCOperandInfo &info, unsigned style) {
  const bool ofVectors = info.OperandType >= llvm::MCOI::OPERAND_FIRST_TARGET;
  if (info.RegClass >= 0)
    return style == 5 && !ofVectors ? registerOf(info) : llvm::MCOperand::createReg(0);
  if (target_.triple().isPPC())
    return llvm::MCOperand::createImm(random_.pick(kPowerPredicates));
  if (ofVectors)
    return llvm::MCOperand::createImm(0);
  return llvm::MCOperand::createImm(style == 5 ? random_.below(kArmAlways) : kArmAlways);
}

llvm::MCOperand InstructionMaker::registerOf(const llvm::MCOperandInfo &info) {
  const llvm::MCRegisterClass &registers = target_.registers().getRegClass(static_cast<unsigned>(registerClass(info)));
  const unsigned count = registers.getNumRegs();
  const unsigned few = random_.oneIn(6) ? count : std::min(count, kFewRegisters);
  return llvm::MCOperand::createReg(few ? registers.getRegister(random_.below(few)) : llvm::MCRegister());
}

llvm::MCOperand InstructionMaker::label() {
  return llvm::MCOperand::createExpr(llvm::MCSymbolRefExpr::create(context_.getOrCreateSymbol("f"), context_));
}

int64_t InstructionMaker::immediate(unsigned style) {
  static constexpr int64_t kMultiples[] = {8, 16, 24, 32, 48, 64};
  static constexpr int64_t kOdd[] = {-1, -8, -16, 31, 63, 127, 255, 256, 1024, 4095, 4096, 65535, -2048};
  switch (style) {
  case 0:
    return 0;
  case 1:
    return 1 + random_.below(7);
  case 2:
    return random_.pick(kMultiples);
  case 3:
    return random_.below(2);
  case 4:
    return random_.below(32);
  default:
    return random_.pick(kOdd);
  }
}

void InstructionMaker::addX86Address(llvm::ArrayRef<llvm::MCOperandInfo> infos, llvm::MCInst &inst) {
  static constexpr int64_t kDisplacements[] = {0, 0, 8, 16, 64, -8};
  inst.addOperand(registerOf(infos[0]));
  inst.addOperand(llvm::MCOperand::createImm(int64_t(1) << random_.below(4)));
  inst.addOperand(random_.oneIn(2) ? registerOf(infos[2]) : llvm::MCOperand::createReg(0));
  inst.addOperand(llvm::MCOperand::createImm(random_.pick(kDisplacements)));
  inst.addOperand(llvm::MCOperand::createReg(0));
}

/// The list goes on where its first register left off.
void InstructionMaker::addRegisterList(const llvm::MCOperandInfo &info, llvm::MCInst &inst) {
  if (info.RegClass < 0 || info.isPredicate())
    return;
  const llvm::MCRegisterClass &registers = target_.registers().getRegClass(static_cast<unsigned>(registerClass(info)));
  for (unsigned more = random_.below(4), i = 0; i + 1 < registers.getNumRegs() && more; ++i)
    if (registers.getRegister(i) == inst.getOperand(inst.size() - 1).getReg()) {
      inst.addOperand(llvm::MCOperand::createReg(registers.getRegister(i + 1)));
      --more;
    }
}

} // namespace differential
