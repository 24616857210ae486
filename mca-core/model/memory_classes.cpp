// A pointer is a register that a statement names, in the instructions that the statement holds for. The registers of an
// instruction are sets of pointers, one bit for each.
#include "mca-core/model/memory_classes.h"

#include "mca-core/program/operands.h"
#include "mca-core/program/x86_instruction.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>

namespace mca {
namespace {

using Pointers = uint64_t;

/// The same number for a register and its parts.
unsigned unitOf(const Target &target, llvm::MCRegister reg) {
  // The low parts of rax share no unit with its high part, which is rax's first one. Elsewhere, the registers that
  // contain another one may be sequences of several.
  if (target.triple().isX86())
    for (const llvm::MCPhysReg whole : target.registers().superregs(reg))
      reg = whole;
  return static_cast<unsigned>(*target.registers().regunits(reg).begin());
}

/// The statements that hold for some instructions, and the pointers that they name.
class PointerTable {
public:
  static constexpr size_t kMaxPointers = 64;

  /// `statements` must outlive the table. Names that are no registers are left out.
  PointerTable(const std::vector<const PointerStatement *> &statements, const llvm::StringMap<unsigned> &registers)
      : statements_(statements) {
    for (const PointerStatement *statement : statements) {
      Pointers named = 0;
      for (const std::string &name : statement->names)
        if (const auto reg = registers.find(llvm::StringRef(name).lower()); reg != registers.end())
          named |= add(*statement, reg->second);
      named_.push_back(named);
    }
  }

  /// The pointers that the register is by its name, at an instruction.
  Pointers of(unsigned unit, uint32_t instruction) const {
    Pointers found = 0;
    for (size_t i = 0; i < pointers_.size(); ++i)
      if (pointers_[i].unit == unit && instruction >= pointers_[i].first && instruction < pointers_[i].end)
        found |= Pointers{1} << i;
    return found;
  }

  /// Whether a load waits for a store. Of statements that contradict each other, `alias` counts.
  bool meet(Pointers load, Pointers store, bool unsaid) const {
    bool areDistinct = false;
    for (size_t i = 0; i < statements_.size(); ++i) {
      if (!isAbout(i, load, store))
        continue;
      if (statements_[i]->meet)
        return true;
      areDistinct = true;
    }
    return !areDistinct && unsaid;
  }

  /// Whether the statement says anything about two memory operations.
  bool isAbout(size_t statement, Pointers one, Pointers other) const {
    const Pointers named = named_[statement], inOne = one & named, inOther = other & named;
    if (!inOne || !inOther)
      return false;
    const bool areTwo = inOne != inOther || std::popcount(inOne) > 1;
    return areTwo || statements_[statement]->meet || statements_[statement]->names.size() == 1;
  }

private:
  struct Pointer {
    unsigned unit;
    uint32_t first, end; ///< the instructions that its statements hold for
  };

  /// Statements that hold for the same instructions mean the same pointer by a name.
  Pointers add(const PointerStatement &statement, unsigned unit) {
    const auto known = llvm::find_if(pointers_, [&](const Pointer &one) {
      return one.unit == unit && one.first == statement.firstInstruction && one.end == statement.endInstruction;
    });
    const auto index = static_cast<size_t>(known - pointers_.begin());
    if (known == pointers_.end()) {
      if (index == kMaxPointers)
        return 0;
      pointers_.push_back({unit, statement.firstInstruction, statement.endInstruction});
    }
    return Pointers{1} << index;
  }

  const std::vector<const PointerStatement *> &statements_;
  std::vector<Pointers> named_; ///< by statement
  std::vector<Pointer> pointers_;
};

/// The pointers that an instruction loads and stores through.
struct Access {
  Pointers loads = 0;
  Pointers stores = 0;
};

/// Follows pointers through instructions in the order of execution, which repeat.
class PointerFlow {
public:
  PointerFlow(const Target &target, const PointerTable &table) : target_(target), table_(table) {}

