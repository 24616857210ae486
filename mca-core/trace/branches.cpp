#include "mca-core/trace/branches.h"

#include "mca-core/assembly/symbols.h"
#include "mca-core/trace/branch_kind.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCSection.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>

namespace mca {
namespace {

/// Whether the program may write another address there. `.data.rel.ro` is written by the loader alone.
bool isVariable(const llvm::MCSymbol &table) {
  if (!table.isInSection())
    return false;
  const llvm::StringRef section = table.getSection().getName();
  return (section.starts_with(".data") && !section.starts_with(".data.rel.ro")) || section.starts_with(".sdata") ||
         section == "__data";
}

} // namespace

ProgramBranches::ProgramBranches(const Target &target, const Program &program) : target_(target), program_(program) {
  linkInstructions();
  resolveLabels();
  findFunctions();
  classify();
  findFallThroughs();
  findTables();
}

/// Finds the neighbours of each instruction in its section, and its line.
void ProgramBranches::linkInstructions() {
  const auto instructions = program_.instructions();
  next_.assign(instructions.size(), kNone);
  previous_.assign(instructions.size(), kNone);
  llvm::DenseMap<const llvm::MCSection *, uint32_t> last;
  const std::string &text = program_.text();
  uint32_t line = 1;
  auto counted = text.begin();
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    const auto [previous, isFirst] = last.try_emplace(instructions[i].section, i);
    if (!isFirst) {
      previous_[i] = previous->second;
      next_[previous->second] = i;
      previous->second = i;
    }
    const auto at = text.begin() + instructions[i].offset; // offsets ascend
    if (at > counted) {
      line += static_cast<uint32_t>(std::count(counted, at, '\n'));
      counted = at;
    }
    lines_.push_back(line);
  }
}

void ProgramBranches::resolveLabels() {
  const auto instructions = program_.instructions();
  const auto labels = program_.labels();
  hasLabel_.assign(instructions.size(), false);
  // The next instruction of each section, from the last label back to the first.
  llvm::DenseMap<const llvm::MCSection *, uint32_t> nextIn;
  auto next = static_cast<uint32_t>(instructions.size());
  for (const Label &label : llvm::reverse(labels)) {
    for (; next > label.instruction; --next)
      nextIn[instructions[next - 1].section] = next - 1;
    const auto found = nextIn.find(label.section);
    if (found == nextIn.end())
      continue;
    symbols_[label.symbol] = found->second;
    labels_[label.name] = found->second;
    hasLabel_[found->second] = true;
  }
}

bool ProgramBranches::startsFunction(const Label &label) const {
  if (target_.triple().isOSBinFormatMachO())
    return !isPrivate(label.name);
  return program_.isFunction(*label.symbol);
}

bool ProgramBranches::startsFunction(uint32_t instruction) const {
  const TextFunction &function = functions_[functionOf_[instruction]];
  return function.entry == instruction && !function.name.empty();
}

void ProgramBranches::findFunctions() {
  const auto instructions = program_.instructions();
  llvm::DenseMap<uint32_t, std::string_view> entries, coldEntries;
  llvm::StringMap<uint32_t> byName;
  for (const Label &label : program_.labels())
    if (const auto place = symbols_.find(label.symbol); place != symbols_.end() && startsFunction(label))
      (label.name.ends_with(".cold") ? coldEntries : entries).try_emplace(place->second, label.name);
  const auto begin = [&](uint32_t entry, std::string_view name) {
    functions_.push_back({name, entry});
    return byName[name] = static_cast<uint32_t>(functions_.size() - 1);
  };
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    const auto entry = entries.find(i), cold = coldEntries.find(i);
    const auto hot =
        cold == coldEntries.end() ? byName.end() : byName.find(cold->second.substr(0, cold->second.size() - 5));
    if (entry != entries.end())
      functionOf_.push_back(begin(i, entry->second));
    else if (hot != byName.end())
      functionOf_.push_back(hot->second);
    else
      functionOf_.push_back(previous_[i] == kNone ? begin(i, {}) : functionOf_[previous_[i]]);
  }
}

void ProgramBranches::classify() {
  for (uint32_t i = 0; i < program_.instructions().size(); ++i) {
    const llvm::MCInst &inst = program_.instructions()[i].inst;
    Branch &branch = branches_.emplace_back(classifyBranch(target_, inst));
    if (branch.kind == BranchKind::Jump || branch.kind == BranchKind::ConditionalJump ||
        branch.kind == BranchKind::Call)
      resolveTarget(branch, inst);
    branch.isBackward = branch.target != kNone && branch.target <= i;
  }
}

/// The target is the last operand with an expression.
void ProgramBranches::resolveTarget(Branch &branch, const llvm::MCInst &inst) const {
  for (const llvm::MCOperand &operand : llvm::reverse(inst))
    if (operand.isExpr()) {
      const llvm::MCSymbol *written = firstSymbolIn(*operand.getExpr()), *symbol = exactSymbolIn(*operand.getExpr());
      if (symbol && written) {
        branch.target = targetOf(symbol);
        branch.symbol = std::string_view(written->getName().data(), written->getName().size());
      }
      return;
    }
}

uint32_t ProgramBranches::targetOf(const llvm::MCSymbol *symbol) const {
  const auto found = symbols_.find(symbol);
  return found == symbols_.end() ? kNone : found->second;
}

