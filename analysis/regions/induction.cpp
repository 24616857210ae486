// A register moves by a constant when every instruction of the iteration that writes it adds one to it. An address
// moves as its base does, and as its index times the scale.
#include "analysis/regions/induction.h"

#include "analysis/regions/memory_bytes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <algorithm>
#include <cstdlib>

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

/// The register of an operand; invalid if the operand is none.
llvm::MCRegister regOf(const llvm::MCInst &inst, unsigned operand) {
  const bool isReg = operand < inst.getNumOperands() && inst.getOperand(operand).isReg();
  return isReg ? inst.getOperand(operand).getReg() : llvm::MCRegister();
}

std::optional<int64_t> immediate(const llvm::MCInst &inst, unsigned operand) {
  if (operand < inst.getNumOperands() && inst.getOperand(operand).isImm())
    return inst.getOperand(operand).getImm();
  return std::nullopt;
}

// Operands of an address of x86, from its first one on (X86BaseInfo.h, which LLVM does not install).
constexpr unsigned kScale = 1, kIndex = 2, kDisplacement = 3, kSegment = 4;

/// The movement of registers in one iteration, which the instructions are.
class Movement {
public:
  Movement(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions)
      : target_(target) {
    for (const uint32_t index : instructions)
      note(*instructions_.emplace_back(&program.instructions()[index].inst));
  }

  Advance advance() const {
    const auto distance = [](int64_t by) { return static_cast<uint64_t>(std::abs(by)); };
    uint64_t farthest = 0;
    for (const llvm::MCInst *inst : instructions_)
      farthest = std::max(farthest, distance(movementOf(*inst)));
    if (farthest)
      return {farthest, true};
    for (const auto &[key, by] : steps_)
      farthest = std::max(farthest, distance(by.value_or(0)));
    return {farthest, false};
  }

  uint32_t widest() const {
    const MemoryBytes bytes(target_);
    uint32_t widest = 0;
    for (const llvm::MCInst *inst : instructions_)
      if (movementOf(*inst))
        widest = std::max(widest, bytes.widest(*inst));
    return widest;
  }

private:
  llvm::StringRef nameOf(const llvm::MCInst &inst) const { return target_.instructions().getName(inst.getOpcode()); }
  bool isZero(llvm::MCRegister reg) const {
    return reg.isValid() && llvm::is_contained({"XZR", "WZR"}, llvm::StringRef(target_.registers().getName(reg)));
  }
  /// The same for a register and its parts.
  unsigned keyOf(llvm::MCRegister reg) const {
    return static_cast<unsigned>(*target_.registers().regunits(reg).begin());
  }

  /// The addition of a constant that the instruction is; no value if it is none.
  std::optional<Step> stepOf(const llvm::MCInst &inst) const {
    if (const std::optional<Step> writeBack = writeBackOf(inst))
      return writeBack;
    const bool isX86 = target_.triple().isX86(), isAArch64 = target_.triple().isAArch64();
    const llvm::StringRef name = nameOf(inst);
    const int sign = name.starts_with("ADD") || name.starts_with("C_ADDI") ? 1 : name.starts_with("SUB") ? -1 : 0;
    // The short form for the accumulator, which is no operand.
    if (isX86 && sign && inst.getNumOperands() == 1 && immediate(inst, 0))
      return Step{target_.instructions().get(inst.getOpcode()).implicit_defs().front(), sign * *immediate(inst, 0)};
    const llvm::MCRegister reg = regOf(inst, 0);
    if (!reg.isValid() || regOf(inst, 1) != reg)
      return std::nullopt;
    if (isX86 && (name.starts_with("INC") || name.starts_with("DEC")))
      return Step{reg, name.starts_with("INC") ? 1 : -1};
    if (isX86 && name.starts_with("LEA")) {
      const std::optional<int64_t> displacement = immediate(inst, 1 + kDisplacement);
      return !regOf(inst, 1 + kIndex).isValid() && displacement ? std::optional(Step{reg, *displacement})
                                                                : std::nullopt;
    }
    // AArch64's ADDVL and ADDPL add multiples of the length of a vector.
    const bool isScalable = isAArch64 && (name.contains("VL") || name.contains("PL"));
    const std::optional<int64_t> by = immediate(inst, 2);
    if (!sign || isScalable || !by)
      return std::nullopt;
    // AArch64's may be shifted by twelve bits.
    return Step{reg, sign * (isAArch64 && immediate(inst, 3).value_or(0) == 12 ? *by << 12 : *by)};
  }

  /// AArch64's loads and stores that also move their base, by their last operand.
  std::optional<Step> writeBackOf(const llvm::MCInst &inst) const {
    const llvm::StringRef name = nameOf(inst);
    const unsigned last = inst.getNumOperands() - 1;
    if (!target_.triple().isAArch64())
      return std::nullopt;
    if (name.ends_with("_POST")) { // by a register, or by the bytes that it moves if XZR stands for the register
      const Structure moved = structureOf(name);
      return moved.bytes && isZero(regOf(inst, last))
                 ? std::optional(Step{regOf(inst, 0), moved.registers * moved.bytes})
                 : std::nullopt;
    }
    // Of a pair the immediate counts registers.
    const bool pair = name.starts_with("LDP") || name.starts_with("STP") || name.starts_with("LDNP");
    const int64_t unit = pair ? accessBytes(name) : 1;
    const std::optional<int64_t> by = immediate(inst, last);
    if ((!name.ends_with("post") && !name.ends_with("pre")) || !by || !unit)
      return std::nullopt;
    return Step{regOf(inst, 0), *by * unit};
  }