  std::vector<Access> accessesOf(const Program &program, std::span<const uint32_t> instructions) {
    // The first pass finds what reaches the next iteration. A pointer that wanders through registers takes more.
    constexpr unsigned kMaxPasses = 4;
    std::vector<Access> accesses(instructions.size());
    for (unsigned pass = 0; pass < kMaxPasses; ++pass) {
      const llvm::DenseMap<unsigned, Pointers> before = held_;
      for (size_t i = 0; i < instructions.size(); ++i) {
        at_ = instructions[i];
        const llvm::MCInst &inst = program.instructions()[at_].inst;
        accesses[i] = accessOf(inst);
        follow(inst);
      }
      if (held_ == before)
        break;
    }
    return accesses;
  }

private:
  llvm::StringRef nameOf(const llvm::MCInst &inst) const { return target_.instructions().getName(inst.getOpcode()); }

  /// What a register holds before the current instruction.
  Pointers in(llvm::MCRegister reg) const {
    if (!reg.isValid())
      return 0;
    const unsigned unit = unitOf(target_, reg);
    const Pointers named = table_.of(unit, at_);
    return named ? named : held_.lookup(unit);
  }

  /// The sum of two registers holds a pointer if one of them does.
  Pointers sum(llvm::MCRegister one, llvm::MCRegister other) const {
    const Pointers first = in(one), second = in(other);
    return first && second ? 0 : first | second;
  }

  /// What lea computes.
  Pointers x86Sum(const X86Address &address) const {
    return sum(address.base, address.scale == 1 ? address.index : llvm::MCRegister());
  }

  Pointers x86Pointers(const X86Address &address) const {
    const Pointers base = in(address.base);
    return base || address.scale != 1 ? base : in(address.index);
  }

  /// The pointers in the address of the instruction's explicit memory operand.
  Pointers addressOf(const llvm::MCInst &inst, const llvm::MCInstrDesc &description) const {
    if (target_.triple().isX86()) {
      const std::optional<X86Address> address = x86AddressOf(inst, target_);
      return address ? x86Pointers(*address) : 0;
    }
    // The registers that are stored stand before the base, and an index, which may be scaled, after it.
    bool hasBase = false;
    for (unsigned i = description.getNumDefs(); i < std::min<unsigned>(inst.size(), description.getNumOperands());
         ++i) {
      hasBase |= isAddressBase(target_, description.operands()[i]);
      if (const llvm::MCRegister reg = registerAt(inst, i); hasBase && reg.isValid())
        return in(reg);
    }
    return 0;
  }

  Access accessOf(const llvm::MCInst &inst) const {
    const OperandUse use = operandUseOf(inst, target_);
    if (!use.loads && !use.stores)
      return {};
    const Pointers address = addressOf(inst, target_.instructions().get(inst.getOpcode()));
    return {use.loads ? address : 0, use.stores ? address : 0};
  }

  /// What the instruction's first definition holds after it, if it continues a pointer.
  Pointers resultOf(const llvm::MCInst &inst) const {
    const llvm::StringRef name = nameOf(inst);
    const llvm::MCRegister first = registerAt(inst, 1), second = registerAt(inst, 2);
    if (target_.triple().isX86()) {
      if (name.starts_with("LEA"))
        if (const std::optional<X86Address> address = x86AddressOf(inst, target_))
          return x86Sum(*address);
      const bool isImmediate = inst.getNumOperands() == 3 && !second.isValid();
      return llvm::StringSwitch<Pointers>(name)
          .Cases({"MOV64rr", "MOV32rr", "INC64r", "DEC64r"}, in(first))
          .Case("ADD64rr", sum(first, second))
          .Case("SUB64rr", in(second) ? 0 : in(first))
          .StartsWith("ADD64ri", isImmediate ? in(first) : 0)
          .StartsWith("SUB64ri", isImmediate ? in(first) : 0)
          .Default(0);
    }
    if (target_.triple().isAArch64()) {
      const bool isZero = first.isValid() && llvm::StringRef(target_.registers().getName(first)) == "XZR";
      // A register that is shifted or extended is an index.
      const bool isPlain = inst.getNumOperands() < 4 || (inst.getOperand(3).isImm() && !inst.getOperand(3).getImm());
      const llvm::MCRegister added = isPlain ? second : llvm::MCRegister();
      return llvm::StringSwitch<Pointers>(name)
          .Case("ORRXrs", isZero ? in(added) : 0) // mov
          .Cases({"ADDXri", "SUBXri"}, in(first))
          .Cases({"ADDXrs", "ADDXrx", "ADDXrx64", "ADDXrr"}, sum(first, added))
          .Cases({"SUBXrs", "SUBXrx", "SUBXrx64", "SUBXrr"}, in(second) ? 0 : in(first))
          .Default(0);
    }
    return llvm::StringSwitch<Pointers>(name)
        .Cases({"ADDI", "C_MV", "C_ADDI", "C_ADDI16SP", "C_ADDI4SPN"}, in(first))
        .Cases({"ADD", "C_ADD"}, sum(first, second))
        .Cases({"SH1ADD", "SH2ADD", "SH3ADD"}, in(second)) // the first one is shifted
        .Default(0);
  }

