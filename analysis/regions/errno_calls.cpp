#include "analysis/regions/errno_calls.h"

#include "analysis/regions/caveats.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace analysis {
namespace {

bool callsRoot(const mca::ControlFlow &code, const mca::CodeBlock &block) {
  return llvm::any_of(block.instructions, [&](uint32_t instruction) {
    if (!mca::isCall(code.branches.kindOf(instruction)))
      return false;
    const std::string callee = calleeOf(code.target(), code.branches.inst(instruction));
    return callee == "sqrt" || callee == "sqrtf" || callee == "sqrtl";
  });
}

/// LLVM's names: SQRTSDr, FSQRTDr (AArch64), FSQRT_D (RISC-V), SQRT_F (x87).
bool computesRoot(const mca::ControlFlow &code, const mca::CodeBlock &block) {
  return llvm::any_of(block.instructions, [&](uint32_t instruction) {
    return code.target().instructions().getName(code.branches.inst(instruction).getOpcode()).contains("SQRT");
  });
}

} // namespace

BranchProbability withoutErrnoCalls(const mca::ControlFlow &code, BranchProbability probability) {
  llvm::DenseMap<uint32_t, uint32_t> calls; // a branch's instruction -> the first one of the block that calls
  const mca::CodeBlocks &blocks = code.blocks;
  for (const mca::CodeBlock &block : blocks.all()) {
    // One that other code goes through, such as the head of a loop, is there for more than errno.
    if (block.predecessors.size() != 1 || !callsRoot(code, block))
      continue;
    const mca::CodeBlock &branching = blocks.at(block.predecessors.front());
    const auto isOther = [&](uint32_t next) {
      return &blocks.at(next) != &block && computesRoot(code, blocks.at(next));
    };
    if (branching.successors.size() == 2 &&
        (computesRoot(code, branching) || llvm::any_of(branching.successors, isOther)))
      calls[branching.last] = block.instructions.front();
  }
  if (calls.empty())
    return probability;
  return [calls = std::move(calls), probability = std::move(probability)](uint32_t last,
                                                                          uint32_t to) -> std::optional<double> {
    const auto call = calls.find(last);
    if (call == calls.end())
      return probability(last, to);
    return to == call->second ? kNoWay : 1;
  };
}

} // namespace analysis
