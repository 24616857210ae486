#include "mca-core/trace/code_blocks.h"

#include "llvm/ADT/STLExtras.h"

namespace mca {
namespace {

bool endsBlock(const Branch &branch) {
  return branch.kind != BranchKind::None && !isCall(branch.kind);
}

/// Which instructions start blocks.
std::vector<bool> findLeaders(const ProgramBranches &branches) {
  std::vector<bool> isLeader(branches.size(), true);
  for (uint32_t i = 0; i < branches.size(); ++i)
    if (const uint32_t next = branches.next(i); next != kNone)
      isLeader[next] =
          branches.hasLabel(next) || branches.functionOf(next) != branches.functionOf(i) || endsBlock(branches.at(i));
  const auto mark = [&](uint32_t instruction) {
    if (instruction != kNone)
      isLeader[instruction] = true;
  };
  for (uint32_t i = 0; i < branches.size(); ++i) {
    if (!endsBlock(branches.at(i)))
      continue;
    mark(branches.at(i).target);
    mark(branches.at(i).fallThrough);
    for (const uint32_t target : branches.tableTargets(i))
      mark(target);
  }
  return isLeader;
}

class SuccessorFinder {
public:
  SuccessorFinder(const ProgramBranches &branches, const CodeBlocks &all) : branches_(branches), all_(all) {}

  void find(CodeBlock &block) const {
    const Branch &branch = branches_.at(block.last);
    const auto add = [&](uint32_t to, bool isTaken) {
      const CodeBlock::Successor one{blockAt(block, to), isTaken};
      if (!llvm::is_contained(block.successors, one))
        block.successors.push_back(one);
    };
    const bool isPlain = branch.kind == BranchKind::None || isCall(branch.kind);
    if (isPlain || branch.kind == BranchKind::ConditionalJump || branch.isPredicated)
      add(branch.kind == BranchKind::None ? branches_.next(block.last) : branch.fallThrough, false);
    if (isPlain)
      return;
    for (const uint32_t target : branches_.tableTargets(block.last))
      add(target, true);
    if (!branches_.hasTable(block.last))
      add(branch.target, true);
  }

private:
  uint32_t blockAt(const CodeBlock &from, uint32_t instruction) const {
    return instruction != kNone && branches_.functionOf(instruction) == branches_.functionOf(from.first)
               ? all_.blockOf[instruction]
               : CodeBlock::kExit;
  }

  const ProgramBranches &branches_;
  const CodeBlocks &all_;
};

} // namespace

CodeBlocks::CodeBlocks(const ProgramBranches &branches) : blockOf(branches.size(), CodeBlock::kExit) {
  const std::vector<bool> isLeader = findLeaders(branches);
  for (uint32_t first = 0; first < branches.size(); ++first) {
    if (!isLeader[first])
      continue;
    CodeBlock &block = blocks.emplace_back(CodeBlock{.first = first, .last = first, .successors = {}});
    for (uint32_t at = first; at != kNone && (at == first || !isLeader[at]); at = branches.next(at)) {
      blockOf[at] = static_cast<uint32_t>(blocks.size() - 1);
      block.last = at;
    }
  }
  const SuccessorFinder finder(branches, *this);
  for (CodeBlock &block : blocks)
    finder.find(block);
}

} // namespace mca
