// The loop's instructions make a graph: each depends on those that may have written what it reads. Its strongly
// connected components are the values that an iteration hands on to the next one.
#include "analysis/flows/branch_condition.h"

#include "analysis/flows/loop_definitions.h"
#include "mca-core/program/operands.h"

#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCInstrDesc.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace analysis {
namespace {

/// How a value changes from one iteration to the next.
enum class Change : uint8_t { None, Regular, WithData };

constexpr unsigned kImplicit = ~0u;

/// What an instruction computes. One that also moves the base of its address computes two values.
struct Value {
  /// A register that it reads.
  struct Operand {
    unsigned number = kImplicit; ///< in the instruction
    bool isAddress = false;      ///< of what it loads
    Value *definition = nullptr; ///< one of those that may have written it
  };
  const llvm::MCInst *inst = nullptr;
  uint32_t instruction = 0; ///< in the program
  bool isMovedBase = false; ///< the base of its address after the access
  bool isLoad = false;
  Change change = Change::None;
  std::vector<Operand> operands;
  std::vector<Value *> definitions; ///< of the operands
};

} // namespace
} // namespace analysis

template <>
struct llvm::GraphTraits<analysis::Value *> {
  using NodeRef = analysis::Value *;
  using ChildIteratorType = std::vector<analysis::Value *>::iterator;
  static NodeRef getEntryNode(NodeRef value) { return value; }
  // NOLINTBEGIN(readability-identifier-naming): LLVM's names
  static ChildIteratorType child_begin(NodeRef value) { return value->definitions.begin(); }
  static ChildIteratorType child_end(NodeRef value) { return value->definitions.end(); }
  // NOLINTEND(readability-identifier-naming)
};

namespace analysis {
namespace {

/// What LLVM's tables leave open about operands.
class Operands {
public:
  explicit Operands(const mca::Target &target) : target_(target) {}

  const llvm::MCInstrDesc &describe(const llvm::MCInst &inst) const {
    return target_.instructions().get(inst.getOpcode());
  }
  llvm::StringRef nameOf(const llvm::MCInst &inst) const { return target_.instructions().getName(inst.getOpcode()); }
  static bool isImmediate(const llvm::MCInst &inst, unsigned operand, int64_t value) {
    return mca::immediateAt(inst, operand) == value;
  }

  /// x86 says of each operand whether it is a part of an address. Elsewhere a load reads nothing else.
  bool isAddress(const llvm::MCInst &inst, unsigned operand) const {
    return !target_.triple().isX86() || isMemory(inst, operand);
  }
  /// x86's `pop` and the like name no address.
  bool hasAddress(const llvm::MCInst &inst) const {
    return !target_.triple().isX86() ||
           llvm::any_of(llvm::seq(inst.getNumOperands()), [&](unsigned operand) { return isMemory(inst, operand); });
  }
  /// The operand that is the base of an address and is written back as the result `def`; none if there is none.
  std::optional<unsigned> movedBase(const llvm::MCInst &inst, unsigned def) const {
    const llvm::MCInstrDesc &description = describe(inst);
    if (target_.triple().isX86() || (!description.mayLoad() && !description.mayStore()))
      return std::nullopt;
    for (unsigned i = description.getNumDefs(); i < std::min<unsigned>(description.getNumOperands(), inst.size()); ++i)
      if (description.getOperandConstraint(i, llvm::MCOI::TIED_TO) == static_cast<int>(def) &&
          (mca::isAddressBase(target_, description.operands()[i]) || !description.mayLoad()))
        return i;
    return std::nullopt;
  }

  /// Whether the result is zero whatever the registers hold: `xor eax, eax`.
  bool isZero(const llvm::MCInst &inst) const {
    const llvm::StringRef name = nameOf(inst);
    const bool mayBe = name.starts_with("XOR") || name.starts_with("SUB") || name.contains("PXOR");
    return target_.triple().isX86() && mayBe && inst.getNumOperands() >= 2 &&
           mca::registerAt(inst, inst.getNumOperands() - 1).isValid() &&
           mca::registerAt(inst, inst.getNumOperands() - 1) == mca::registerAt(inst, inst.getNumOperands() - 2);
  }