  /// Adds up the steps of each register that the instruction writes. One write that is no step makes the register
  /// unknown, even if others are.
  void note(const llvm::MCInst &inst) {
    const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    const std::optional<Step> step = stepOf(inst);
    const llvm::MCRegister source = step ? llvm::MCRegister() : sourceOf(inst);
    const auto write = [&](llvm::MCRegister reg) {
      if (!reg.isValid())
        return;
      const auto [entry, isNew] = steps_.try_emplace(keyOf(reg), 0);
      copies_.erase(keyOf(reg));
      if (source.isValid() && isNew)
        copies_[keyOf(reg)] = keyOf(source);
      if (step && keyOf(step->reg) == keyOf(reg) && entry->second)
        entry->second = *entry->second + step->by;
      else
        entry->second = std::nullopt;
    };
    for (unsigned i = 0; i < description.getNumDefs(); ++i)
      write(regOf(inst, i));
    for (const llvm::MCPhysReg reg : description.implicit_defs())
      write(reg);
  }

  /// Whether the operand is the base of an address: RISC-V's has a type of its own, AArch64's a class of registers. The
  /// registers that are stored stand before it.
  bool isBase(const llvm::MCOperandInfo &operand) const {
    if (operand.OperandType == llvm::MCOI::OPERAND_MEMORY)
      return true;
    if (operand.RegClass < 0 || operand.isLookupRegClassByHwMode())
      return false;
    const auto regClass = static_cast<unsigned>(operand.RegClass);
    return llvm::StringRef(target_.registers().getRegClassName(&target_.registers().getRegClass(regClass))) ==
           "GPR64sp";
  }

  /// The registers of the address that the instruction accesses. Elsewhere than on x86 they are all registers after the
  /// base, and before it stands what is stored.
  llvm::SmallVector<Term, 4> addressOf(const llvm::MCInst &inst) const {
    llvm::SmallVector<Term, 4> terms;
    const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    if (!description.mayLoad() && !description.mayStore())
      return terms;
    const unsigned count = std::min<unsigned>(inst.getNumOperands(), description.getNumOperands());
    for (unsigned i = description.getNumDefs(); i < count; ++i) {
      const llvm::MCOperandInfo &operand = description.operands()[i];
      if (target_.triple().isX86()) {
        if (operand.OperandType == llvm::MCOI::OPERAND_MEMORY && i + kSegment < count)
          return {{regOf(inst, i)}, {regOf(inst, i + kIndex), immediate(inst, i + kScale).value_or(1)}};
        continue;
      }
      if (isBase(operand))
        terms.clear();
      if (const llvm::MCRegister reg = regOf(inst, i); reg.isValid())
        terms.push_back({reg});
    }
    // AArch64's index register: base, index, sign extension, shift.
    const llvm::StringRef name = nameOf(inst);
    if (target_.triple().isAArch64() && (name.ends_with("roX") || name.ends_with("roW")) && terms.size() >= 2 &&
        immediate(inst, inst.getNumOperands() - 1).value_or(0))
      terms.back().scale = accessBytes(name);
    return terms;
  }

  /// By which constant the address that it accesses moves; 0 if by none.
  int64_t movementOf(const llvm::MCInst &inst) const {
    int64_t movement = 0;
    for (const Term &term : addressOf(inst))
      movement += movementOf(term.reg) * term.scale;
    return movement;
  }

  /// The register that this instruction copies, plus a constant, to another one; invalid if it copies none.
  llvm::MCRegister sourceOf(const llvm::MCInst &inst) const {
    const llvm::StringRef name = nameOf(inst);
    const llvm::MCRegister first = regOf(inst, 1);
    bool isCopy = false;
    if (target_.triple().isX86()) {
      const bool isLea =
          name.starts_with("LEA") && !regOf(inst, 1 + kIndex).isValid() && immediate(inst, 1 + kDisplacement);
      isCopy = isLea || llvm::is_contained({"MOV64rr", "MOV32rr", "MOVSX64rr32"}, name);
    } else if (target_.triple().isAArch64()) {
      if ((name == "ORRXrs" || name == "ORRWrs") && isZero(first)) // mov
        return immediate(inst, 3) == 0 ? regOf(inst, 2) : llvm::MCRegister();
      isCopy = llvm::is_contained({"ADDXri", "ADDWri", "SUBXri", "SUBWri"}, name);
    } else {
      isCopy = llvm::is_contained({"ADDI", "ADDIW", "C_MV"}, name);
    }
    return isCopy ? first : llvm::MCRegister();
  }

  /// A copy moves as its source does: compilers keep `i` and `i + 1`, or both widths of an index, in registers of their
  /// own.
  int64_t movementOf(llvm::MCRegister reg) const {
    constexpr unsigned kMaxCopies = 4; // two registers may be copies of each other
    if (!reg.isValid())
      return 0;
    unsigned key = keyOf(reg);
    for (unsigned copies = 0; copies < kMaxCopies; ++copies) {
      if (const std::optional<int64_t> step = steps_.lookup(key))
        return *step;
      const auto copy = copies_.find(key);
      if (copy == copies_.end())
        break;
      key = copy->second;
    }
    return 0;
  }

  const mca::Target &target_;
  std::vector<const llvm::MCInst *> instructions_;
  llvm::DenseMap<unsigned, std::optional<int64_t>> steps_; // of what is written; no value when not by a constant
  llvm::DenseMap<unsigned, unsigned> copies_; // of what is written once, as a copy of another register, that one
};

} // namespace

Advance advanceOf(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions) {
  return Movement(target, program, instructions).advance();
}

uint32_t widestMoving(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions) {
  return Movement(target, program, instructions).widest();
}

} // namespace analysis
