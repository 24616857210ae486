#include "mca-core/program/code_blocks.h"

#include "mca-core/program/operands.h"

#include "llvm/ADT/STLExtras.h"

namespace mca {

CodeBlocks::CodeBlocks(const ProgramBranches &branches) : branches_(branches) {
  layOut();
  makeBlocks();
  connect();
}

/// Compilers leave a section in the middle of a function, for a jump table or for cold code, and come back to it.
void CodeBlocks::layOut() {
  layout_.reserve(branches_.size() - branches_.first());
  for (uint32_t i = branches_.first(); i < branches_.size(); ++i)
    if (branches_.previous(i) == kNone)
      for (uint32_t at = i; at != kNone; at = branches_.next(at))
        layout_.push_back(at);
}

/// A block begins at a label, at the begin of a section and after an instruction that ends one. A delay slot executes
/// with its branch.
void CodeBlocks::makeBlocks() {
  blockOf_.resize(layout_.size());
  bool starts = true;
  size_t begin = 0;
  for (size_t at = 0; at < layout_.size(); ++at) {
    const uint32_t instruction = layout_[at];
    if (starts || branches_.hasLabel(instruction) || branches_.previous(instruction) == kNone) {
      begin = at;
      blocks_.push_back({.instructions = {}, .isEntry = branches_.isEntry(instruction)});
    }
    const Branch &branch = branches_.at(instruction);
    blocks_.back().last = instruction;
    blockOf_[instruction - branches_.first()] = size() - 1;
    starts = branch.endsBlock();
    const uint32_t slot = starts && branch.hasDelaySlot ? branches_.next(instruction) : kNone;
    if (slot != kNone && !branches_.hasLabel(slot)) {
      blockOf_[slot - branches_.first()] = size() - 1;
      ++at;
    }
    blocks_.back().instructions = std::span(layout_).subspan(begin, at + 1 - begin);
  }
}

/// A block never falls through to the next function, although assembly could: the last instruction of a function may be
/// a call that does not return.
void CodeBlocks::connect() {
  for (uint32_t block = 0; block < size(); ++block) {
    const uint32_t last = blocks_[block].last, next = branches_.next(blocks_[block].instructions.back());
    if (branches_.at(last).fallsThrough() && next != kNone && branches_.functionOf(next) == branches_.functionOf(last))
      addEdge(block, blockOf(next));
    if (isJump(branches_.kindOf(last)) && !branches_.at(last).isTailCall)
      addJump(block);
  }
}

/// A jump to another function is a call, after which nothing comes back.
void CodeBlocks::addJump(uint32_t block) {
  const uint32_t last = blocks_[block].last;
  const auto isInside = [&](uint32_t target) {
    return !branches_.startsFunction(target) || branches_.functionOf(target) == branches_.functionOf(last);
  };
  if (const uint32_t target = branches_.at(last).target; target != kNone && isInside(target))
    addEdge(block, blockOf(target));
  const auto known = branches_.tables().knownTargetsOf(last);
  if (known.empty())
    return;
  const uint32_t unchanged = firstUnchanged(block);
  for (const uint32_t target : known)
    if (const uint32_t to = blockOf(target); !branches_.startsFunction(target) && (to < unchanged || to > block))
      addEdge(block, to);
}

void CodeBlocks::addEdge(uint32_t from, uint32_t to) {
  if (llvm::is_contained(blocks_[from].successors, to))
    return;
  blocks_[from].successors.push_back(to);
  blocks_[to].predecessors.push_back(from);
}

/// The first block of the straight code that ends with a computed jump and does not change its target: one that goes
/// back to this code once would do so for ever.
uint32_t CodeBlocks::firstUnchanged(uint32_t block) const {
  const Target &target = branches_.target();
  const llvm::MCInst &jump = branches_.inst(blocks_[block].last);
  const auto address = addressOfJump(target, jump);
  const bool isInMemory = target.instructions().get(jump.getOpcode()).mayLoad();
  const auto changes = [&](uint32_t index) {
    const llvm::MCInst &inst = branches_.inst(index);
    const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
    return description.isCall() || (isInMemory && description.mayStore()) ||
           llvm::any_of(address, [&](llvm::MCRegister reg) { return writesRegister(target, inst, reg); });
  };
  uint32_t first = block + 1;
  while (first > 0 && llvm::none_of(blocks_[first - 1].instructions, changes)) {
    --first;
    if (first == 0 || blocks_[first].isEntry || branches_.at(blocks_[first - 1].last).endsBlock())
      break;
  }
  return first;
}

} // namespace mca