  /// Whether the result is the register `operand` plus or minus something, or a copy of it.
  bool movesBy(const llvm::MCInst &inst, unsigned operand) const {
    const llvm::StringRef name = nameOf(inst);
    if (target_.triple().isX86() && name.starts_with("LEA")) {
      constexpr unsigned kBase = 1, kScale = 2, kIndex = 3;
      return operand == kBase || (operand == kIndex && isImmediate(inst, kScale, 1));
    }
    if (target_.triple().isAArch64()) {
      if (name.starts_with("ORR") || name.starts_with("SBFM") || name.starts_with("UBFM"))
        return isAArch64Copy(inst, name);
      // The second register may be shifted.
      if (operand == 2 && (name.ends_with("rs") || name.ends_with("rx")))
        return isImmediate(inst, 3, 0);
    }
    llvm::StringRef plain = name;
    plain.consume_front("t2") || plain.consume_front("t") || plain.consume_front("C_");
    return llvm::StringSwitch<bool>(plain)
        .StartsWith("ADD", true)
        .StartsWith("SUB", true)
        .StartsWith("INC", true)
        .StartsWith("DEC", true)
        .StartsWith("DADD", true)
        .StartsWith("MOV", true)
        .Cases({"MV", "AGHI", "AHI", "LA"}, true)
        .Default(false);
  }

  /// What an access has for an address, comparable in one loop. Symbols are left out: two of them count as one place.
  std::vector<int64_t> addressOf(const llvm::MCInst &inst) const {
    std::vector<int64_t> address;
    const llvm::MCInstrDesc &description = describe(inst);
    const unsigned count = std::min<unsigned>(description.getNumOperands(), inst.getNumOperands());
    for (unsigned i = description.getNumDefs(); i < count; ++i) {
      if (!target_.triple().isX86() && mca::isAddressBase(target_, description.operands()[i]))
        address.clear(); // what stands before it is stored
      if (const llvm::MCOperand &operand = inst.getOperand(i); isAddress(inst, i))
        address.push_back(operand.isReg() ? int64_t{operand.getReg().id()} : operand.isImm() ? operand.getImm() : -1);
    }
    return address;
  }

private:
  bool isMemory(const llvm::MCInst &inst, unsigned operand) const {
    const llvm::MCInstrDesc &description = describe(inst);
    return operand < description.getNumOperands() &&
           description.operands()[operand].OperandType == llvm::MCOI::OPERAND_MEMORY;
  }
  /// `mov` is an OR with zero, and an extension a bit-field move from bit 0 on.
  bool isAArch64Copy(const llvm::MCInst &inst, llvm::StringRef name) const {
    if (!name.starts_with("ORR"))
      return isImmediate(inst, 2, 0);
    return mca::registerAt(inst, 1).isValid() && target_.registers().isConstant(mca::registerAt(inst, 1)) &&
           isImmediate(inst, 3, 0);
  }

  const mca::Target &target_;
};

} // namespace

/// The values that the branches of a loop depend on.
class BranchConditions::Values {
public:
  Values(const mca::ProgramBranches &branches, const mca::Loop &loop)
      : operands_(branches.target()), branches_(branches), loop_(loop), definitions_(branches, loop) {
    for (uint32_t position = 0; position < loop.instructions.size(); ++position) {
      const llvm::MCInst &inst = instAt(position);
      if (operands_.describe(inst).mayStore())
        stored_.insert(operands_.addressOf(inst));
      const mca::BranchKind kind = branches.kindOf(loop.instructions[position]);
      if (kind == mca::BranchKind::ConditionalJump || kind == mca::BranchKind::IndirectJump) {
        Value *branch = valueAt(position, /*isMovedBase=*/false);
        all_.definitions.push_back(branch);
        byBranch_[loop.instructions[position]] = branch;
      }
    }
    while (!open_.empty())
      follow();
    for (auto component = llvm::scc_begin(&all_); !component.isAtEnd(); ++component)
      classify(*component, component.hasCycle());
  }

