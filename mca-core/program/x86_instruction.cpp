// By the names of LLVM's opcodes: X86GenInstrInfo.inc, which numbers them, is not installed.
#include "mca-core/program/x86_instruction.h"

#include "mca-core/program/operands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/Support/Casting.h"

namespace mca {
namespace {

using llvm::MCInst;
using llvm::StringRef;

/// The type of operands that are conditions (X86::OPERAND_COND_CODE).
constexpr unsigned kConditionType = llvm::MCOI::OPERAND_FIRST_TARGET + 1;

StringRef nameOf(const MCInst &inst, const Target &target) {
  return target.instructions().getName(inst.getOpcode());
}

/// Reads a displacement: a number, a symbol, or the sum of both.
void addDisplacement(const llvm::MCExpr &expression, MemoryAccess &access) {
  if (const auto *symbol = llvm::dyn_cast<llvm::MCSymbolRefExpr>(&expression); symbol && !access.symbol) {
    access.symbol = &symbol->getSymbol();
    return;
  }
  if (const auto *constant = llvm::dyn_cast<llvm::MCConstantExpr>(&expression)) {
    access.displacement += constant->getValue();
    return;
  }
  const auto *sum = llvm::dyn_cast<llvm::MCBinaryExpr>(&expression);
  if (!sum || sum->getOpcode() != llvm::MCBinaryExpr::Add) {
    access.isKnown = false;
    return;
  }
  addDisplacement(*sum->getLHS(), access);
  addDisplacement(*sum->getRHS(), access);
}

} // namespace

std::optional<X86Address> x86AddressOf(const MCInst &inst, const Target &target) {
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  const unsigned count = std::min<unsigned>(inst.getNumOperands(), description.getNumOperands());
  const bool isLea = nameOf(inst, target).starts_with("LEA"); // LLVM does not mark its address, which nothing accesses
  for (unsigned i = isLea ? 1 : 0; i + X86Address::kOperands <= count; ++i)
    if (isLea || description.operands()[i].OperandType == llvm::MCOI::OPERAND_MEMORY) {
      const auto *const first = inst.begin() + i;
      if (!first[0].isReg() || !first[1].isImm() || !first[2].isReg() || !first[4].isReg())
        return std::nullopt;
      return X86Address{.first = i,
                        .base = first[0].getReg(),
                        .index = first[2].getReg(),
                        .scale = first[1].getImm(),
                        .displacement = immediateAt(inst, i + X86Address::kDisplacement),
                        .segment = first[4].getReg()};
    }
  return std::nullopt;
}

llvm::MCRegister stackPointer(const MCInst &inst, const Target &target) {
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  for (const llvm::MCPhysReg reg : description.implicit_uses())
    if (llvm::is_contained(description.implicit_defs(), reg))
      return reg;
  return {};
}

StringRef operationOf(StringRef opcode) {
  return opcode.take_while([](char c) { return llvm::isUpper(c); });
}

std::optional<unsigned> conditionOf(const MCInst &inst, const Target &target) {
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  for (unsigned i = 0; i < std::min(inst.getNumOperands(), description.getNumOperands()); ++i)
    if (description.operands()[i].OperandType == kConditionType && inst.getOperand(i).isImm())
      return static_cast<unsigned>(inst.getOperand(i).getImm());
  return std::nullopt;
}

FlagParts flagsReadBy(const MCInst &inst, const Target &target) {
  if (const std::optional<unsigned> condition = conditionOf(inst, target)) {
    const unsigned pair = *condition >> 1; // a condition and its opposite read the same flags
    return pair == 1 ? kCarryFlag : pair == 3 ? kAllFlags : kOtherFlags;
  }
  return llvm::StringSwitch<FlagParts>(operationOf(nameOf(inst, target)))
      .Cases({"ADC", "SBB", "ADCX", "RCL", "RCR", "SETB", "CMC", "SALC"}, kCarryFlag)
      .Case("ADOX", kOtherFlags)
      .Default(kAllFlags);
}

FlagParts flagsWrittenBy(const MCInst &inst, const Target &target) {
  return llvm::StringSwitch<FlagParts>(operationOf(nameOf(inst, target)))
      .Cases({"INC", "DEC", "ADOX"}, kOtherFlags)
      .Cases({"CLC", "STC", "CMC", "BT", "BTC", "BTR", "BTS", "ADCX"}, kCarryFlag)
      .Default(kAllFlags);
}

int64_t stackChangeOf(StringRef opcode) {
  const bool isPush = opcode.consume_front("PUSH");
  if (!isPush && !opcode.consume_front("POP"))
    return 0;
  opcode = opcode.ltrim("FP"); // the flags, and the form with a hint
  const int64_t bytes = opcode.starts_with("64") ? 8 : opcode.starts_with("32") ? 4 : opcode.starts_with("16") ? 2 : 0;
  return isPush ? -bytes : bytes;
}

std::optional<MemoryAccess> memoryAccessOf(const MCInst &inst, const Target &target, const MemoryBytes &sizes) {
  MemoryAccess access;
  const std::optional<X86Address> address = x86AddressOf(inst, target);
  if (const int64_t change = stackChangeOf(nameOf(inst, target)); change && !address) {
    access.base = stackPointer(inst, target);
    access.displacement = std::min<int64_t>(change, 0);
    access.bytes = static_cast<uint32_t>(std::abs(change));
    access.isStack = true;
    return access;
  }
  if (!address)
    return std::nullopt;
  access.base = address->base;
  access.scale = address->scale;
  access.index = address->index;
  access.isKnown = !address->segment.isValid(); // a segment's base is unknown
  access.displacement = address->displacement.value_or(0);
  if (const llvm::MCOperand &part = inst.getOperand(address->first + X86Address::kDisplacement); part.isExpr())
    addDisplacement(*part.getExpr(), access);
  access.bytes = sizes.ofX86Operand(inst);
  return access;
}

bool isStackPointer(llvm::MCRegister reg, const Target &target) {
  return reg.isValid() && StringRef(target.registers().getName(reg)) == "RSP";
}

llvm::MCRegister wholeRegister(llvm::MCRegister reg, const Target &target) {
  llvm::MCRegister whole = reg;
  // Pairs of masks and of tiles, such as K0_K1, are two registers.
  for (const llvm::MCPhysReg wider : target.registers().superregs(reg))
    if (!StringRef(target.registers().getName(wider)).contains('_'))
      whole = wider;
  return whole;
}

bool definesWholeRegister(llvm::MCRegister reg, const Target &target) {
  const StringRef name = target.registers().getName(reg);
  const bool has32Bits = (name.size() == 3 && name.starts_with("E")) || (name.starts_with("R") && name.ends_with("D"));
  return has32Bits || wholeRegister(reg, target) == reg;
}

} // namespace mca
