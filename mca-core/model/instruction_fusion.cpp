// The values of the rules are described in calibration/rules.cpp.
#include "mca-core/model/instruction_fusion.h"

#include "mca-core/program/x86_instruction.h"

#include "llvm/ADT/STLExtras.h"

namespace mca {
namespace {

using llvm::MCInst;
using llvm::StringRef;

/// What a pair's first instruction fuses with, see macro-fusion.
enum class Conditions { None, All, NoSigns, NoSignsNoCarry };

bool allows(Conditions allowed, unsigned condition) {
  const unsigned pair = condition >> 1;                        // a condition and its opposite
  const bool readsSigns = pair == 0 || pair == 4 || pair == 5; // overflow, sign, parity
  const bool readsCarry = pair == 1 || pair == 3;
  switch (allowed) {
  case Conditions::None:
    return false;
  case Conditions::All:
    return true;
  case Conditions::NoSigns:
    return !readsSigns;
  case Conditions::NoSignsNoCarry:
    return !readsSigns && !readsCarry;
  }
  return false;
}

StringRef nameOf(const MCInst &inst, const Target &target) {
  return target.instructions().getName(inst.getOpcode());
}

/// The width in an opcode's name: 64 for MOV64rr.
StringRef widthOf(StringRef opcode) {
  return opcode.drop_front(operationOf(opcode).size()).take_while([](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

bool InstructionFusion::fusesWithBranch(const MCInst &first, const MCInst &second) const {
  if (!branches_.isOn || operationOf(nameOf(second, target_)) != "JCC")
    return false;
  const std::optional<unsigned> condition = conditionOf(second, target_);
  const StringRef name = nameOf(first, target_);
  const auto allowed = branches_.conditions.find(operationOf(name).lower());
  if (!condition || allowed == branches_.conditions.end() ||
      !allows(static_cast<Conditions>(allowed->second), *condition))
    return false;
  const llvm::MCInstrDesc &description = target_.instructions().get(first.getOpcode());
  if (!description.mayLoad() && !description.mayStore())
    return true;
  if (description.mayStore() || !branches_.memory)
    return false;
  const StringRef operands = name.drop_front(operationOf(name).size() + widthOf(name).size());
  const bool hasImmediate = operands.starts_with("mi");
  const bool isRip = llvm::any_of(first, [&](const llvm::MCOperand &operand) {
    return operand.isReg() && operand.getReg().isValid() &&
           StringRef(target_.registers().getName(operand.getReg())) == "RIP";
  });
  return (!hasImmediate || branches_.memoryImmediate) && (!isRip || branches_.rip);
}

bool InstructionFusion::moveFuses(const MCInst &first, const MCInst &second) const {
  if (!moves_.isOn)
    return false;
  const StringRef move = nameOf(first, target_), name = nameOf(second, target_);
  const bool isMove = operationOf(move) == "MOV" && (move == "MOV64rr" || move == "MOV32rr");
  const auto fuses = moves_.operations.find(operationOf(name).lower());
  if (!isMove || widthOf(move) != widthOf(name) || fuses == moves_.operations.end() || !fuses->second)
    return false;
  const llvm::MCInstrDesc &description = target_.instructions().get(second.getOpcode());
  const llvm::MCRegister moved = first.getOperand(0).getReg();
  if (description.mayLoad() || description.mayStore() || description.getNumDefs() != 1 ||
      description.getOperandConstraint(1, llvm::MCOI::TIED_TO) != 0 || second.getOperand(0).getReg() != moved)
    return false;
  // The second operand is read before the move in program order only if it is another register.
  return second.getNumOperands() < 3 || !second.getOperand(2).isReg() || second.getOperand(2).getReg() != moved;
}

} // namespace mca
