// Each jump is followed back through at most 200 instructions: many jumps in a long function would cost its square.
#include "mca-core/program/jump_tables.h"

#include "mca-core/assembly/symbols.h"
#include "mca-core/program/branches.h"
#include "mca-core/program/operands.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSection.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>

namespace mca {
namespace {

/// Instructions before a jump that are searched for its table.
constexpr uint32_t kFarthest = 200;

/// Whether the program may write another address there. `.data.rel.ro` is written by the loader alone.
bool isVariable(const llvm::MCSymbol &table) {
  if (!table.isInSection())
    return false;
  const llvm::StringRef section = table.getSection().getName();
  return (section.starts_with(".data") && !section.starts_with(".data.rel.ro")) || section.starts_with(".sdata") ||
         section == "__data";
}

/// The registers that the target of a computed jump is computed from, on the way back from it through the layout.
class AddressSources {
public:
  /// `throughOthers`: also what blocks compute that end with another computed jump.
  AddressSources(const ProgramBranches &branches, uint32_t jump, bool throughOthers)
      : branches_(branches), jump_(jump), throughOthers_(throughOthers),
        registers_(addressOfJump(branches.target(), branches.inst(jump))),
        isWritten_(branches.target().instructions().get(branches.inst(jump).getOpcode()).mayLoad()) {}

  /// Whether the function writes one of them, or the jump loads its target.
  bool isWritten() const { return isWritten_; }

  /// Returns whether the instruction is the jump or writes one of the registers.
  bool comeTo(uint32_t at) {
    isSameBlock_ = isSameBlock_ && (at == jump_ || !branches_.at(at).endsBlock());
    if (at != jump_ && branches_.at(at).endsBlock())
      isForAnother_ = branches_.kindOf(at) == BranchKind::IndirectJump;
    const bool writes =
        llvm::any_of(registers_, [&](llvm::MCRegister reg) { return isWrittenBy(reg, branches_.inst(at)); });
    isWritten_ |= writes && at != jump_;
    return at == jump_ || writes;
  }

  /// Before the block each register stays a source: who wrote it last on the way here is not known.
  void leave(uint32_t at, bool computes) {
    if (computes && at != jump_ && (throughOthers_ || !isForAnother_))
      follow(branches_.inst(at));
    isSameBlock_ = isSameBlock_ && !branches_.hasLabel(at);
    isForAnother_ = isForAnother_ && !branches_.hasLabel(at);
  }

private:
  bool isWrittenBy(llvm::MCRegister reg, const llvm::MCInst &inst) const {
    return writesRegister(branches_.target(), inst, reg);
  }

  void follow(const llvm::MCInst &inst) {
    if (isSameBlock_)
      llvm::erase_if(registers_, [&](llvm::MCRegister reg) { return isWrittenBy(reg, inst); });
    const size_t results = branches_.target().instructions().get(inst.getOpcode()).getNumDefs();
    for (const llvm::MCOperand &operand : llvm::drop_begin(inst, std::min(results, inst.size())))
      if (operand.isReg() && operand.getReg())
        registers_.push_back(operand.getReg());
  }

