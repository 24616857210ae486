// A register moves by a constant when every instruction of the iteration that writes it adds one to it. An address
// moves as its base does, and as its index times the scale.
#include "analysis/regions/induction.h"

#include "analysis/regions/memory_bytes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace analysis {
namespace {

/// An addition of a constant to a register.
struct Step {
  llvm::MCRegister reg;
  int64_t by = 0;
};

/// A part of an address: a register and what it is multiplied by.
struct Term {
  llvm::MCRegister reg;
  int64_t scale = 1;
};

class Movement {
public:
  Movement(const mca::Target &target, const mca::Program &program) : target_(target), program_(program) {}

  Advance of(std::span<const uint32_t> instructions);
  uint32_t widest(std::span<const uint32_t> instructions);

private:
  llvm::StringRef nameOf(const llvm::MCInst &inst) const { return target_.instructions().getName(inst.getOpcode()); }
  /// The same for a register and its parts.
  unsigned keyOf(llvm::MCRegister reg) const {
    return static_cast<unsigned>(*target_.registers().regunits(reg).begin());
  }
  std::optional<Step> stepOf(const llvm::MCInst &inst) const;
  std::optional<Step> writeBackOf(const llvm::MCInst &inst) const;
  void note(const llvm::MCInst &inst);
  bool isBase(const llvm::MCOperandInfo &operand) const;
  llvm::SmallVector<Term, 4> addressOf(const llvm::MCInst &inst) const;
  /// By which constant the address that it accesses moves; 0 when by none.
  int64_t movementOf(const llvm::MCInst &inst) const;
  /// The register that this instruction copies, plus a constant, to another one.
  std::optional<llvm::MCRegister> sourceOf(const llvm::MCInst &inst) const;
  int64_t movementOf(llvm::MCRegister reg) const;

