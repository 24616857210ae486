// Reads shapes from LLVM's descriptions of instructions. The numbers of x86's prefixes and of the type of operands that
// are conditions are those of X86BaseInfo.h, which LLVM does not install; form_test compares them with the parser's.
#include "mca-core/calibration/form.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInstrDesc.h"

#include <optional>

namespace mca {
namespace {

using llvm::MCInst;
using llvm::MCInstrDesc;
using llvm::MCOperand;
using llvm::MCRegister;
using llvm::StringRef;
using Words = llvm::SmallVector<StringRef, 4>;

/// The condition code of cmovcc, setcc and jcc.
constexpr unsigned kConditionType = llvm::MCOI::OPERAND_FIRST_TARGET + 1;
constexpr int64_t kBelowOrEqual = 6, kAbove = 7;

struct Prefix {
  unsigned flag; ///< of MCInst::getFlags()
  StringRef word;
};
constexpr Prefix kPrefixes[] = {{1u << 4, "lock"}, {1u << 3, "rep"}, {1u << 2, "repne"}};

/// x86's memory operands, and the address of lea: base, scale, index, displacement, segment.
struct Address {
  static constexpr unsigned kOperands = 5;
  const MCOperand *first;
  MCRegister base() const { return first[0].getReg(); }
  int64_t scale() const { return first[1].getImm(); }
  MCRegister index() const { return first[2].getReg(); }
  bool hasDisplacement() const { return !first[3].isImm() || first[3].getImm() != 0; }
  MCRegister segment() const { return first[4].getReg(); }
};

/// Whether the name is one of the stems followed by a number of bits.
bool isIntegerOperation(StringRef opcode, std::initializer_list<StringRef> stems) {
  return llvm::any_of(stems, [&](StringRef stem) {
    StringRef rest = opcode;
    return rest.consume_front(stem) && !rest.empty() && llvm::isDigit(rest[0]);
  });
}

/// An instruction with what LLVM says of it.
struct Described {
  Described(const MCInst &inst, const Target &target)
      : inst(inst), target(target), description(target.instructions().get(inst.getOpcode())),
        opcode(target.instructions().getName(inst.getOpcode())),
        isLea(target.triple().isX86() && isIntegerOperation(opcode, {"LEA"})) {}

  const MCInst &inst;
  const Target &target;
  const MCInstrDesc &description;
  StringRef opcode;
  bool isLea;

