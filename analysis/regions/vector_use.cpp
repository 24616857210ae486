// The names of LLVM's instructions decide where tables do not; docs/llvm-upgrade.md lists them among what an upgrade
// may change.
#include "analysis/regions/vector_use.h"

#include "mca-core/program/memory_bytes.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr uint32_t kLeastVectorBytes = 16;

bool startsWithAny(llvm::StringRef name, llvm::ArrayRef<llvm::StringLiteral> starts) {
  return llvm::any_of(starts, [&](llvm::StringRef start) { return name.starts_with(start); });
}

/// Bit operations on whole registers by their names without the V of AVX.
constexpr llvm::StringLiteral kX86Logic[] = {"XORP", "ANDP", "ANDNP", "ORP", "PXOR", "PAND", "POR", "PTERNLOG"};
constexpr llvm::StringLiteral kArmLogic[] = {"MOVI", "MVNI", "ORR", "ORN", "AND", "BIC", "EOR", "BIT", "BIF", "BSL"};

/// "ADDSDrr_Int", "VFMADD213SSZr": what has a single number's type at the end, of instructions that are not of
/// integers.
bool isOfX86Scalars(llvm::StringRef name) {
  name.consume_front("V");
  name = name.take_while([](char c) { return llvm::isUpper(c) || llvm::isDigit(c); });
  name.consume_back("Z");
  return (name.ends_with("SS") || name.ends_with("SD") || name.ends_with("SH")) && !name.starts_with("P") &&
         !name.starts_with("BROADCAST");
}

/// "ADDv8i8": NEON's vectors of eight bytes are in the registers of scalars. "FMULv1i64_indexed" has a scalar.
bool hasNeonLanes(llvm::StringRef name) {
  for (size_t at = name.find('v'); at != llvm::StringRef::npos; at = name.find('v', at + 1))
    if (at + 1 < name.size() && llvm::isDigit(name[at + 1]))
      return !name.drop_front(at).starts_with("v1i");
  return false;
}

class VectorReader {
public:
  VectorReader(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions)
      : target_(target), program_(program), bytes_(target), instructions_(instructions) {
    for (const uint32_t index : instructions)
      note(program.instructions()[index].inst);
  }

  VectorUse use() const {
    VectorUse most = VectorUse::None;
    for (const uint32_t index : instructions_)
      most = std::max(most, useOf(program_.instructions()[index].inst));
    return most;
  }

private:
  void note(const llvm::MCInst &inst) {
    const llvm::MCInstrDesc &description = descriptionOf(inst);
    const auto write = [&](llvm::MCRegister reg) {
      for (const auto unit : target_.registers().regunits(reg))
        written_.insert(static_cast<unsigned>(unit));
    };
    for (unsigned i = 0; i < std::min(description.getNumDefs(), inst.getNumOperands()); ++i)
      if (inst.getOperand(i).isReg() && inst.getOperand(i).getReg())
        write(inst.getOperand(i).getReg());
    for (const llvm::MCPhysReg reg : description.implicit_defs())
      write(reg);
  }

  const llvm::MCInstrDesc &descriptionOf(const llvm::MCInst &inst) const {
    return target_.instructions().get(inst.getOpcode());
  }

  VectorUse useOf(const llvm::MCInst &inst) const {
    const llvm::MCInstrDesc &description = descriptionOf(inst);
    const llvm::StringRef name = target_.instructions().getName(inst.getOpcode());
    const bool isNeon = (target_.triple().isAArch64() || isArm()) && hasNeonLanes(name);
    if (!isNeon && !hasOperand(inst, [&](const llvm::MCRegisterClass &one) { return holdsVectors(one); }))
      return VectorUse::None;
    const bool isAccess = description.mayLoad() || description.mayStore();
    if (isAccess && movesVectors(inst))
      return VectorUse::Memory;
    return isOfScalars(inst, name, isAccess) ? VectorUse::None : VectorUse::Registers;
  }