void ProgramBranches::findFallThroughs() {
  nextAfterPlain_ = next_;
  for (uint32_t i = 0; i < size(); ++i) {
    Branch &branch = branches_[i];
    if (branch.kind == BranchKind::None)
      continue;
    branch.fallThrough = next_[i];
    nextAfterPlain_[i] = kNone;
    if (branch.hasDelaySlot && next_[i] != kNone) {
      branch.fallThrough = next_[next_[i]];
      nextAfterPlain_[next_[i]] = kNone;
    }
  }
}

uint32_t ProgramBranches::firstOnLine(uint64_t line) const {
  const auto found = std::lower_bound(lines_.begin(), lines_.end(), line);
  return found == lines_.end() ? kNone : static_cast<uint32_t>(found - lines_.begin());
}

uint32_t ProgramBranches::placeOf(std::string_view label) const {
  const auto found = labels_.find(label);
  return found == labels_.end() ? kNone : found->second;
}

bool ProgramBranches::isPrivate(std::string_view name) const {
  const llvm::MCAsmInfo &info = target_.asmInfo();
  return llvm::StringRef(name).starts_with(info.getPrivateGlobalPrefix()) ||
         llvm::StringRef(name).starts_with(info.getPrivateLabelPrefix());
}

// ---- jump tables ---------------------------------------------------------------------------------------------------

bool ProgramBranches::mayJumpTo(uint32_t jump, uint32_t instruction) const {
  if (hasTable(jump)) {
    const auto targets = tableTargets(jump);
    return std::binary_search(targets.begin(), targets.end(), instruction);
  }
  return hasLabel_[instruction] &&
         (functionOf_[instruction] == functionOf_[jump] || functions_[functionOf_[instruction]].entry == instruction);
}

std::span<const uint32_t> ProgramBranches::tableTargets(uint32_t jump) const {
  const auto found = tableOfJump_.find(jump);
  return found == tableOfJump_.end() ? std::span<const uint32_t>() : std::span<const uint32_t>(tables_[found->second]);
}

/// Collects the instructions that each table names. A table that also names anything else is useless, and empty, and so
/// is a variable that points to a function: it may point to another one by the time of the jump.
ProgramBranches::TableIndices ProgramBranches::readTables() {
  TableIndices indices;
  for (const TableEntry &entry : program_.tableEntries()) {
    if (!entry.table)
      continue;
    const auto [index, isNew] = indices.try_emplace(entry.table, static_cast<uint32_t>(tables_.size()));
    if (isNew)
      tables_.emplace_back();
    const uint32_t target = targetOf(firstSymbolIn(*entry.value));
    const bool isPointer = target != kNone && startsFunction(target) && isVariable(*entry.table);
    tables_[index->second].push_back(isPointer ? kNone : target);
  }
  for (std::vector<uint32_t> &targets : tables_) {
    llvm::sort(targets);
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    if (targets.back() == kNone)
      targets.clear();
  }
  return indices;
}

void ProgramBranches::findTables() {
  const TableIndices indices = readTables();
  if (indices.empty())
    return;
  for (uint32_t i = 0; i < size(); ++i)
    if (kindOf(i) == BranchKind::IndirectJump)
      if (const uint32_t table = tableOf(i, indices); table != kNone && !tables_[table].empty())
        tableOfJump_[i] = table;
}

/// Follows the registers that the address of a jump is computed from, back to an instruction that names a table. What
/// is written before the jump's block may have been written elsewhere, so there a write doesn't end the search.
uint32_t ProgramBranches::tableOf(uint32_t jump, const TableIndices &tables) const {
  constexpr unsigned kFarthest = 200; // instructions
  const llvm::MCRegisterInfo &registers = target_.registers();
  llvm::SmallVector<llvm::MCRegister, 8> sources;
  bool isSameBlock = true;
  uint32_t at = jump;
  for (unsigned distance = 0; at != kNone && distance < kFarthest; ++distance, at = previous_[at]) {
    if (functionOf_[at] != functionOf_[jump])
      return kNone;
    isSameBlock = isSameBlock && (at == jump || kindOf(at) == BranchKind::None);
    const llvm::MCInst &inst = program_.instructions()[at].inst;
    const unsigned defs =
        std::min<unsigned>(target_.instructions().get(inst.getOpcode()).getNumDefs(), inst.getNumOperands());
    const auto defines = [&](llvm::MCRegister one) {
      return llvm::any_of(llvm::ArrayRef(inst.begin(), defs), [&](const llvm::MCOperand &operand) {
        return operand.isReg() && operand.getReg() && registers.regsOverlap(operand.getReg(), one);
      });
    };
    if (at == jump || llvm::any_of(sources, defines)) {
      for (const llvm::MCOperand &operand : inst)
        if (const llvm::MCSymbol *symbol = operand.isExpr() ? firstSymbolIn(*operand.getExpr()) : nullptr)
          if (const auto table = tables.find(symbol); table != tables.end())
            return table->second;
      if (isSameBlock)
        llvm::erase_if(sources, defines);
      for (const llvm::MCOperand &operand : llvm::drop_begin(inst, at == jump ? 0 : defs))
        if (operand.isReg() && operand.getReg())
          sources.push_back(operand.getReg());
    }
    isSameBlock = isSameBlock && !hasLabel_[at];
  }
  return kNone;
}

} // namespace mca