  /// LLVM says it of memory operands, but not of lea's address, which follows the destination.
  bool isAddressPart(unsigned operand) const {
    return operand < description.getNumOperands() &&
           (isLea ? operand > 0 : description.operands()[operand].OperandType == llvm::MCOI::OPERAND_MEMORY);
  }
  bool isWritten(unsigned operand) const {
    if (operand >= description.getNumOperands())
      return description.variadicOpsAreDefs();
    return operand < description.getNumDefs() || description.operands()[operand].isOptionalDef();
  }
  /// The number of the operand that this one is written in place of, or -1.
  int tiedTo(unsigned operand) const {
    return operand < description.getNumOperands() ? description.getOperandConstraint(operand, llvm::MCOI::TIED_TO) : -1;
  }
};

/// String instructions and moffs have fewer operands of this type.
std::optional<Address> addressOf(const Described &described) {
  const MCInst &inst = described.inst;
  for (unsigned first = 0; first + Address::kOperands <= inst.getNumOperands(); ++first) {
    if (!described.isAddressPart(first))
      continue;
    const Address address{&inst.begin()[first]};
    const bool isWhole = described.isAddressPart(first + Address::kOperands - 1) && address.first[0].isReg() &&
                         address.first[1].isImm() && address.first[2].isReg() && address.first[4].isReg();
    return isWhole ? std::optional(address) : std::nullopt;
  }
  return std::nullopt;
}

bool isNamed(MCRegister reg, const Target &target, std::initializer_list<StringRef> names) {
  return reg.isValid() && llvm::is_contained(names, StringRef(target.registers().getName(reg)));
}

StringRef addressWord(const Address &address, const Target &target) {
  if (isNamed(address.base(), target, {"RIP", "EIP"}))
    return "rip";
  const bool disp = address.hasDisplacement();
  const bool scaled = address.scale() > 1;
  if (!address.index().isValid())
    return !address.base().isValid() ? "absolute" : disp ? "base+disp" : "base";
  if (!address.base().isValid())
    return scaled ? (disp ? "scaled+disp" : "scaled") : (disp ? "index+disp" : "index");
  return scaled ? (disp ? "base+scaled+disp" : "base+scaled") : (disp ? "base+index+disp" : "base+index");
}

bool startsWithAny(StringRef name, std::initializer_list<StringRef> stems) {
  return llvm::any_of(stems, [&](StringRef stem) { return name.starts_with(stem); });
}

/// Instructions whose result is a constant if all registers that they read are one.
bool isConstantOfSame(StringRef opcode) {
  if (isIntegerOperation(opcode, {"XOR", "SUB", "SBB", "CMP", "ANDN"}))
    return true;
  opcode.consume_front("V");
  return startsWithAny(
      opcode, {"PXOR", "XORP", "PANDN", "ANDNP", "PSUB", "PCMPEQ", "PCMPGT", "PTERNLOG", "KXOR", "KXNOR", "KANDN"});
}

bool isShift(StringRef opcode) {
  return isIntegerOperation(opcode, {"SHL", "SHR", "SAR", "ROL", "ROR", "RCL", "RCR", "SHLD", "SHRD"});
}

/// The registers that are operands of their own, neither parts of addresses nor implicit.
struct PlainRegisters {
  llvm::SmallVector<MCRegister, 4> read, written;
  bool isTied = false; ///< one of them is read and written in place
};

PlainRegisters plainRegistersOf(const Described &described) {
  PlainRegisters registers;
  for (const auto &[i, operand] : llvm::enumerate(described.inst)) {
    const auto index = static_cast<unsigned>(i);
    if (!operand.isReg() || !operand.getReg().isValid() || described.isAddressPart(index))
      continue;
    (described.isWritten(index) ? registers.written : registers.read).push_back(operand.getReg());
    registers.isTied |= described.tiedTo(index) >= 0;
  }
  return registers;
}

void addRegisterWords(const Described &described, Words &words) {
  const PlainRegisters registers = plainRegistersOf(described);
  if (registers.read.size() > 1 && llvm::all_equal(registers.read))
    words.push_back("same");
  if (registers.read.size() == 1 && registers.written.size() == 1 && !registers.isTied &&
      startsWithAny(described.opcode, {"MOV", "VMOV", "KMOV"}) &&
      described.target.registers().regsOverlap(registers.read[0], registers.written[0]))
    words.push_back("self");
}

void addShiftCount(const Described &described, Words &words) {
  if (described.inst.getNumOperands() == 0 || !isShift(described.opcode))
    return;
  const MCOperand &count = described.inst.getOperand(described.inst.getNumOperands() - 1);
  if (count.isImm() && (count.getImm() == 0 || count.getImm() == 1))
    words.push_back(count.getImm() == 0 ? "imm0" : "imm1");
}

void addHigh8(const Described &described, Words &words) {
  if (llvm::any_of(described.inst, [&](const MCOperand &operand) {
        return operand.isReg() && isNamed(operand.getReg(), described.target, {"AH", "BH", "CH", "DH"});
      }))
    words.push_back("high8");
}

void addCondition(const Described &described, Words &words) {
  for (const auto &[operand, info] : llvm::zip(described.inst, described.description.operands()))
    if (info.OperandType == kConditionType && operand.isImm() &&
        (operand.getImm() == kBelowOrEqual || operand.getImm() == kAbove))
      words.push_back("carry+zero");
}

std::string x86Shape(const Described &described) {
  Words words;
  if (const std::optional<Address> address = addressOf(described)) {
    words.push_back(addressWord(*address, described.target));
    if (address->segment().isValid())
      words.push_back("segment");
  } else {
    addRegisterWords(described, words);
  }
  addShiftCount(described, words);
  addHigh8(described, words);
  addCondition(described, words);
  for (const Prefix &prefix : kPrefixes)
    if (described.inst.getFlags() & prefix.flag)
      words.push_back(prefix.word);
  return llvm::join(words, ",");
}

/// A word and the less precise one that may replace it; applied from first to last.
struct Replacement {
  StringRef word, by;
};
constexpr Replacement kReplacements[] = {
    {"imm0", ""},
    {"imm1", ""},
    {"self", ""},
    {"segment", ""},
    {"base+disp", "base"},
    {"base+index+disp", "base+index"},
    {"base+scaled+disp", "base+scaled"},
    {"index+disp", "index"},
    {"scaled+disp", "scaled"},
    {"scaled", "base+scaled"},
    {"base+scaled", "base+index"},
    {"index", "base+index"},
    {"base+index", "base"},
    {"absolute", "base"},
    {"rip", "base"},
    {"high8", ""},
    {"same", ""},
};

/// The words of shapes by their place in one.
constexpr StringRef kAddresses[] = {"base",        "base+disp",        "base+index", "base+index+disp",
                                    "base+scaled", "base+scaled+disp", "index",      "index+disp",
                                    "scaled",      "scaled+disp",      "absolute",   "rip"};
constexpr StringRef kOtherWords[][2] = {{"segment", ""},    {"same", "self"}, {"imm0", "imm1"}, {"high8", ""},
                                        {"carry+zero", ""}, {"lock", ""},     {"rep", ""},      {"repne", ""}};

FormOperand::Kind kindOf(MCRegister reg, const Target &target) {
  return isNamed(reg, target, {"EFLAGS", "NZCV", "CPSR"}) ? FormOperand::Kind::Flags : FormOperand::Kind::Register;
}

bool isUnchanging(MCRegister reg, const Target &target) {
  return !reg.isValid() || isNamed(reg, target,
                                   {"CS", "DS", "ES", "FS", "GS", "SS", "IP", "EIP", "RIP", "EIZ", "RIZ", "DF", "MXCSR",
                                    "FPCW", "FPSW", "SSP", "XZR", "WZR", "FPCR"});
}

void addImplicit(llvm::ArrayRef<llvm::MCPhysReg> registers, const Target &target,
                 llvm::SmallVectorImpl<FormOperand> &operands) {
  for (const auto &[i, reg] : llvm::enumerate(registers))
    if (!isUnchanging(reg, target))
      operands.push_back({kindOf(reg, target), formOperandNumber(~static_cast<int>(i)), reg});
}

/// The explicit destinations that no source is tied to. A register that is written in place is read anyway.
void addOldValues(const Described &described, FormOperands &operands) {
  for (const FormOperand &destination : operands.destinations) {
    const bool isTied = llvm::any_of(llvm::seq(described.inst.getNumOperands()),
                                     [&](unsigned i) { return described.tiedTo(i) == destination.number; });
    if (destination.number < kFirstImplicit && !isTied)
      operands.sources.push_back({FormOperand::Kind::OldValue, destination.number, destination.reg});
  }
}

/// Opcodes of EVEX and VEX for the same operation without masks, by a part of their names.
constexpr std::pair<StringRef, StringRef> kEvexWidths[] = {
    {"Z128", ""}, {"Z256", "Y"}, {"SSZ", "SS"}, {"SDZ", "SD"}, {"DIZ", "DI"}, {"PQIZ", "PQI"}, {"to64Z", "to64"}};

/// What EVEX encodes under several names, by the width of what it could mask.
constexpr std::pair<StringRef, StringRef> kEvexNames[] = {
    {"VPXORD", "VPXOR"},      {"VPXORQ", "VPXOR"},      {"VPANDD", "VPAND"},     {"VPANDQ", "VPAND"},
    {"VPANDND", "VPANDN"},    {"VPANDNQ", "VPANDN"},    {"VPORD", "VPOR"},       {"VPORQ", "VPOR"},
    {"VMOVDQA32", "VMOVDQA"}, {"VMOVDQA64", "VMOVDQA"}, {"VMOVDQU8", "VMOVDQU"}, {"VMOVDQU16", "VMOVDQU"},
    {"VMOVDQU32", "VMOVDQU"}, {"VMOVDQU64", "VMOVDQU"}};

/// VADDPSYrr for VADDPSZ256rr, which is executed alike. Empty if there is none. EVEX's comparisons write masks, and its
/// gathers read them.
std::string vexOf(StringRef opcode) {
  if (!opcode.starts_with("V") || opcode.contains("CMP") || opcode.contains("GATHER"))
    return "";
  for (const auto &[evex, vex] : kEvexWidths) {
    const size_t at = opcode.rfind(evex);
    if (at == StringRef::npos)
      continue;
    const StringRef operands = opcode.drop_front(at + evex.size());
    if (!(operands.starts_with("r") || operands.starts_with("m")) || operands.contains('k'))
      continue;
    StringRef stem = opcode.take_front(at);
    for (const auto &[name, ofVex] : kEvexNames)
      if (stem == name) {
        stem = ofVex;
        break;
      }
    return (stem + vex + operands).str();
  }
  return "";
}

/// The form without what the encoding alone makes different: an alternative order of the operands, or a broadcast of
/// what is loaded. Empty if there is neither.
std::string plainOf(StringRef opcode) {
  if (opcode.consume_back("_REV"))
    return opcode.str();
  if (const size_t width = opcode.find('Z'); opcode.starts_with("V") && width != StringRef::npos)
    if (const size_t load = opcode.find("mb", width); load != StringRef::npos)
      return (opcode.take_front(load + 1) + opcode.drop_front(load + 2)).str();
  return "";
}

std::string keyOf(StringRef opcode, StringRef shape) {
  return (opcode + " " + shape).str();
}

/// VADDPSZrr for VADDPSZrrk and VADDPSZrrkz. LLVM sorts the opcodes of x86 by their names.
std::optional<unsigned> unmaskedOf(unsigned opcode, const Target &target) {
  constexpr unsigned kMostBetween = 16;
  StringRef name = target.instructions().getName(opcode);
  if (!target.triple().isX86() || !name.starts_with("V") || (!name.consume_back("kz") && !name.consume_back("k")))
    return std::nullopt;
  for (unsigned other = opcode; other > 0 && other + kMostBetween > opcode; --other)
    if (target.instructions().getName(other) == name)
      return other;
  return std::nullopt;
}

/// The operand that masks the elements of the result. The registers that may are a class of their own.
std::optional<unsigned> maskOperandOf(unsigned opcode, const Target &target) {
  const auto operands = target.instructions().get(opcode).operands();
  const auto *const mask = llvm::find_if(operands, [&](const llvm::MCOperandInfo &operand) {
    return operand.RegClass >= 0 &&
           StringRef(target.registers().getRegClassName(&target.registers().getRegClass(operand.RegClass)))
               .ends_with("WM");
  });
  return mask == operands.end() ? std::nullopt : std::optional<unsigned>(mask - operands.begin());
}

} // namespace

Form formOf(const llvm::MCInst &inst, const Target &target) {
  const Described described(inst, target);
  return {.opcode = described.opcode.str(), .shape = target.triple().isX86() ? x86Shape(described) : ""};
}

std::vector<std::string> evexNamesOf(StringRef stem) {
  std::vector<std::string> names{stem.str()};
  for (const auto &[evex, vex] : kEvexNames)
    if (stem == vex)
      names.push_back(evex.str());
  return names;
}

bool isShape(std::string_view text) {
  if (text.empty())
    return true;
  Words words;
  StringRef(text).split(words, ',');
  const auto *word = words.begin();
  word += llvm::is_contained(kAddresses, *word);
  for (const auto &alternatives : kOtherWords)
    if (word != words.end() && !word->empty() && llvm::is_contained(alternatives, *word))
      ++word;
  return word == words.end();
}

std::vector<std::string> shapesToTry(const Form &form) {
  std::vector<std::string> shapes{form.shape};
  Words words;
  StringRef(form.shape).split(words, ',', -1, false);
  const StringRef opcode = form.opcode;
  if (isIntegerOperation(opcode, {"LEA"}))
    return shapes;
  for (const Replacement &replacement : kReplacements) {
    const auto *const found = llvm::find(words, replacement.word);
    if (found == words.end() || (replacement.word == "same" && isConstantOfSame(opcode)))
      continue;
    const size_t place = static_cast<size_t>(found - words.begin());
    words[place] = replacement.by;
    if (replacement.by.empty())
      words.erase(words.begin() + place);
    shapes.push_back(llvm::join(words, ","));
  }
  return shapes;
}

FormOperands formOperandsOf(const llvm::MCInst &inst, const Target &target) {
  const Described described(inst, target);
  FormOperands operands;
  for (const auto &[i, operand] : llvm::enumerate(inst)) {
    const MCRegister reg = operand.isReg() ? operand.getReg() : MCRegister();
    if (isUnchanging(reg, target))
      continue;
    const auto index = static_cast<unsigned>(i);
    const uint16_t number = formOperandNumber(static_cast<int>(i));
    if (described.isWritten(index))
      operands.destinations.push_back({kindOf(reg, target), number, reg});
    else
      operands.sources.push_back(
          {described.isAddressPart(index) ? FormOperand::Kind::Address : kindOf(reg, target), number, reg});
  }
  addImplicit(described.description.implicit_uses(), target, operands.sources);
  addImplicit(described.description.implicit_defs(), target, operands.destinations);
  addOldValues(described, operands);
  return operands;
}

FormTable::FormTable(const Calibration &calibration) {
  for (const CalibratedForm &form : calibration.forms)
    rows_.try_emplace(keyOf(form.opcode, form.shape), &form);
}

const CalibratedForm *FormTable::find(const Form &form) const {
  for (const std::string &shape : shapesToTry(form))
    if (const auto row = rows_.find(keyOf(form.opcode, shape)); row != rows_.end())
      return row->second;
  for (const std::string &alike : {plainOf(form.opcode), vexOf(form.opcode)})
    if (!alike.empty())
      return find({.opcode = alike, .shape = form.shape});
  return nullptr;
}

std::optional<CalibratedForm> FormTable::findUnmasked(const llvm::MCInst &inst, const Target &target) const {
  const std::optional<unsigned> unmasked = unmaskedOf(inst.getOpcode(), target);
  const std::optional<unsigned> mask = maskOperandOf(inst.getOpcode(), target);
  if (!unmasked || !mask)
    return std::nullopt;
  const CalibratedForm *const row =
      find({.opcode = target.instructions().getName(*unmasked).str(), .shape = formOf(inst, target).shape});
  if (!row || row->treatment != RenameTreatment::None)
    return std::nullopt;
  CalibratedForm masked = *row;
  const unsigned added = target.instructions().get(inst.getOpcode()).getNumOperands() -
                         target.instructions().get(*unmasked).getNumOperands();
  const auto renumber = [&](uint16_t &number) {
    if (number < kFirstImplicit && number + added > *mask)
      number = static_cast<uint16_t>(number + added);
  };
  for (CalibratedForm::Latency &latency : masked.latencies) {
    renumber(latency.source);
    renumber(latency.destination);
  }
  return masked;
}

} // namespace mca