  const mca::Target &target_;
  const mca::Program &program_;
  llvm::DenseMap<unsigned, std::optional<int64_t>> steps_; // of what is written; no value when not by a constant
  llvm::DenseMap<unsigned, unsigned> copies_; // of what is written once, as a copy of another register, that one
};

bool isReg(const llvm::MCInst &inst, unsigned operand, llvm::MCRegister reg) {
  return operand < inst.getNumOperands() && inst.getOperand(operand).isReg() &&
         inst.getOperand(operand).getReg() == reg;
}

std::optional<int64_t> immediate(const llvm::MCInst &inst, unsigned operand) {
  if (operand < inst.getNumOperands() && inst.getOperand(operand).isImm())
    return inst.getOperand(operand).getImm();
  return std::nullopt;
}

/// AArch64's loads and stores that also move their base.
std::optional<Step> Movement::writeBackOf(const llvm::MCInst &inst) const {
  const llvm::StringRef name = nameOf(inst);
  if (!target_.triple().isAArch64())
    return std::nullopt;
  if (name.ends_with("_POST")) { // by a register, or by what it moves, where XZR stands for the register
    const llvm::MCOperand &by = inst.getOperand(inst.getNumOperands() - 1);
    const bool asMoved = by.isReg() && llvm::StringRef(target_.registers().getName(by.getReg())) == "XZR";
    const Structure moved = structureOf(name);
    return asMoved && moved.bytes ? std::optional(Step{inst.getOperand(0).getReg(), moved.registers * moved.bytes})
                                  : std::nullopt;
  }
  if (!name.ends_with("post") && !name.ends_with("pre"))
    return std::nullopt;
  const std::optional<int64_t> by = immediate(inst, inst.getNumOperands() - 1);
  const bool pair = name.starts_with("LDP") || name.starts_with("STP") || name.starts_with("LDNP");
  const int64_t unit = pair ? accessBytes(name) : 1;
  if (!by || !unit)
    return std::nullopt;
  return Step{inst.getOperand(0).getReg(), *by * unit};
}

std::optional<Step> Movement::stepOf(const llvm::MCInst &inst) const {
  if (const std::optional<Step> writeBack = writeBackOf(inst))
    return writeBack;
  const llvm::StringRef name = nameOf(inst);
  const bool adds = name.starts_with("ADD") || name.starts_with("C_ADDI");
  const bool subtracts = name.starts_with("SUB");
  if (target_.triple().isX86() && (adds || subtracts) && inst.getNumOperands() == 1 && immediate(inst, 0))
    // The short form for the accumulator, which is no operand.
    return Step{target_.instructions().get(inst.getOpcode()).implicit_defs().front(),
                adds ? *immediate(inst, 0) : -*immediate(inst, 0)};
  if (!inst.getNumOperands() || !inst.getOperand(0).isReg())
    return std::nullopt;
  const llvm::MCRegister reg = inst.getOperand(0).getReg();
  if (!reg.isValid() || !isReg(inst, 1, reg))
    return std::nullopt;
  if (target_.triple().isX86()) {
    if (name.starts_with("INC") || name.starts_with("DEC"))
      return Step{reg, name.starts_with("INC") ? 1 : -1};
    if (name.starts_with("LEA")) // base, scale, index, displacement, segment
      return isReg(inst, 3, llvm::MCRegister()) && immediate(inst, 4) ? std::optional(Step{reg, *immediate(inst, 4)})
                                                                      : std::nullopt;
  }
  // AArch64's ADDVL and ADDPL add multiples of the length of a vector.
  const bool isScalable = target_.triple().isAArch64() && (name.contains("VL") || name.contains("PL"));
  const std::optional<int64_t> by = immediate(inst, 2);
  if ((!adds && !subtracts) || isScalable || !by)
    return std::nullopt;
  // AArch64's may be shifted by twelve bits.
  const int64_t shifted = target_.triple().isAArch64() && immediate(inst, 3).value_or(0) == 12 ? *by << 12 : *by;
  return Step{reg, adds ? shifted : -shifted};
}

/// A copy moves as its source does: compilers keep `i` and `i + 1`, or both widths of an index, in registers of their
/// own.
int64_t Movement::movementOf(llvm::MCRegister reg) const {
  if (!reg.isValid())
    return 0;
  unsigned key = keyOf(reg);
  for (unsigned hops = 0; hops < 4; ++hops) {
    if (const auto step = steps_.find(key); step != steps_.end() && step->second)
      return *step->second;
    const auto copy = copies_.find(key);
    if (copy == copies_.end())
      break;
    key = copy->second;
  }
  return 0;
}

std::optional<llvm::MCRegister> Movement::sourceOf(const llvm::MCInst &inst) const {
  const llvm::StringRef name = nameOf(inst);
  const auto reg = [&](unsigned operand) {
    return operand < inst.getNumOperands() && inst.getOperand(operand).isReg() ? inst.getOperand(operand).getReg()
                                                                               : llvm::MCRegister();
  };
  const auto valid = [](llvm::MCRegister source) { return source.isValid() ? std::optional(source) : std::nullopt; };
  if (target_.triple().isX86()) {
    if (name == "MOV64rr" || name == "MOV32rr" || name == "MOVSX64rr32")
      return valid(reg(1));
    // base, scale, index, displacement, segment
    return name.starts_with("LEA") && !reg(3).isValid() && immediate(inst, 4) ? valid(reg(1)) : std::nullopt;
  }
  if (target_.triple().isAArch64()) {
    const bool isMove = name == "ORRXrs" || name == "ORRWrs";
    if (isMove && (target_.registers().getName(reg(1)) == llvm::StringRef("XZR") ||
                   target_.registers().getName(reg(1)) == llvm::StringRef("WZR")))
      return immediate(inst, 3) == 0 ? valid(reg(2)) : std::nullopt;
    const bool adds = name == "ADDXri" || name == "ADDWri" || name == "SUBXri" || name == "SUBWri";
    return adds ? valid(reg(1)) : std::nullopt;
  }
  return name == "ADDI" || name == "ADDIW" || name == "C_MV" ? valid(reg(1)) : std::nullopt;
}

void Movement::note(const llvm::MCInst &inst) {
  const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
  const std::optional<Step> step = stepOf(inst);
  const std::optional<llvm::MCRegister> source = step ? std::nullopt : sourceOf(inst);
  const auto write = [&](llvm::MCRegister reg) {
    if (!reg.isValid())
      return;
    const auto [entry, isNew] = steps_.try_emplace(keyOf(reg), 0);
    copies_.erase(keyOf(reg));
    if (source && isNew)
      copies_[keyOf(reg)] = keyOf(*source);
    if (step && keyOf(step->reg) == keyOf(reg) && entry->second)
      entry->second = *entry->second + step->by;
    else
      entry->second = std::nullopt;
  };
  for (unsigned i = 0; i < std::min<unsigned>(description.getNumDefs(), inst.getNumOperands()); ++i)
    if (inst.getOperand(i).isReg())
      write(inst.getOperand(i).getReg());
  for (const llvm::MCPhysReg reg : description.implicit_defs())
    write(reg);
}

/// Whether the operand is the base of an address: RISC-V's has a type of its own, AArch64's a class of registers. What
/// is stored stands in front of it.
bool Movement::isBase(const llvm::MCOperandInfo &operand) const {
  if (operand.OperandType == llvm::MCOI::OPERAND_MEMORY)
    return true;
  if (operand.RegClass < 0 || operand.isLookupRegClassByHwMode())
    return false;
  const auto regClass = static_cast<unsigned>(operand.RegClass);
  return llvm::StringRef(target_.registers().getRegClassName(&target_.registers().getRegClass(regClass))) == "GPR64sp";
}

llvm::SmallVector<Term, 4> Movement::addressOf(const llvm::MCInst &inst) const {
  llvm::SmallVector<Term, 4> terms;
  const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
  if (!description.mayLoad() && !description.mayStore())
    return terms;
  const unsigned count = std::min<unsigned>(inst.getNumOperands(), description.getNumOperands());
  for (unsigned i = description.getNumDefs(); i < count; ++i) {
    const bool isMemory = description.operands()[i].OperandType == llvm::MCOI::OPERAND_MEMORY;
    if (target_.triple().isX86()) {
      if (!isMemory || i + 4 >= count)
        continue;
      // base, scale, index, displacement, segment
      terms.push_back({inst.getOperand(i).getReg()});
      terms.push_back({inst.getOperand(i + 2).getReg(), immediate(inst, i + 1).value_or(1)});
      return terms;
    }
    if (isBase(description.operands()[i]))
      terms.clear();
    if (inst.getOperand(i).isReg())
      terms.push_back({inst.getOperand(i).getReg()});
  }
  // AArch64's index register: base, index, sign extension, shift.
  const llvm::StringRef name = nameOf(inst);
  if (target_.triple().isAArch64() && (name.ends_with("roX") || name.ends_with("roW")) && terms.size() >= 2 &&
      immediate(inst, inst.getNumOperands() - 1).value_or(0))
    terms.back().scale = accessBytes(name);
  return terms;
}

int64_t Movement::movementOf(const llvm::MCInst &inst) const {
  int64_t movement = 0;
  for (const Term &term : addressOf(inst))
    movement += movementOf(term.reg) * term.scale;
  return movement;
}

uint32_t Movement::widest(std::span<const uint32_t> instructions) {
  for (const uint32_t index : instructions)
    note(program_.instructions()[index].inst);
  const MemoryBytes bytes(target_);
  uint32_t widest = 0;
  for (const uint32_t index : instructions)
    if (const llvm::MCInst &inst = program_.instructions()[index].inst; movementOf(inst))
      widest = std::max(widest, bytes.widest(inst));
  return widest;
}

Advance Movement::of(std::span<const uint32_t> instructions) {
  for (const uint32_t index : instructions)
    note(program_.instructions()[index].inst);
  uint64_t farthest = 0;
  for (const uint32_t index : instructions)
    farthest =
        std::max<uint64_t>(farthest, static_cast<uint64_t>(std::abs(movementOf(program_.instructions()[index].inst))));
  if (farthest)
    return {farthest, true};
  for (const auto &[key, by] : steps_)
    farthest = std::max<uint64_t>(farthest, static_cast<uint64_t>(std::abs(by.value_or(0))));
  return {farthest, false};
}

} // namespace

Advance advanceOf(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions) {
  return Movement(target, program).of(instructions);
}

uint32_t widestMoving(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions) {
  return Movement(target, program).widest(instructions);
}

} // namespace analysis