  /// Whether scalar code has such an instruction, too. (Its vectors are not loaded or stored at a changing address.)
  bool isOfScalars(const llvm::MCInst &inst, llvm::StringRef name, bool isAccess) const {
    if (descriptionOf(inst).isMoveReg())
      return true;
    const bool isX86 = target_.triple().isX86();
    if (!isX86 && isAccess)
      return true;
    if (!isX86 && !target_.triple().isAArch64() && !isArm())
      return false;
    // From or to an integer register.
    if (!isAccess && hasOperand(inst, [&](const llvm::MCRegisterClass &one) { return holdsIntegers(one); }))
      return true;
    if (!isX86)
      return startsWithAny(name, kArmLogic) || name.contains("v1i"); // an element by a scalar
    const llvm::StringRef stem = name.starts_with("V") ? name.drop_front() : name;
    return isOfX86Scalars(name) || stem.starts_with("MOV") || startsWithAny(stem, kX86Logic);
  }

  bool isArm() const { return target_.triple().isARM() || target_.triple().isThumb(); }
  llvm::StringRef nameOf(const llvm::MCRegisterClass &one) const { return target_.registers().getRegClassName(&one); }

  /// Integers are in registers of these classes on all targets, pairs of 128 bits included.
  bool holdsIntegers(const llvm::MCRegisterClass &one) const {
    const llvm::StringRef name = nameOf(one);
    return name.starts_with("GPR") || name.starts_with("GR") || name.starts_with("G8") || name.starts_with("ADDR") ||
           name.contains("SeqPairs");
  }

  bool holdsVectors(const llvm::MCRegisterClass &one) const {
    if (target_.triple().isRISCV())
      return nameOf(one).starts_with("VR");
    return one.getSizeInBits() >= 8 * kLeastVectorBytes && !holdsIntegers(one) && !nameOf(one).starts_with("FP128");
  }

  /// Whether a register operand is of a class.
  bool hasOperand(const llvm::MCInst &inst, llvm::function_ref<bool(const llvm::MCRegisterClass &)> isOf) const {
    const llvm::MCInstrDesc &description = descriptionOf(inst);
    const unsigned count = std::min<unsigned>(inst.getNumOperands(), description.getNumOperands());
    for (unsigned i = 0; i < count; ++i)
      if (const llvm::MCRegisterClass *own = classOf(description.operands()[i]);
          own && inst.getOperand(i).isReg() && isOf(*own))
        return true;
    return false;
  }

  /// Whether an access is of a whole vector and at an address that the loop changes, or at one for each element.
  /// Vectors of unknown length are loaded outside of a loop if their address does not change.
  bool movesVectors(const llvm::MCInst &inst) const {
    const auto isScalable = [&](const llvm::MCRegisterClass &one) {
      return target_.triple().isRISCV() ? holdsVectors(one) : nameOf(one).starts_with("ZPR");
    };
    if (hasOperand(inst, isScalable))
      return true;
    const llvm::MCInstrDesc &description = descriptionOf(inst);
    bool isChanged = false;
    for (unsigned i = 0; i < std::min<unsigned>(inst.getNumOperands(), description.getNumOperands()); ++i) {
      const llvm::MCRegister reg = inst.getOperand(i).isReg() ? inst.getOperand(i).getReg() : llvm::MCRegister();
      if (!reg)
        continue;
      const llvm::MCRegisterClass *own = classOf(description.operands()[i]);
      const bool isVector = own && holdsVectors(*own);
      if (isVector && description.operands()[i].OperandType == llvm::MCOI::OPERAND_MEMORY)
        return true;
      isChanged |= !isVector && isWritten(reg);
    }
    return isChanged && bytes_.widest(inst) >= kLeastVectorBytes;
  }

  bool isWritten(llvm::MCRegister reg) const {
    return llvm::any_of(target_.registers().regunits(reg),
                        [&](auto unit) { return written_.contains(static_cast<unsigned>(unit)); });
  }

  /// Null for an operand that is no register, or whose class depends on the CPU.
  const llvm::MCRegisterClass *classOf(const llvm::MCOperandInfo &info) const {
    return info.RegClass < 0 || info.isLookupRegClassByHwMode()
               ? nullptr
               : &target_.registers().getRegClass(static_cast<unsigned>(info.RegClass));
  }

  const mca::Target &target_;
  const mca::Program &program_;
  const mca::MemoryBytes bytes_;
  std::span<const uint32_t> instructions_;
  llvm::DenseSet<unsigned> written_; ///< units of the registers that the loop writes
};

} // namespace

VectorUse vectorUseOf(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> instructions) {
  return VectorReader(target, program, instructions).use();
}

} // namespace analysis
