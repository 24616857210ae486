// By the names of LLVM's opcodes and register classes: their numbers are private to the backends.
#include "mca-core/program/operands.h"

#include "mca-core/program/memory_bytes.h"
#include "mca-core/program/x86_instruction.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace mca {
namespace {

using llvm::MCInst;
using llvm::StringRef;

StringRef nameOf(const MCInst &inst, const Target &target) {
  return target.instructions().getName(inst.getOpcode());
}

/// 1 for an addition, -1 for a subtraction, 0 for anything else.
int signOf(StringRef name) {
  return name.starts_with("ADD") || name.starts_with("C_ADDI") ? 1 : name.starts_with("SUB") ? -1 : 0;
}

std::optional<AddedConstant> addedOnX86(const MCInst &inst, const Target &target) {
  const StringRef name = nameOf(inst, target);
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  if (const int64_t change = stackChangeOf(name)) {
    const llvm::MCRegister stack = stackPointer(inst, target);
    return AddedConstant{stack, stack, change};
  }
  if (description.mayLoad() || description.mayStore())
    return std::nullopt;
  const llvm::MCRegister first = registerAt(inst, 0), second = registerAt(inst, 1);
  if (llvm::is_contained({"MOV64rr", "MOV64rr_REV", "MOV32rr", "MOVSX64rr32"}, name))
    return AddedConstant{first, second, 0};
  if (name.starts_with("LEA")) {
    const std::optional<X86Address> address = x86AddressOf(inst, target);
    const bool isSum = address && address->base.isValid() && !address->index.isValid();
    return isSum && address->displacement ? std::optional(AddedConstant{first, address->base, *address->displacement})
                                          : std::nullopt;
  }
  const int sign = signOf(name);
  // The short form for the accumulator, which is no operand.
  if (const std::optional<int64_t> by = immediateAt(inst, 0); sign && by && inst.getNumOperands() == 1) {
    const llvm::MCRegister accumulator = description.implicit_defs().front();
    return AddedConstant{accumulator, accumulator, sign * *by};
  }
  if (!first.isValid() || first != second)
    return std::nullopt;
  if (name.starts_with("INC") || name.starts_with("DEC"))
    return AddedConstant{first, first, name.starts_with("INC") ? 1 : -1};
  const std::optional<int64_t> by = immediateAt(inst, 2);
  return sign && by ? std::optional(AddedConstant{first, first, sign * *by}) : std::nullopt;
}

bool isZero(const Target &target, llvm::MCRegister reg) {
  return reg.isValid() && llvm::is_contained({"XZR", "WZR"}, StringRef(target.registers().getName(reg)));
}

/// AArch64's loads and stores that also move their base, by their last operand.
std::optional<AddedConstant> movedBaseOnAArch64(const MCInst &inst, const Target &target) {
  const StringRef name = nameOf(inst, target);
  const unsigned last = inst.getNumOperands() - 1;
  const llvm::MCRegister base = registerAt(inst, 0);
  if (name.ends_with("_POST")) { // by a register, or by the bytes that it moves if XZR stands for the register
    const Structure moved = structureOf(name);
    return moved.bytes && isZero(target, registerAt(inst, last))
               ? std::optional(AddedConstant{base, base, int64_t{moved.registers} * moved.bytes})
               : std::nullopt;
  }
  // Of a pair the immediate counts registers.
  const bool pair = name.starts_with("LDP") || name.starts_with("STP") || name.starts_with("LDNP");
  const int64_t unit = pair ? accessBytes(name) : 1;
  const std::optional<int64_t> by = immediateAt(inst, last);
  if ((!name.ends_with("post") && !name.ends_with("pre")) || !by || !unit)
    return std::nullopt;
  return AddedConstant{base, base, *by * unit};
}

std::optional<AddedConstant> addedOnAArch64(const MCInst &inst, const Target &target) {
  if (const std::optional<AddedConstant> moved = movedBaseOnAArch64(inst, target))
    return moved;
  const StringRef name = nameOf(inst, target);
  const llvm::MCRegister first = registerAt(inst, 0), second = registerAt(inst, 1);
  if ((name == "ORRXrs" || name == "ORRWrs") && isZero(target, second) && immediateAt(inst, 3) == 0) // mov
    return AddedConstant{first, registerAt(inst, 2), 0};
  const int sign = signOf(name);
  const std::optional<int64_t> by = immediateAt(inst, 2);
  // ADDVL and ADDPL add multiples of the length of a vector.
  if (!sign || !by || !second.isValid() || name.contains("VL") || name.contains("PL"))
    return std::nullopt;
  const bool isShifted = immediateAt(inst, 3) == 12; // by twelve bits
  return AddedConstant{first, second, sign * (isShifted ? *by << 12 : *by)};
}

} // namespace