  /// Whether the definition is the base that a load or store of AArch64 moves.
  bool isWriteBack(const llvm::MCInst &inst) const {
    const llvm::StringRef name = nameOf(inst);
    return target_.triple().isAArch64() && (name.ends_with("_POST") || name.ends_with("post") || name.ends_with("pre"));
  }

  void follow(const llvm::MCInst &inst) {
    const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    if (description.isCall()) // it may change any register
      held_.clear();
    const Pointers result = resultOf(inst);
    const bool movesBase = isWriteBack(inst);
    for (unsigned i = 0; i < description.getNumDefs(); ++i) {
      const llvm::MCRegister reg = registerAt(inst, i);
      if (reg.isValid() && !(movesBase && i == 0))
        hold(reg, i == 0 ? result : 0);
    }
    // The short form for the accumulator: `add rax, 8`, whose register is no operand.
    const llvm::StringRef name = nameOf(inst);
    if (target_.triple().isX86() && (name == "ADD64i32" || name == "SUB64i32"))
      return;
    for (const llvm::MCPhysReg reg : description.implicit_defs())
      hold(reg, 0);
  }

  void hold(llvm::MCRegister reg, Pointers pointers) {
    const unsigned unit = unitOf(target_, reg);
    if (pointers)
      held_[unit] = pointers;
    else
      held_.erase(unit);
  }

