#include "mca-core/measure/probes/instances.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInstrDesc.h"

#include <cassert>

namespace mca::measure {
namespace {

using llvm::MCInst;
using llvm::MCInstrDesc;
using llvm::MCOperand;
using llvm::MCRegister;
using llvm::StringRef;

constexpr unsigned kAddressOperands = 5;
/// The condition code of cmovcc, setcc and jcc, as in form.cpp.
constexpr unsigned kConditionType = llvm::MCOI::OPERAND_FIRST_TARGET + 1;
/// Neither is true after the harness has cleared the flags, so that jumps are not taken.
constexpr int64_t kOverflow = 0, kEqual = 4, kBelowOrEqual = 6;
/// Fits each immediate operand, is a valid selector of shuffles, comparisons and roundings, and a small shift count.
constexpr int64_t kImmediate = 3;
constexpr int64_t kLeaDisplacement = 24;
constexpr unsigned kLockFlag = 1u << 4; ///< of MCInst::getFlags(), as in form.cpp

constexpr const char *kGeneralNames[] = {"RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI",
                                         "R8",  "R9",  "R10", "R11", "R12", "R13", "R14", "R15"};

/// System instructions that LLVM's descriptions do not tell from others, instructions whose time depends on the world,
/// on a counter in a register or on much state, and pushes and pops, which have probes of their own. Names begin with
/// these. String instructions are refused by the kind of their operands.
constexpr const char *kRefused[] = {
    "RDRAND",      "RDSEED",   "RDTSC",      "RDPMC",       "RDPID",       "RDMSR",       "RDFS",     "RDGS",
    "RDSSP",       "WRMSR",    "WRFS",       "WRGS",        "WRSS",        "WRUSS",       "WRPKRU",   "RDPKRU",
    "CPUID",       "XGETBV",   "XSETBV",     "SYS",         "INT",         "IN8",         "IN16",     "IN32",
    "OUT",         "REP_",     "REPNE_",     "HLT",         "CLI",         "STI",         "CLTS",     "STD",
    "CLD",         "STAC",     "CLAC",       "CLAC",        "LGDT",        "LIDT",        "LLDT",     "LMSW",
    "LTR",         "SGDT",     "SIDT",       "SLDT",        "SMSW",        "STR",         "LAR",      "LSL",
    "VERR",        "VERW",     "ARPL",       "BOUND",       "INVLPG",      "INVD",        "INVPCID",  "INVEPT",
    "INVVPID",     "WBINVD",   "WBNOINV",    "VMCALL",      "VMCLEAR",     "VMFUNC",      "VMGEXIT",  "VMLAUNCH",
    "VMLOAD",      "VMMCALL",  "VMPTR",      "VMREAD",      "VMRESUME",    "VMRUN",       "VMSAVE",   "VMWRITE",
    "VMX",         "SWAPGS",   "MONITOR",    "MWAIT",       "UMONITOR",    "UMWAIT",      "TPAUSE",   "XBEGIN",
    "XEND",        "XABORT",   "XTEST",      "XSAVE",       "XRSTOR",      "FXSAVE",      "FXRSTOR",  "FSAVE",
    "FRSTOR",      "FLDENV",   "FSTENV",     "CLFLUSH",     "CLWB",        "CLZERO",      "CLDEMOTE", "MFENCE",
    "LFENCE",      "SFENCE",   "PAUSE",      "SERIALIZE",   "PTWRITE",     "ENQCMD",      "MOVDIR",   "INCSSP",
    "SAVEPREVSSP", "RSTORSSP", "SETSSBSY",   "CLRSSBSY",    "LDTILE",      "STTILE",      "TILE",     "LDMXCSR",
    "STMXCSR",     "VLDMXCSR", "VSTMXCSR",   "EMMS",        "FEMMS",       "XLAT",        "GETSEC",   "UD1",
    "UD2",         "RSM",      "IRET",       "PUSH",        "POP1",        "POP3",        "POP6",     "POPP",
    "POPA",        "POPF",     "POPD",       "ENTER",       "LEAVE",       "FAR",         "LES",      "LDS",
    "LSS",         "LFS",      "LGS",        "DATA16",      "CS_PREFIX",   "LOCK_PREFIX", "REX64",    "XACQUIRE",
    "XRELEASE",    "MOV16sr",  "MOV32sr",    "MOV64sr",     "MOV16rs",     "MOV32rs",     "MOV64rs",  "MOV16sm",
    "MOV16ms",     "MOV64rc",  "MOV64cr",    "MOV32rc",     "MOV32cr",     "MOV64rd",     "MOV64dr",  "MOV32rd",
    "MOV32dr",     "VZEROALL", "MASKMOVDQU", "VMASKMOVDQU", "MMX_MASKMOV",
};

bool isMemory(const MCInstrDesc &description, unsigned operand) {
  return operand < description.getNumOperands() &&
         description.operands()[operand].OperandType == llvm::MCOI::OPERAND_MEMORY;
}

bool isCondition(const MCInstrDesc &description, unsigned operand) {
  return description.operands()[operand].OperandType == kConditionType;
}

} // namespace

Placement formPlacement() {
  return {.families = {{{{8, 9, 10}, {3, 11, 3}}, {{1, 2, 3, 4, 5, 6, 7}, {8, 9, 10}}, {{3, 4, 5, 6}, {1, 2, 1}}}},
          .base = 15,
          .index = 11};
}

Placement aloneFormPlacement() {
  Placement placement = formPlacement();
  placement.families[0].targets = {8, 9, 10, 12, 13, 14, 6, 7};
  placement.families[1].targets = {1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15};
  return placement;
}

Placement blockerPlacement() {
  return {.families = {{{{12, 13, 14, 6, 7}, {3, 11, 3}}, {{11, 12, 13, 14}, {15, 15, 15}}, {{7}, {7, 7, 7}}}},
          .base = 5,
          .index = 11};
}

InstanceMaker::InstanceMaker(const Target &target) : target_(target) {
  const llvm::MCRegisterInfo &registers = target.registers();
  for (unsigned reg = 1; reg < registers.getNumRegs(); ++reg) {
    StringRef name = registers.getName(reg);
    if (const auto *const found = llvm::find(kGeneralNames, name); found != std::end(kGeneralNames))
      full_[0][found - std::begin(kGeneralNames)] = reg;
    unsigned number = 0;
    if (name.consume_front("XMM") && !name.getAsInteger(10, number) && number < kFamilyRegisters)
      full_[1][number] = reg;
    if (target.subtarget().checkFeatures("+avx512bw") && name.consume_front("K") && !name.getAsInteger(10, number))
      full_[2][number] = reg;
    if (StringRef(registers.getName(reg)) == "RIP")
      instructionPointer_ = reg;
  }
  for (unsigned opcode = 0; opcode < target.instructions().getNumOpcodes(); ++opcode)
    opcodes_.try_emplace(target.instructions().getName(opcode), opcode);
}

std::optional<unsigned> InstanceMaker::opcodeOf(StringRef name) const {
  const auto found = opcodes_.find(name);
  return found == opcodes_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<unsigned> InstanceMaker::addressOf(unsigned opcode) const {
  const MCInstrDesc &description = target_.instructions().get(opcode);
  if (isLea(opcode))
    return 1;
  for (unsigned first = 0; first + kAddressOperands <= description.getNumOperands(); ++first)
    if (isMemory(description, first))
      return isMemory(description, first + kAddressOperands - 1) ? std::optional(first) : std::nullopt;
  return std::nullopt;
}

bool InstanceMaker::isLea(unsigned opcode) const {
  const StringRef name = target_.instructions().getName(opcode);
  return name == "LEA16r" || name == "LEA32r" || name == "LEA64r" || name == "LEA64_32r";
}

/// By Intel's manual (LOCK prefix), of what an assembler accepts.
bool InstanceMaker::mayBeLocked(unsigned opcode) const {
  const MCInstrDesc &description = target_.instructions().get(opcode);
  const StringRef name = target_.instructions().getName(opcode);
  constexpr const char *kLockable[] = {"ADC", "ADD", "AND", "BTC", "BTR", "BTS", "CMPXCHG", "DEC",
                                       "INC", "NEG", "NOT", "OR",  "SBB", "SUB", "XADD",    "XOR"};
  return description.mayLoad() && description.mayStore() && llvm::any_of(kLockable, [&](StringRef stem) {
           StringRef rest = name;
           return rest.consume_front(stem) && !rest.empty() && llvm::isDigit(rest[0]);
         });
}

std::string InstanceMaker::refusal(unsigned opcode) const {
  const MCInstrDesc &description = target_.instructions().get(opcode);
  const StringRef name = target_.instructions().getName(opcode);
  if (description.isPseudo())
    return "it is no instruction of the processor";
  if (description.isBranch() || description.isCall() || description.isReturn() || description.isTerminator())
    return "it changes the control flow";
  if (llvm::any_of(kRefused, [&](StringRef stem) { return name.starts_with(stem); }))
    return "it is a system instruction, or its time depends on more than its operands";
  const auto isStack = [&](llvm::MCPhysReg reg) {
    return llvm::is_contained({"FPCW", "FPSW", "ST0", "MM0"}, StringRef(target_.registers().getName(reg)));
  };
  if (llvm::any_of(description.implicit_uses(), isStack) || llvm::any_of(description.implicit_defs(), isStack))
    return "it uses the stack of floating-point registers";
  if (!make(opcode, {}, formPlacement(), 0))
    return "it uses registers or addresses of another kind";
  return "";
}

std::vector<Variant> InstanceMaker::variantsOf(unsigned opcode) const {
  const MCInstrDesc &description = target_.instructions().get(opcode);
  std::vector<Variant> variants(1);
  if (isLea(opcode)) {
    constexpr AddressParts kParts[] = {{true, 0, true}, {true, 1, false},  {true, 4, false}, {true, 1, true},
                                       {true, 4, true}, {false, 4, false}, {false, 4, true}, {false, 0, true, true}};
    for (const AddressParts &parts : kParts)
      variants.push_back({.address = parts});
  } else if (addressOf(opcode)) {
    variants.push_back({.address = {true, 1, false}});
  }
  for (unsigned i = 0; i < description.getNumOperands(); ++i)
    if (isCondition(description, i))
      variants.push_back({.address = {}, .twoFlags = true});
  if (mayBeLocked(opcode))
    variants.push_back({.address = {}, .locked = true});
  for (const Variant special :
       {Variant{.address = {}, .sameRegisters = true}, Variant{.address = {}, .ownDestination = true}}) {
    const std::optional<MCInst> inst = make(opcode, special, formPlacement(), 0);
    if (!inst)
      continue;
    const Form form = formOf(*inst, target_);
    // Rows of other instructions are replaced by the plain one.
    const bool isSame = form.shape == "same" && shapesToTry(form).size() == 1;
    if (special.sameRegisters ? isSame : form.shape == "self")
      variants.push_back(special);
  }
  return variants;
}

/// The class's register that is the family's register `number` or a part of it. High bytes have another encoding.
MCRegister InstanceMaker::registerFor(unsigned opcode, unsigned operand, uint8_t number) const {
  const MCInstrDesc &description = target_.instructions().get(opcode);
  const llvm::MCRegisterInfo &registers = target_.registers();
  const int id =
      target_.instructions().getOpRegClassID(description.operands()[operand], target_.subtarget().getHwMode());
  if (id < 0)
    return {};
  for (const llvm::MCPhysReg reg : registers.getRegClass(id))
    for (const auto &family : full_)
      if (family[number].isValid() && registers.regsOverlap(reg, family[number]) &&
          registers.getEncodingValue(reg) == registers.getEncodingValue(family[number]))
        return reg;
  return {};
}

std::optional<std::pair<RegisterFamily, uint8_t>> InstanceMaker::numberOf(MCRegister reg) const {
  for (const RegisterFamily family : {RegisterFamily::General, RegisterFamily::Vector, RegisterFamily::Mask})
    for (uint8_t number = 0; number < kFamilyRegisters; ++number)
      if (reg.isValid() && fullRegister(family, number).isValid() &&
          target_.registers().regsOverlap(reg, fullRegister(family, number)))
        return std::pair(family, number);
  return std::nullopt;
}

/// How many registers that are read alone come before the operand.
unsigned InstanceMaker::sourcePosition(unsigned opcode, unsigned operand) const {
  const MCInstrDesc &description = target_.instructions().get(opcode);
  unsigned position = 0;
  for (unsigned i = description.getNumDefs(); i < operand; ++i)
    position += description.operands()[i].OperandType == llvm::MCOI::OPERAND_REGISTER &&
                description.getOperandConstraint(i, llvm::MCOI::TIED_TO) < 0;
  return position;
}

MCRegister InstanceMaker::choose(unsigned opcode, unsigned operand, const Variant &variant, const Placement &placement,
                                 unsigned copy) const {
  const MCInstrDesc &description = target_.instructions().get(opcode);
  // Any register of the class says the family: its vectors have no general parts.
  const MCRegister example = registerFor(opcode, operand, 1);
  const auto family = numberOf(example);
  if (!family)
    return {};
  const auto &[targets, sources] = placement.families[static_cast<size_t>(family->first)];
  const unsigned definitions = std::max(1u, description.getNumDefs());
  const uint8_t target = targets[(size_t{copy} * definitions + std::min(operand, definitions - 1)) % targets.size()];
  if (operand < description.getNumDefs() || variant.ownDestination)
    return registerFor(opcode, operand, target);
  // With a tied source, the destination is the register that is the same.
  bool hasTied = false;
  for (unsigned i = 0; i < description.getNumOperands(); ++i)
    hasTied |= description.getOperandConstraint(i, llvm::MCOI::TIED_TO) >= 0;
  if (variant.sameRegisters)
    return registerFor(opcode, operand, hasTied ? target : sources[0]);
  return registerFor(opcode, operand, sources[std::min<size_t>(sourcePosition(opcode, operand), sources.size() - 1)]);
}

/// Aligned, as some vectors have to be.
int64_t InstanceMaker::placeOf(unsigned opcode, unsigned copy) const {
  constexpr int64_t kLine = 64, kWord = 8;
  const StringRef name = target_.instructions().getName(opcode);
  const bool isVex = name.starts_with('V');
  const bool hasVector = llvm::any_of(target_.instructions().get(opcode).operands(), [&](const auto &operand) {
    return operand.OperandType == llvm::MCOI::OPERAND_REGISTER && operand.RegClass >= 0 &&
           target_.registers().getRegClass(operand.RegClass).contains(fullRegister(RegisterFamily::Vector, 1));
  });
  const int64_t step = isVex && name.contains('Z') ? kLine : isVex ? kLine / 2 : hasVector ? kLine / 4 : kWord;
  return copy * step % kLine;
}

void InstanceMaker::addAddress(MCInst &inst, const Variant &variant, const Placement &placement, unsigned copy) const {
  const AddressParts &parts = variant.address;
  const MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
  // Within one line, since some cores write stores to one line faster. Those that change memory get places of their
  // own, and so do loads, since those of one bank of the cache disturb each other.
  const int64_t place = description.mayLoad() ? placeOf(inst.getOpcode(), copy) : 0;
  const int64_t displacement = isLea(inst.getOpcode()) ? (parts.displacement ? kLeaDisplacement : 0) : place;
  inst.addOperand(MCOperand::createReg(parts.relative ? instructionPointer_
                                       : parts.base   ? fullRegister(RegisterFamily::General, placement.base)
                                                      : MCRegister()));
  inst.addOperand(MCOperand::createImm(std::max<int64_t>(1, parts.scale)));
  inst.addOperand(
      MCOperand::createReg(parts.scale != 0 ? fullRegister(RegisterFamily::General, placement.index) : MCRegister()));
  inst.addOperand(MCOperand::createImm(displacement));
  inst.addOperand(MCOperand::createReg(MCRegister()));
}

bool InstanceMaker::setOperand(MCInst &inst, unsigned operand, const Variant &variant, const Placement &placement,
                               unsigned copy) const {
  const MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
  if (const int tied = description.getOperandConstraint(operand, llvm::MCOI::TIED_TO); tied >= 0) {
    inst.addOperand(inst.getOperand(static_cast<unsigned>(tied)));
    return true;
  }
  switch (description.operands()[operand].OperandType) {
  case llvm::MCOI::OPERAND_IMMEDIATE:
    inst.addOperand(MCOperand::createImm(kImmediate));
    return true;
  case llvm::MCOI::OPERAND_PCREL: // to the next instruction
    inst.addOperand(MCOperand::createImm(0));
    return true;
  case kConditionType: // Branches are not taken, whatever other instructions leave in the flags.
    inst.addOperand(MCOperand::createImm(variant.twoFlags         ? kBelowOrEqual
                                         : description.isBranch() ? kOverflow
                                                                  : kEqual));
    return true;
  case llvm::MCOI::OPERAND_REGISTER: {
    const MCRegister reg = choose(inst.getOpcode(), operand, variant, placement, copy);
    inst.addOperand(MCOperand::createReg(reg));
    return reg.isValid();
  }
  default:
    return false;
  }
}

std::optional<MCInst> InstanceMaker::make(unsigned opcode, const Variant &variant, const Placement &placement,
                                          unsigned copy) const {
  const MCInstrDesc &description = target_.instructions().get(opcode);
  const std::optional<unsigned> address = addressOf(opcode);
  MCInst inst;
  inst.setOpcode(opcode);
  if (variant.locked)
    inst.setFlags(kLockFlag);
  for (unsigned i = 0; i < description.getNumOperands(); ++i) {
    if (address == i) {
      addAddress(inst, variant, placement, copy);
      i += kAddressOperands - 1;
    } else if (!setOperand(inst, i, variant, placement, copy)) {
      return std::nullopt;
    }
  }
  // Indexes that are vectors (gathers) have no register here.
  if (address && !isLea(opcode)) {
    const int id =
        target_.instructions().getOpRegClassID(description.operands()[*address + 2], target_.subtarget().getHwMode());
    if (id >= 0 && !target_.registers().getRegClass(id).contains(fullRegister(RegisterFamily::General, 1)))
      return std::nullopt;
  }
  return inst;
}

MCInst InstanceMaker::nop() const {
  constexpr int64_t kOneByte = 8;
  const MCOperand any = MCOperand::createReg(fullRegister(RegisterFamily::General, 0));
  return assemble(
      "NOOPL", {any, MCOperand::createImm(1), any, MCOperand::createImm(kOneByte), MCOperand::createReg(MCRegister())});
}

MCInst InstanceMaker::assemble(StringRef opcode, llvm::ArrayRef<MCOperand> operands) const {
  const std::optional<unsigned> number = opcodeOf(opcode);
  assert(number && "the probes' own instructions exist");
  MCInst inst;
  inst.setOpcode(*number);
  for (const MCOperand &operand : operands)
    inst.addOperand(operand);
  return inst;
}

bool InstanceMaker::setRegister(MCInst &inst, unsigned operand, uint8_t number) const {
  const MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
  const std::optional<unsigned> address = addressOf(inst.getOpcode());
  if (address && operand >= *address && operand < *address + kAddressOperands) {
    inst.getOperand(operand).setReg(fullRegister(RegisterFamily::General, number));
    return true;
  }
  const MCRegister reg = registerFor(inst.getOpcode(), operand, number);
  if (!reg.isValid())
    return false;
  const int tied = description.getOperandConstraint(operand, llvm::MCOI::TIED_TO);
  const unsigned first = tied >= 0 ? static_cast<unsigned>(tied) : operand;
  for (unsigned i = 0; i < description.getNumOperands(); ++i)
    if (i == first || description.getOperandConstraint(i, llvm::MCOI::TIED_TO) == static_cast<int>(first))
      inst.getOperand(i).setReg(reg);
  return true;
}

} // namespace mca::measure
