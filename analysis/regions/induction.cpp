// A register moves by a constant when every instruction of the iteration that writes it adds one to it. An address
// moves as its base does, and as its index times the scale.
#include "analysis/regions/induction.h"

#include "mca-core/program/memory_bytes.h"
#include "mca-core/program/operands.h"
#include "mca-core/program/x86_instruction.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <algorithm>
#include <cstdlib>

namespace analysis {
namespace {

/// A part of an address: a register and what it is multiplied by.
struct Term {
  llvm::MCRegister reg;
  int64_t scale = 1;
};

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
    const mca::MemoryBytes bytes(target_);
    uint32_t widest = 0;
    for (const llvm::MCInst *inst : instructions_)
      if (movementOf(*inst))
        widest = std::max(widest, bytes.widest(*inst));
    return widest;
  }

  Strides strides() const {
    Strides found = Strides::Constant;
    for (const llvm::MCInst *inst : instructions_)
      for (const Term &term : addressOf(*inst)) {
        const unsigned key = term.reg.isValid() ? originOf(term.reg) : 0;
        const auto step = steps_.find(key);
        if (!term.reg.isValid() || step == steps_.end() || step->second)
          continue;
        const auto stride = strides_.find(key);
        if (stride != strides_.end() && !steps_.contains(stride->second))
          return Strides::ByRegister;
        found = Strides::Unknown;
      }
    return found;
  }

  /// Follows what is loaded through registers, twice, as the second iteration may need what the first one loaded.
  bool storesWhereDataSay() const {
    llvm::DenseSet<unsigned> loaded;
    bool found = false;
    for (int iteration = 0; iteration < 2; ++iteration)
      for (const llvm::MCInst *inst : instructions_) {
        const llvm::MCInstrDesc &description = target_.instructions().get(inst->getOpcode());
        found |= description.mayStore() && llvm::any_of(addressOf(*inst), [&](const Term &term) {
                   return term.reg.isValid() && loaded.contains(keyOf(term.reg));
                 });
        bool isLoaded = description.mayLoad();
        for (unsigned i = description.getNumDefs(); i < inst->getNumOperands(); ++i)
          if (const llvm::MCRegister reg = mca::registerAt(*inst, i); reg.isValid())
            isLoaded |= loaded.contains(keyOf(reg));
        for (unsigned i = 0; i < description.getNumDefs(); ++i) {
          const llvm::MCRegister reg = mca::registerAt(*inst, i);
          if (!reg.isValid() || isMovedBase(*inst, i))
            continue;
          if (isLoaded)
            loaded.insert(keyOf(reg));
          else
            loaded.erase(keyOf(reg));
        }
      }
    return found;
  }

private:
  /// Whether a result is the address that the instruction accesses, after the access: AArch64's `[x0], #4`.
  bool isMovedBase(const llvm::MCInst &inst, unsigned result) const {
    const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    for (unsigned i = description.getNumDefs(); i < description.getNumOperands(); ++i)
      if (mca::isAddressBase(target_, description.operands()[i]) &&
          description.getOperandConstraint(i, llvm::MCOI::TIED_TO) == static_cast<int>(result))
        return true;
    return false;
  }

  /// The same for a register and its parts.
  unsigned keyOf(llvm::MCRegister reg) const {
    return static_cast<unsigned>(*target_.registers().regunits(reg).begin());
  }

  /// Adds up the steps of each register that the instruction writes. One write that is no step makes the register
  /// unknown, even if others are.
  void note(const llvm::MCInst &inst) {
    const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    const std::optional<mca::AddedConstant> added = mca::addedConstantOf(inst, target_);
    const bool isStep = added && added->source == added->destination;
    const llvm::MCRegister by = addedRegisterOf(inst);
    const auto write = [&](llvm::MCRegister reg) {
      if (!reg.isValid())
        return;
      const auto [entry, isNew] = steps_.try_emplace(keyOf(reg), 0);
      copies_.erase(keyOf(reg));
      strides_.erase(keyOf(reg));
      if (by.isValid() && isNew && reg == mca::registerAt(inst, 0))
        strides_[keyOf(reg)] = keyOf(by);
      const bool isSum = added && keyOf(added->destination) == keyOf(reg);
      if (isSum && !isStep && isNew)
        copies_[keyOf(reg)] = keyOf(added->source);
      if (isSum && isStep && entry->second)
        entry->second = *entry->second + added->constant;
      else
        entry->second = std::nullopt;
    };
    for (unsigned i = 0; i < description.getNumDefs(); ++i)
      write(mca::registerAt(inst, i));
    for (const llvm::MCPhysReg reg : description.implicit_defs())
      write(reg);
  }

