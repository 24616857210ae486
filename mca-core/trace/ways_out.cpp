#include "mca-core/trace/ways_out.h"

#include "llvm/ADT/STLExtras.h"

namespace mca {

llvm::SmallVector<WayOut, 2> waysOutOf(const CodeBlocks &blocks, uint32_t block) {
  const ProgramBranches &branches = blocks.branches();
  const uint32_t last = blocks.at(block).last;
  const Branch &branch = branches.at(last);
  llvm::SmallVector<WayOut, 2> ways;
  const auto add = [&](uint32_t to, bool isTaken) {
    const bool isInside = to != kNone && branches.functionOf(to) == branches.functionOf(last);
    const WayOut way{isInside ? blocks.blockOf(to) : WayOut::kExit, isTaken};
    if (!llvm::is_contained(ways, way))
      ways.push_back(way);
  };
  const bool isPlain = branch.kind == BranchKind::None || isCall(branch.kind);
  if (branch.fallsThrough())
    add(branch.kind == BranchKind::None ? branches.next(last) : branch.fallThrough, false);
  else if (isPlain)
    add(kNone, false);
  if (isPlain)
    return ways;
  for (const uint32_t target : branches.tableTargets(last))
    add(target, true);
  if (!branches.hasTable(last))
    add(branch.target, true);
  return ways;
}

} // namespace mca
