#include "mca-core/program/branches.h"

#include "mca-core/assembly/symbols.h"
#include "mca-core/program/call_ends.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCSection.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>

namespace mca {

ProgramBranches::ProgramBranches(const Target &target, const Program &program, uint32_t first)
    : target_(target), program_(program), first_(first) {
  linkInstructions();
  resolveLabels();
  findFunctions();
  classify();
  findFallThroughs();
  if (first_)
    return;
  countLines();
  tables_.find(*this);
}

/// Finds the neighbours of each instruction in its section.
void ProgramBranches::linkInstructions() {
  const auto instructions = program_.instructions().subspan(first_);
  next_.assign(instructions.size(), kNone);
  previous_.assign(instructions.size(), kNone);
  llvm::DenseMap<const llvm::MCSection *, uint32_t> lastOf; // of the sections that were left
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    const bool isSameSection = i && instructions[i].section == instructions[i - 1].section;
    if (i && !isSameSection)
      lastOf[instructions[i - 1].section] = i - 1;
    const auto left = isSameSection ? lastOf.end() : lastOf.find(instructions[i].section);
    if (!isSameSection && left == lastOf.end())
      continue;
    const uint32_t previous = isSameSection ? i - 1 : left->second;
    previous_[i] = first_ + previous;
    next_[previous] = first_ + i;
  }
}

void ProgramBranches::countLines() {
  const std::string &text = program_.text();
  uint32_t line = 1;
  size_t end = text.find('\n'); // of the line
  lines_.reserve(branches_.size());
  for (const Instruction &instruction : program_.instructions()) { // their offsets ascend
    for (; end < instruction.offset; end = text.find('\n', end + 1))
      ++line;
    lines_.push_back(line);
  }
}

/// Those from first_ on.
std::span<const Label> ProgramBranches::labels() const {
  const auto all = program_.labels();
  return all.subspan(std::ranges::lower_bound(all, first_, {}, &Label::instruction) - all.begin());
}

void ProgramBranches::resolveLabels() {
  const auto instructions = program_.instructions();
  hasLabel_.assign(instructions.size() - first_, false);
  // The next instruction of each section, from the last label back to the first.
  llvm::DenseMap<const llvm::MCSection *, uint32_t> nextIn;
  auto next = static_cast<uint32_t>(instructions.size());
  for (const Label &label : llvm::reverse(labels())) {
    for (; next > label.instruction; --next)
      if (next - 1 == label.instruction || instructions[next - 2].section != instructions[next - 1].section)
        nextIn[instructions[next - 1].section] = next - 1;
    const auto found = nextIn.find(label.section);
    if (found == nextIn.end())
      continue;
    symbols_[label.symbol] = found->second;
    labels_[label.name] = found->second;
    hasLabel_[found->second - first_] = true;
  }
}

bool ProgramBranches::startsFunction(const Label &label) const {
  if (target_.triple().isOSBinFormatMachO())
    return !isPrivate(label.name) && label.name.starts_with('_');
  return program_.isFunction(*label.symbol);
}

void ProgramBranches::findFunctions() {
  const auto instructions = program_.instructions();
  llvm::DenseMap<uint32_t, std::string_view> entries, coldEntries;
  llvm::StringMap<uint32_t> byName;
  for (const Label &label : labels())
    if (const auto place = symbols_.find(label.symbol); place != symbols_.end() && startsFunction(label))
      (label.name.ends_with(".cold") ? coldEntries : entries).try_emplace(place->second, label.name);
  const auto begin = [&](uint32_t entry, std::string_view name) {
    functions_.push_back({name, entry});
    return byName[name] = static_cast<uint32_t>(functions_.size() - 1);
  };
  functionOf_.reserve(next_.size());
  for (uint32_t i = first_; i < instructions.size(); ++i) {
    if (!hasLabel(i) && previous(i) != kNone) {
      functionOf_.push_back(functionOf(previous(i)));
      continue;
    }
    const auto entry = entries.find(i), cold = coldEntries.find(i);
    const auto hot =
        cold == coldEntries.end() ? byName.end() : byName.find(cold->second.substr(0, cold->second.size() - 5));
    if (entry != entries.end())
      functionOf_.push_back(begin(i, entry->second));
    else if (hot != byName.end())
      functionOf_.push_back(hot->second);
    else
      functionOf_.push_back(previous(i) == kNone ? begin(i, {}) : functionOf(previous(i)));
  }
}

void ProgramBranches::classify() {
  branches_.reserve(next_.size());
  for (uint32_t i = first_; i < program_.instructions().size(); ++i) {
    Branch &branch = branches_.emplace_back(classifyBranch(target_, inst(i)));
    if (branch.kind == BranchKind::None)
      continue;
    if (branch.kind == BranchKind::Jump || branch.kind == BranchKind::ConditionalJump ||
        branch.kind == BranchKind::Call)
      resolveTarget(branch, inst(i));
    if (isCall(branch.kind))
      branch.neverReturns =
          (branch.kind == BranchKind::Call && isNoReturnFunction(branch.symbolName())) || hasNoSuccessor(program_, i);
    branch.isTailCall |= isJump(branch.kind) && isMarkedTailCall(program_, i);
    branch.isBackward = branch.target != kNone && branch.target <= i;
  }
}

/// The target is the last operand with an expression.
void ProgramBranches::resolveTarget(Branch &branch, const llvm::MCInst &inst) const {
  for (const llvm::MCOperand &operand : llvm::reverse(inst))
    if (operand.isExpr()) {
      const llvm::MCSymbol *written = firstSymbolIn(*operand.getExpr()), *symbol = exactSymbolIn(*operand.getExpr());
      if (symbol && written) {
        branch.target = placeOf(*symbol);
        branch.symbol = written;
      }
      return;
    }
}

uint32_t ProgramBranches::placeOf(const llvm::MCSymbol &symbol) const {
  const auto found = symbols_.find(&symbol);
  return found == symbols_.end() ? kNone : found->second;
}

void ProgramBranches::findFallThroughs() {
  nextAfterPlain_ = next_;
  for (uint32_t i = first_; i < size(); ++i) {
    Branch &branch = branches_[i - first_];
    if (branch.kind == BranchKind::None)
      continue;
    branch.fallThrough = next(i);
    nextAfterPlain_[i - first_] = kNone;
    if (branch.hasDelaySlot && next(i) != kNone) {
      branch.fallThrough = next(next(i));
      nextAfterPlain_[next(i) - first_] = kNone;
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

bool ProgramBranches::mayJumpTo(uint32_t jump, uint32_t instruction) const {
  if (const auto targets = tableTargets(jump); !targets.empty())
    return std::binary_search(targets.begin(), targets.end(), instruction);
  return hasLabel(instruction) && (functionOf(instruction) == functionOf(jump) || isEntry(instruction));
}

} // namespace mca