  const Target &target_;
  const PointerTable &table_;
  llvm::DenseMap<unsigned, Pointers> held_; ///< by unit, of registers that hold a pointer without its name
  uint32_t at_ = 0;                         ///< the current instruction
};

/// The number of an entry, which is added if it is new and there is room; of the first entry otherwise.
template <typename T>
size_t indexIn(std::vector<T> &all, const T &value, size_t most) {
  const auto known = llvm::find(all, value);
  if (known != all.end())
    return static_cast<size_t>(known - all.begin());
  if (all.size() == most)
    return 0;
  all.push_back(value);
  return all.size() - 1;
}

} // namespace

const llvm::StringMap<unsigned> &MemoryClassifier::registers() {
  if (!registers_.empty())
    return registers_;
  const std::unique_ptr<llvm::MCInstPrinter> printer = target_.createPrinter(0);
  for (unsigned reg = 1; reg < target_.registers().getNumRegs(); ++reg) {
    if (target_.registers().regunits(reg).empty())
      continue;
    const unsigned unit = unitOf(target_, reg);
    registers_.try_emplace(llvm::StringRef(target_.registers().getName(reg)).lower(), unit);
    if (!printer)
      continue;
    std::string name;
    llvm::raw_string_ostream out(name);
    printer->printRegName(out, reg);
    registers_[llvm::StringRef(name).ltrim('%').lower()] = unit;
  }
  return registers_;
}

std::vector<MemoryClass> MemoryClassifier::classesByStatements(const Program &program,
                                                               std::span<const uint32_t> instructions,
                                                               bool assumeNoAlias, const Body &body) {
  std::vector<MemoryClass> classes;
  const std::vector<const PointerStatement *> statements = program.statementsFor(instructions);
  if (llvm::none_of(statements, [](const PointerStatement *one) { return isAboutPointers(one); }))
    return classes;
  const PointerTable table(statements, registers());
  const std::vector<Access> accesses = PointerFlow(target_, table).accessesOf(program, instructions);
  // A store's class is the set of pointers that it goes through; the first one is of those that go through none.
  std::vector<Pointers> stores{0};
  for (const Access &access : accesses)
    indexIn(stores, access.stores, MemoryClass::kPointers);
  for (size_t i = 0; i < accesses.size(); ++i) {
    const BodyInstruction &code = body.instructions[i];
    MemoryClass &ofInstruction = classes.emplace_back();
    if (code.mayStore)
      ofInstruction.storesTo = uint64_t{1} << indexIn(stores, accesses[i].stores, MemoryClass::kPointers);
    if (code.mayLoad)
      for (size_t store = 0; store < stores.size(); ++store)
        if (table.meet(accesses[i].loads, stores[store], !assumeNoAlias))
          ofInstruction.waitsFor |= uint64_t{1} << store;
  }
  return classes;
}

uint32_t MemoryClassifier::classify(const Program &program, std::span<const uint32_t> region,
                                    const LoweredRegion &lowered, const MemoryRules &rules, Body &body) {
  std::vector<uint32_t> instructions;
  for (const uint32_t position : lowered.origins)
    instructions.push_back(region[position]);
  std::vector<MemoryClass> classes;
  bool sameOperands = rules.sameOperands;
  if (!program.pointerStatements().empty()) {
    classes = classesByStatements(program, instructions, rules.assumeNoAlias, body);
    sameOperands |= llvm::any_of(program.statementsFor(instructions), isAboutOperands);
  }
  // If each load waits for the last store, it waits for those before it, too.
  MemoryPlaces places;
  if (sameOperands && (rules.assumeNoAlias || !classes.empty()))
    places = findMemoryPlaces(target_, program, region, lowered.origins, rules.textOf, rules.inAnyOrder);
  if (!places.accesses.empty())
    classes.resize(body.instructions.size());
  for (size_t i = 0; i < places.accesses.size(); ++i) {
    classes[i].loadsPlace = places.accesses[i].loaded;
    classes[i].storesPlace = places.accesses[i].stored;
  }
  body.memoryPlaces = places.count;
  std::map<MemoryClass, uint32_t> numbers;
  for (size_t i = 0; i < classes.size(); ++i) {
    const auto [known, isNew] = numbers.try_emplace(classes[i], body.memoryClasses.size());
    if (isNew)
      body.memoryClasses.push_back(classes[i]);
    body.instructions[i].memoryClass = known->second;
  }
  return places.loads;
}

std::vector<Diagnostic> MemoryClassifier::check(const Program &program, const PointerStatement &statement) {
  std::vector<Diagnostic> problems;
  const auto add = [&](std::string message) {
    problems.push_back({.severity = Diagnostic::Severity::Warning,
                        .begin = statement.begin,
                        .end = statement.end,
                        .message = std::move(message)});
  };
  if (statement.isBeyond) {
    add("this statement and those like it below have no effect: a text may have " +
        std::to_string(mostStatements(statement.about)) + " of them");
    return problems;
  }
  if (isAboutOperands(&statement)) {
    if (!statement.names.empty())
      add("'" + std::string(kSameOperands) + "' takes no names");
    return problems;
  }
  if (statement.names.empty())
    add("expected the names of pointers after '" + std::string(statement.meet ? kAlias : kDistinct) + "'");
  const std::vector<const PointerStatement *> only{&statement};
  const PointerTable table(only, registers());
  std::vector<uint32_t> instructions(statement.endInstruction - statement.firstInstruction);
  std::iota(instructions.begin(), instructions.end(), statement.firstInstruction);
  Pointers used = 0;
  for (const Access &access : PointerFlow(target_, table).accessesOf(program, instructions))
    used |= access.loads | access.stores;
  for (const std::string &name : statement.names)
    if (const auto reg = registers().find(llvm::StringRef(name).lower()); reg == registers().end())
      add("'" + name + "' is no register of " + target_.triple().getArchName().str());
    else if (!(table.of(reg->second, statement.firstInstruction) & used))
      add("no load or store goes through " + name + " where this statement holds");
  return problems;
}

} // namespace mca