  BranchCondition of(uint32_t branch) const {
    const auto found = byBranch_.find(branch);
    if (found == byBranch_.end() || found->second->change != Change::WithData)
      return {};
    const Value &value = *found->second;
    // x86 can load the target of a jump in the jump itself.
    const Value *load = isDataLoad(value) ? &value : nearestLoad(value);
    if (!load || branches_.kindOf(branch) != mca::BranchKind::IndirectJump)
      return {.dependsOnData = true, .load = load ? load->instruction : mca::kNone};
    const Value *index = nearestLoad(*load);
    // A table's entries never change.
    if (branches_.hasTable(branch) && changeOf(*load, /*ofAddress=*/true) != Change::WithData)
      return {};
    return {.dependsOnData = true, .load = index ? index->instruction : load->instruction};
  }

private:
  const llvm::MCInst &instAt(uint32_t position) const { return branches_.inst(loop_.instructions[position]); }

  Value *valueAt(uint32_t position, bool isMovedBase) {
    const auto [found, isNew] = values_.try_emplace({position, isMovedBase}, nullptr);
    if (isNew) {
      const llvm::MCInst &inst = instAt(position);
      found->second = &storage_.emplace_back(Value{.inst = &inst,
                                                   .instruction = loop_.instructions[position],
                                                   .isMovedBase = isMovedBase,
                                                   .isLoad = !isMovedBase && operands_.describe(inst).mayLoad()});
      open_.push_back({found->second, position});
    }
    return found->second;
  }

  /// Finds what the next open value is computed from.
  void follow() {
    const auto [value, position] = open_.back();
    open_.pop_back();
    const llvm::MCInst &inst = *value->inst;
    const llvm::MCInstrDesc &description = operands_.describe(inst);
    if (operands_.isZero(inst) || (description.isCall() && !description.isBranch()))
      return;
    for (unsigned i = description.getNumDefs(); i < inst.getNumOperands(); ++i)
      if (inst.getOperand(i).isReg() && !isOptionalDef(description, i) && !(value->isMovedBase && !isOfBase(inst, i)))
        addOperand(*value, position, i, inst.getOperand(i).getReg());
    if (!value->isMovedBase)
      for (const llvm::MCPhysReg reg : description.implicit_uses())
        addOperand(*value, position, kImplicit, reg);
  }

  /// ARM's `subs` has the flags that it writes among the operands that others read.
  static bool isOptionalDef(const llvm::MCInstrDesc &description, unsigned operand) {
    return operand < description.getNumOperands() && description.operands()[operand].isOptionalDef();
  }

  /// Whether the operand is the base that is moved, or what it is moved by.
  bool isOfBase(const llvm::MCInst &inst, unsigned operand) const {
    const unsigned defs = operands_.describe(inst).getNumDefs();
    return operand + 1 == inst.getNumOperands() ||
           llvm::any_of(llvm::seq(defs), [&](unsigned def) { return operands_.movedBase(inst, def) == operand; });
  }

  void addOperand(Value &value, uint32_t position, unsigned number, llvm::MCRegister reg) {
    definitions_.forEach(position, reg, [&](uint32_t from) {
      Value *definition = valueAt(from, isMovedBaseOf(instAt(from), reg));
      if (llvm::is_contained(value.definitions, definition) &&
          llvm::any_of(value.operands,
                       [&](const Value::Operand &one) { return one.number == number && one.definition == definition; }))
        return;
      const bool isAddress = value.isLoad && number != kImplicit && operands_.isAddress(*value.inst, number);
      value.operands.push_back({number, isAddress, definition});
      value.definitions.push_back(definition);
    });
  }

  bool isMovedBaseOf(const llvm::MCInst &inst, llvm::MCRegister reg) const {
    for (unsigned def = 0; def < operands_.describe(inst).getNumDefs(); ++def)
      if (const llvm::MCRegister written = mca::registerAt(inst, def);
          written.isValid() && branches_.target().registers().regsOverlap(written, reg))
        return operands_.movedBase(inst, def).has_value();
    return false;
  }