llvm::MCRegister registerAt(const MCInst &inst, unsigned operand) {
  const bool isReg = operand < inst.getNumOperands() && inst.getOperand(operand).isReg();
  return isReg ? inst.getOperand(operand).getReg() : llvm::MCRegister();
}

std::optional<int64_t> immediateAt(const MCInst &inst, unsigned operand) {
  if (operand < inst.getNumOperands() && inst.getOperand(operand).isImm())
    return inst.getOperand(operand).getImm();
  return std::nullopt;
}

bool writesRegister(const Target &target, const MCInst &inst, llvm::MCRegister reg) {
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  const auto overlaps = [&](llvm::MCRegister written) { return target.registers().regsOverlap(reg, written); };
  const auto defs = llvm::ArrayRef(inst.begin(), std::min<size_t>(description.getNumDefs(), inst.size()));
  return llvm::any_of(
             defs, [&](const llvm::MCOperand &def) { return def.isReg() && def.getReg() && overlaps(def.getReg()); }) ||
         llvm::any_of(description.implicit_defs(), overlaps);
}

bool isAddressBase(const Target &target, const llvm::MCOperandInfo &operand) {
  if (operand.OperandType == llvm::MCOI::OPERAND_MEMORY)
    return true;
  if (!target.triple().isAArch64() || operand.RegClass < 0 || operand.isLookupRegClassByHwMode())
    return false;
  const auto &regClass = target.registers().getRegClass(static_cast<unsigned>(operand.RegClass));
  return StringRef(target.registers().getRegClassName(&regClass)) == "GPR64sp";
}

OperandUse operandUseOf(const MCInst &inst, const Target &target) {
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  const StringRef name = nameOf(inst, target);
  const bool isX86 = target.triple().isX86();
  const bool onlyLoads = isX86 && (name.starts_with("PUSH") || name.starts_with("CALL"));
  const bool onlyStores = isX86 && name.starts_with("POP") && !name.starts_with("POPCNT");
  return {description.mayLoad() && !onlyStores, description.mayStore() && !onlyLoads};
}

std::optional<uint64_t> loadedNumberOf(const MCInst &inst, const Target &target) {
  const StringRef name = target.triple().isX86() ? nameOf(inst, target) : "";
  const std::optional<int64_t> number = immediateAt(inst, 1);
  if (!number || !llvm::is_contained({"MOV32ri", "MOV64ri", "MOV64ri32"}, name))
    return std::nullopt;
  return name == "MOV32ri" ? static_cast<uint32_t>(*number) : static_cast<uint64_t>(*number);
}

std::optional<AddedConstant> addedConstantOf(const MCInst &inst, const Target &target) {
  if (target.triple().isX86())
    return addedOnX86(inst, target);
  if (target.triple().isAArch64())
    return addedOnAArch64(inst, target);
  const StringRef name = nameOf(inst, target);
  const llvm::MCRegister first = registerAt(inst, 0), second = registerAt(inst, 1);
  if (name == "C_MV")
    return AddedConstant{first, second, 0};
  const std::optional<int64_t> by = immediateAt(inst, 2);
  const bool isSum = first == second || llvm::is_contained({"ADDI", "ADDIW"}, name);
  return first.isValid() && isSum && by && signOf(name)
             ? std::optional(AddedConstant{first, second, signOf(name) * *by})
             : std::nullopt;
}

} // namespace mca