  const ProgramBranches &branches_;
  const uint32_t jump_;
  const bool throughOthers_;
  llvm::SmallVector<llvm::MCRegister, 8> registers_;
  bool isWritten_;
  bool isSameBlock_ = true;   ///< as the jump
  bool isForAnother_ = false; ///< in a block that ends with another computed jump
};

} // namespace

llvm::SmallVector<llvm::MCRegister, 8> addressOfJump(const Target &target, const llvm::MCInst &jump) {
  llvm::SmallVector<llvm::MCRegister, 8> registers;
  for (const llvm::MCOperand &operand : jump)
    if (operand.isReg() && operand.getReg())
      registers.push_back(operand.getReg());
  if (registers.empty())
    llvm::append_range(registers, target.instructions().get(jump.getOpcode()).implicit_uses());
  return registers;
}

void JumpTables::find(const ProgramBranches &branches) {
  read(branches);
  if (tables_.empty())
    return;
  for (uint32_t i = 0; i < branches.size(); ++i)
    if (branches.kindOf(i) == BranchKind::IndirectJump && !branches.at(i).isTailCall)
      if (const Found found = findTable(branches, i); found.table != kNone) {
        ofJump_[i] = found;
        tables_[found.table].isUsed |= found.isCertain;
      }
}

std::span<const uint32_t> JumpTables::allTargetsOf(uint32_t jump) const {
  const auto found = ofJump_.find(jump);
  return found == ofJump_.end() || !found->second.isCertain ? std::span<const uint32_t>()
                                                            : std::span(tables_[found->second.table].all);
}

/// A table of the compiler's own, under a label that only this text knows, is that of one `switch`: the jumps of others
/// do not share it. Arrays of labels in the source may serve many jumps.
std::span<const uint32_t> JumpTables::knownTargetsOf(uint32_t jump) const {
  const auto found = ofJump_.find(jump);
  if (found == ofJump_.end())
    return {};
  const Table &table = tables_[found->second.table];
  const bool isOfAnother = !found->second.isCertain && table.label->isTemporary() && table.isUsed;
  return isOfAnother ? std::span<const uint32_t>() : std::span(table.targets);
}

/// A variable that points to a function may point to another one by the time of the jump.
void JumpTables::read(const ProgramBranches &branches) {
  for (const TableEntry &entry : branches.program().tableEntries()) {
    if (!entry.table)
      continue;
    const auto [index, isNew] = indices_.try_emplace(entry.table, static_cast<uint32_t>(tables_.size()));
    if (isNew)
      tables_.push_back({.label = entry.table});
    const llvm::MCSymbol *symbol = firstSymbolIn(*entry.value);
    const uint32_t target = symbol ? branches.placeOf(*symbol) : kNone;
    const bool isFunction = target != kNone && branches.startsFunction(target);
    Table &table = tables_[index->second];
    table.all.push_back(isFunction && isVariable(*entry.table) ? kNone : target);
    if (target != kNone)
      table.targets.push_back(target);
    table.holdsPlaces |= target != kNone && !isFunction;
  }
  for (Table &table : tables_) {
    llvm::DenseSet<uint32_t> seen;
    std::erase_if(table.targets, [&](uint32_t target) { return !seen.insert(target).second; });
    llvm::sort(table.all);
    table.all.erase(llvm::unique(table.all), table.all.end());
    if (table.all.back() == kNone)
      table.all.clear();
  }
}

uint32_t JumpTables::tableNamedBy(const llvm::MCInst &inst) const {
  for (const llvm::MCOperand &operand : inst)
    if (const llvm::MCSymbol *symbol = operand.isExpr() ? firstSymbolIn(*operand.getExpr()) : nullptr)
      if (const auto table = indices_.find(symbol); table != indices_.end())
        return table->second;
  return kNone;
}

/// What is computed in a block that ends with another computed jump is mostly the address of that one: two `switch` may
/// share the register of the index. So a table that is found without following such instructions comes first.
JumpTables::Found JumpTables::findTable(const ProgramBranches &branches, uint32_t jump) const {
  const Found found = searchTable(branches, jump, /*throughOthers=*/false);
  return found.isCertain ? found : searchTable(branches, jump, /*throughOthers=*/true);
}

/// The table that the jump names, or that the closest instruction before it names which writes a register that the
/// address is computed from; else, as a guess, the closest that an instruction of the function reads.
JumpTables::Found JumpTables::searchTable(const ProgramBranches &branches, uint32_t jump, bool throughOthers) const {
  AddressSources address(branches, jump, throughOthers);
  Found closest;
  uint32_t distance = 0;
  for (uint32_t at = jump; at != kNone && branches.functionOf(at) == branches.functionOf(jump);
       at = branches.previous(at)) {
    if (distance++ > kFarthest)
      return closest;
    const llvm::MCInst &inst = branches.inst(at);
    const bool computes = address.comeTo(at);
    if (const uint32_t table = tableNamedBy(inst); table != kNone) {
      if (computes)
        return {table, /*isCertain=*/true};
      const llvm::MCInstrDesc &description = branches.target().instructions().get(inst.getOpcode());
      if (closest.table == kNone && tables_[table].holdsPlaces && (description.mayLoad() || !description.mayStore()))
        closest.table = table;
    }
    address.leave(at, computes);
  }
  // A register that the function was called with holds no address of a place inside of it.
  return address.isWritten() ? closest : Found();
}

} // namespace mca