  /// How the operands change, or those of them that make the address of a load.
  static Change changeOf(const Value &value, bool ofAddress) {
    Change change = Change::None;
    for (const Value::Operand &operand : value.operands)
      if (operand.isAddress || !ofAddress)
        change = std::max(change, operand.definition->change);
    return change;
  }

  /// Components come after those that they depend on.
  void classify(const std::vector<Value *> &component, bool isCycle) {
    if (isCycle) {
      const bool isCounter = llvm::all_of(component, [&](const Value *one) { return isStep(*one, component); });
      for (Value *value : component)
        value->change = isCounter ? Change::Regular : Change::WithData;
      return;
    }
    Value &value = *component.front();
    if (&value == &all_)
      return;
    const llvm::MCInstrDesc &description = operands_.describe(*value.inst);
    value.change = changeOf(value, /*ofAddress=*/false);
    if (description.isCall() && !description.isBranch())
      value.change = Change::WithData;
    if (!value.isLoad)
      return;
    if (!operands_.hasAddress(*value.inst) || changeOf(value, /*ofAddress=*/true) != Change::None)
      value.change = Change::WithData;
    else if (stored_.contains(operands_.addressOf(*value.inst)))
      value.change = std::max(value.change, Change::Regular);
  }

  /// Whether a value of a cycle is the one before plus something that is no data.
  bool isStep(const Value &value, const std::vector<Value *> &cycle) const {
    unsigned own = kImplicit; // the operand that belongs to the cycle
    for (const Value::Operand &operand : value.operands) {
      if (!llvm::is_contained(cycle, operand.definition)) {
        if (operand.definition->change == Change::WithData || (operand.isAddress && !isInvariant(operand)))
          return false;
        continue;
      }
      if (operand.isAddress || operand.number == kImplicit || (own != kImplicit && own != operand.number))
        return false;
      own = operand.number;
    }
    return own != kImplicit && (value.isMovedBase || operands_.movesBy(*value.inst, own));
  }
  static bool isInvariant(const Value::Operand &operand) { return operand.definition->change == Change::None; }

  /// The load that is the fewest steps before a value; null if there is none.
  const Value *nearestLoad(const Value &from) const {
    llvm::SmallPtrSet<const Value *, 16> seen;
    std::deque<const Value *> work(1, &from);
    for (; !work.empty(); work.pop_front())
      for (const Value *definition : work.front()->definitions) {
        if (definition->change != Change::WithData || !seen.insert(definition).second)
          continue;
        if (isDataLoad(*definition))
          return definition;
        work.push_back(definition);
      }
    return nullptr;
  }
  bool isDataLoad(const Value &value) const {
    return value.isLoad && (!operands_.hasAddress(*value.inst) || changeOf(value, /*ofAddress=*/true) != Change::None);
  }

  const Operands operands_;
  const mca::ProgramBranches &branches_;
  const mca::Loop &loop_;
  const LoopDefinitions definitions_;
  std::set<std::vector<int64_t>> stored_; ///< the addresses of stores
  std::deque<Value> storage_;
  std::map<std::pair<uint32_t, bool>, Value *> values_; ///< by position, and whether it is the moved base
  std::vector<std::pair<Value *, uint32_t>> open_;      ///< values whose operands are not known yet
  llvm::DenseMap<uint32_t, Value *> byBranch_;
  Value all_; ///< depends on all branches
};

BranchConditions::BranchConditions(const mca::ProgramBranches &branches, const mca::Loop &loop)
    : values_(loop.instructions.size() > kMaxInstructions ? nullptr : std::make_unique<const Values>(branches, loop)) {}

BranchConditions::~BranchConditions() = default;

BranchCondition BranchConditions::of(uint32_t branch) const {
  return values_ ? values_->of(branch) : BranchCondition{};
}

} // namespace analysis