  /// The register that the instruction adds to another one, which it writes; none of other instructions.
  llvm::MCRegister addedRegisterOf(const llvm::MCInst &inst) const {
    const llvm::StringRef name = target_.instructions().getName(inst.getOpcode());
    const bool isSum = name == "ADD64rr" || name == "ADDXrr" || name == "ADDXrs" || name == "ADD" || name == "C_ADD";
    if (!isSum || inst.getNumOperands() < 3)
      return {};
    const llvm::MCRegister written = mca::registerAt(inst, 0), first = mca::registerAt(inst, 1);
    const llvm::MCRegister second = mca::registerAt(inst, 2);
    return written == first ? second : written == second ? first : llvm::MCRegister();
  }

  /// The registers of the address that the instruction accesses. Elsewhere than on x86 they are all registers after the
  /// base, and before it stands what is stored.
  llvm::SmallVector<Term, 4> addressOf(const llvm::MCInst &inst) const {
    llvm::SmallVector<Term, 4> terms;
    const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    if (!description.mayLoad() && !description.mayStore())
      return terms;
    if (target_.triple().isX86()) {
      if (const std::optional<mca::X86Address> address = mca::x86AddressOf(inst, target_))
        terms = {{address->base}, {address->index, address->scale}};
      return terms;
    }
    const unsigned count = std::min<unsigned>(inst.getNumOperands(), description.getNumOperands());
    for (unsigned i = description.getNumDefs(); i < count; ++i) {
      if (mca::isAddressBase(target_, description.operands()[i]))
        terms.clear();
      if (const llvm::MCRegister reg = mca::registerAt(inst, i); reg.isValid())
        terms.push_back({reg});
    }
    // AArch64's index register: base, index, sign extension, shift.
    const llvm::StringRef name = target_.instructions().getName(inst.getOpcode());
    if (target_.triple().isAArch64() && (name.ends_with("roX") || name.ends_with("roW")) && terms.size() >= 2 &&
        mca::immediateAt(inst, inst.getNumOperands() - 1).value_or(0))
      terms.back().scale = mca::accessBytes(name);
    return terms;
  }

  /// By which constant the address that it accesses moves; 0 if by none.
  int64_t movementOf(const llvm::MCInst &inst) const {
    int64_t movement = 0;
    for (const Term &term : addressOf(inst))
      movement += movementOf(term.reg) * term.scale;
    return movement;
  }

  int64_t movementOf(llvm::MCRegister reg) const {
    return reg.isValid() ? steps_.lookup(originOf(reg)).value_or(0) : 0;
  }

  /// A copy moves as its source does: compilers keep `i` and `i + 1`, or both widths of an index, in registers of their
  /// own.
  unsigned originOf(llvm::MCRegister reg) const {
    constexpr unsigned kMaxCopies = 4; // two registers may be copies of each other
    unsigned key = keyOf(reg);
    for (unsigned copies = 0; copies < kMaxCopies && !steps_.lookup(key); ++copies) {
      const auto copy = copies_.find(key);
      if (copy == copies_.end())
        break;
      key = copy->second;
    }
    return key;
  }

  const mca::Target &target_;
  std::vector<const llvm::MCInst *> instructions_;
  llvm::DenseMap<unsigned, std::optional<int64_t>> steps_; // of what is written; no value when not by a constant
  llvm::DenseMap<unsigned, unsigned> copies_;  // of what is written once, as a copy of another register, that one
  llvm::DenseMap<unsigned, unsigned> strides_; // of what is written once, by adding another register, that one
};

} // namespace

Advance advanceOf(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions) {
  return Movement(target, program, instructions).advance();
}

Strides stridesOf(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions) {
  return Movement(target, program, instructions).strides();
}

bool storesWhereDataSay(const mca::Target &target, const mca::Program &program,
                        std::span<const uint32_t> instructions) {
  return Movement(target, program, instructions).storesWhereDataSay();
}

uint32_t widestMoving(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions) {
  return Movement(target, program, instructions).widest();
}

} // namespace analysis
