// By the names of LLVM's opcodes: X86GenInstrInfo.inc, which numbers them, is not installed.
#include "mca-core/model/x86_instruction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/raw_ostream.h"

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

/// Reads the size from Intel's syntax, such as `qword ptr [rdi]`; 0 if there is none.
uint32_t accessedBytes(const MCInst &inst, const Target &target, llvm::MCInstPrinter &intel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  intel.printInst(&inst, 0, "", target.subtarget(), stream);
  const StringRef before = StringRef(text).split(" ptr ").first;
  const StringRef word = before.substr(before.find_last_of(" \t,(") + 1);
  return llvm::StringSwitch<uint32_t>(word)
      .Case("byte", 1)
      .Case("word", 2)
      .Case("dword", 4)
      .Case("qword", 8)
      .Cases({"xword", "tbyte"}, 10)
      .Case("xmmword", 16)
      .Case("ymmword", 32)
      .Case("zmmword", 64)
      .Default(0);
}

/// The register that push and pop read and write without naming it.
llvm::MCRegister stackPointer(const MCInst &inst, const Target &target) {
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  for (const llvm::MCPhysReg reg : description.implicit_uses())
    if (llvm::is_contained(description.implicit_defs(), reg))
      return reg;
  return {};
}

std::optional<AddedConstant> leaConstant(const MCInst &inst, const Target &target) {
  const std::optional<unsigned> first = firstAddressOperand(inst, target);
  if (!first)
    return std::nullopt;
  const auto *const address = inst.begin() + *first;
  if (!address[0].getReg().isValid() || address[2].getReg().isValid() || !address[3].isImm())
    return std::nullopt;
  return AddedConstant{inst.getOperand(0).getReg(), address[0].getReg(), address[3].getImm()};
}

} // namespace

std::optional<unsigned> firstAddressOperand(const MCInst &inst, const Target &target) {
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  for (unsigned i = 0; i + kAddressOperands <= std::min(inst.getNumOperands(), description.getNumOperands()); ++i)
    if (description.operands()[i].OperandType == llvm::MCOI::OPERAND_MEMORY) {
      const auto *const first = inst.begin() + i;
      return first[0].isReg() && first[1].isImm() && first[2].isReg() && first[4].isReg() ? std::optional(i)
                                                                                          : std::nullopt;
    }
  return std::nullopt;
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

std::optional<MemoryAccess> memoryAccessOf(const MCInst &inst, const Target &target, llvm::MCInstPrinter &intel) {
  MemoryAccess access;
  if (const int64_t change = stackChangeOf(nameOf(inst, target)); change && !firstAddressOperand(inst, target)) {
    access.base = stackPointer(inst, target);
    access.displacement = std::min<int64_t>(change, 0);
    access.bytes = static_cast<uint32_t>(std::abs(change));
    access.isStack = true;
    return access;
  }
  const std::optional<unsigned> first = firstAddressOperand(inst, target);
  if (!first)
    return std::nullopt;
  const auto *const address = inst.begin() + *first;
  access.base = address[0].getReg();
  access.scale = address[1].getImm();
  access.index = address[2].getReg();
  access.isKnown = !address[4].getReg().isValid(); // a segment's base is unknown
  if (address[3].isImm())
    access.displacement = address[3].getImm();
  else if (address[3].isExpr())
    addDisplacement(*address[3].getExpr(), access);
  access.bytes = accessedBytes(inst, target, intel);
  return access;
}

llvm::MCRegister wholeRegister(llvm::MCRegister reg, const Target &target) {
  llvm::MCRegister whole = reg;
  for (const llvm::MCPhysReg wider : target.registers().superregs(reg))
    whole = wider;
  return whole;
}

bool definesWholeRegister(llvm::MCRegister reg, const Target &target) {
  const StringRef name = target.registers().getName(reg);
  const bool has32Bits = (name.size() == 3 && name.starts_with("E")) || (name.starts_with("R") && name.ends_with("D"));
  return has32Bits || wholeRegister(reg, target) == reg;
}

std::optional<AddedConstant> addedConstantOf(const MCInst &inst, const Target &target) {
  const StringRef name = nameOf(inst, target);
  const auto reg = [&](unsigned operand) { return inst.getOperand(operand).getReg(); };
  if (name == "MOV64rr" || name == "MOV64rr_REV")
    return AddedConstant{reg(0), reg(1), 0};
  if (name == "LEA64r")
    return leaConstant(inst, target);
  if (name == "INC64r" || name == "DEC64r")
    return AddedConstant{reg(0), reg(1), name == "INC64r" ? 1 : -1};
  const bool isAdd = llvm::is_contained({"ADD64ri8", "ADD64ri32"}, name);
  if ((isAdd || llvm::is_contained({"SUB64ri8", "SUB64ri32"}, name)) && inst.getOperand(2).isImm())
    return AddedConstant{reg(0), reg(1), isAdd ? inst.getOperand(2).getImm() : -inst.getOperand(2).getImm()};
  if (const int64_t change = stackChangeOf(name))
    return AddedConstant{stackPointer(inst, target), stackPointer(inst, target), change};
  return std::nullopt;
}

} // namespace mca
