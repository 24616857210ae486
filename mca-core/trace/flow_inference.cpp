#include "mca-core/trace/flow_inference.h"

#include "mca-core/trace/code_blocks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/SampleProfileInference.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace mca {
namespace {

constexpr size_t kMaxBlocks = 1'000;
/// Distributing flow evenly is what takes most of the time: seconds for 1,000 blocks with contradictory counts.
constexpr size_t kMaxEvenBlocks = 400;
/// The time of the inference grows about with the square of the blocks; 60 functions of 400 blocks take seconds.
constexpr size_t kMaxSquares = 10'000'000;
/// Jumps per block, on average. Minutes pass if 60 blocks all jump to each other, as an interpreter's may.
constexpr size_t kMaxJumps = 4;
/// Of the executions of an uncertain branch, at least so many go another way than the most frequent one.
constexpr double kUncertain = 0.02;
/// The inference multiplies counts by costs of up to 2^30.
constexpr int kCountBits = 24;

/// The costs of changing a count by one: known counts of jumps are trusted more than those of blocks, which profilers
/// often derive from them, and unknown ones are free.
llvm::ProfiParams inferenceParameters(size_t blocks) {
  llvm::ProfiParams parameters;
  parameters.EvenFlowDistribution = blocks <= kMaxEvenBlocks;
  parameters.RebalanceUnknown = parameters.JoinIslands = true;
  parameters.CostBlockInc = parameters.CostBlockEntryInc = 10;
  parameters.CostBlockDec = parameters.CostBlockEntryDec = 20;
  parameters.CostBlockZeroInc = 11;
  parameters.CostJumpInc = parameters.CostJumpFTInc = 30;
  parameters.CostJumpDec = parameters.CostJumpFTDec = 60;
  return parameters;
}

/// The flow through one function: flow_.Blocks[0] comes before its entry, and the last one after all ways out.
class FunctionFlow {
public:
  /// `blocks`: of the function, as indices in `all`. Adds the targets of indirect jumps that only counts tell.
  FunctionFlow(const ProgramBranches &branches, CodeBlocks &all, std::span<const uint32_t> blocks)
      : branches_(branches), all_(all), blocks_(blocks), exit_(static_cast<uint32_t>(blocks.size() + 1)),
        flow_{.Blocks = std::vector<llvm::FlowBlock>(blocks.size() + 2), .Jumps = {}} {
    for (uint32_t i = 0; i < blocks.size(); ++i)
      flowOf_[blocks[i]] = i + 1;
  }

  void addJumps(std::span<const EdgeCount *const> edges);
  void addWeights(std::span<const EdgeCount *const> edges, std::span<const PlaceCount *const> places);
  /// Completes the counts.
  void infer();
  void keepCounts() {
    for (llvm::FlowJump &jump : flow_.Jumps)
      jump.Flow = jump.Weight;
  }
  void addOdds(std::vector<BranchOdds> &odds) const;
  size_t jumps() const { return flow_.Jumps.size(); }

private:
  using Successor = CodeBlock::Successor;

  uint32_t blockOf(const EdgeCount &edge) const { return all_.blockOf[edge.branch]; }
  Successor successorOf(const EdgeCount &edge) const;
  /// Index in flow_.Blocks.
  uint32_t flowAt(uint32_t block) const { return block == CodeBlock::kExit ? exit_ : flowOf_.at(block); }
  uint32_t findJump(uint32_t from, uint32_t to) const;
  uint64_t flowTo(const CodeBlock &from, const Successor &to) const {
    return flow_.Jumps[findJump(flowAt(all_.blockOf[from.first]), flowAt(to.block))].Flow;
  }
  void connect();
  void scaleWeights();
  std::optional<BranchOdds> oddsOf(const CodeBlock &block) const;

  const ProgramBranches &branches_;
  CodeBlocks &all_;
  std::span<const uint32_t> blocks_;
  uint32_t exit_; ///< index in flow_.Blocks
  llvm::DenseMap<uint32_t, uint32_t> flowOf_;
  /// Index in flow_.Jumps of the first jump of each block, and after the last one's.
  std::vector<uint32_t> firstJump_;
  llvm::FlowFunction flow_;
};

CodeBlock::Successor FunctionFlow::successorOf(const EdgeCount &edge) const {
  const CodeBlock &block = all_.blocks[blockOf(edge)];
  if (branches_.kindOf(edge.branch) != BranchKind::IndirectJump || !edge.outcome.taken)
    return edge.outcome.taken ? block.successors.back() : block.successors.front();
  const uint32_t target = edge.outcome.target;
  const bool isInside = target < BranchOutcome::kOutside && flowOf_.contains(all_.blockOf[target]);
  return {isInside ? all_.blockOf[target] : CodeBlock::kExit, true};
}

uint32_t FunctionFlow::findJump(uint32_t from, uint32_t to) const {
  for (uint32_t jump = firstJump_[from]; jump < firstJump_[from + 1]; ++jump)
    if (flow_.Jumps[jump].Target == to)
      return jump;
  return kNone;
}

void FunctionFlow::addJumps(std::span<const EdgeCount *const> edges) {
  for (const EdgeCount *edge : edges)
    if (const Successor to = successorOf(*edge); branches_.kindOf(edge->branch) == BranchKind::IndirectJump &&
                                                 !llvm::is_contained(all_.blocks[blockOf(*edge)].successors, to))
      all_.blocks[blockOf(*edge)].successors.push_back(to);
  firstJump_ = {0, 0};
  for (uint32_t from = 1; from < exit_; ++from) {
    firstJump_.push_back(firstJump_.back());
    for (const Successor &one : all_.blocks[blocks_[from - 1]].successors)
      if (const uint32_t to = flowAt(one.block); findJump(from, to) == kNone) {
        flow_.Jumps.push_back({.Source = from, .Target = to});
        ++firstJump_.back();
      }
  }
  connect();
}

/// The inference needs a way to each block and from each: adds jumps for code that nothing is known to jump to, and for
/// endless loops.
void FunctionFlow::connect() {
  std::vector<std::vector<uint32_t>> after(exit_ + 1), before(exit_ + 1);
  for (const llvm::FlowJump &jump : flow_.Jumps) {
    after[jump.Source].push_back(static_cast<uint32_t>(jump.Target));
    before[jump.Target].push_back(static_cast<uint32_t>(jump.Source));
  }
  const auto reach = [](uint32_t start, const std::vector<std::vector<uint32_t>> &neighbours,
                        std::vector<bool> &isReached) {
    std::vector<uint32_t> pending{start};
    while (!pending.empty()) {
      const uint32_t block = pending.back();
      pending.pop_back();
      if (isReached[block])
        continue;
      isReached[block] = true;
      pending.insert(pending.end(), neighbours[block].begin(), neighbours[block].end());
    }
  };
  std::vector<bool> hasWayTo(exit_ + 1), hasWayOut(exit_ + 1);
  const auto enter = [&](uint32_t block) {
    if (hasWayTo[block])
      return;
    flow_.Jumps.push_back({.Source = 0, .Target = block});
    reach(block, after, hasWayTo);
  };
  const uint32_t function = branches_.functionOf(all_.blocks[blocks_.front()].first);
  enter(flowAt(all_.blockOf[branches_.functions()[function].entry]));
  for (uint32_t block = 1; block < exit_; ++block)
    enter(block);
  reach(exit_, before, hasWayOut);
  for (uint32_t block = exit_ - 1; block > 0; --block)
    if (!hasWayOut[block]) {
      flow_.Jumps.push_back({.Source = block, .Target = exit_});
      reach(block, before, hasWayOut);
    }
}

void FunctionFlow::addWeights(std::span<const EdgeCount *const> edges, std::span<const PlaceCount *const> places) {
  const auto add = [](auto &counted, uint64_t count) {
    counted.HasUnknownWeight = false;
    counted.Weight = llvm::SaturatingAdd(counted.Weight, count);
  };
  for (const EdgeCount *edge : edges)
    add(flow_.Jumps[findJump(flowAt(blockOf(*edge)), flowAt(successorOf(*edge).block))], edge->count);
  for (const PlaceCount *place : places)
    add(flow_.Blocks[flowAt(all_.blockOf[place->instruction])], place->count);
  scaleWeights();
}

/// The inference multiplies counts by costs. A count other than 0 stays so.
void FunctionFlow::scaleWeights() {
  uint64_t most = 0;
  for (const llvm::FlowJump &jump : flow_.Jumps)
    most = std::max(most, jump.Weight);
  for (const llvm::FlowBlock &block : flow_.Blocks)
    most = std::max(most, block.Weight);
  const int width = std::bit_width(most), shift = std::max(width - kCountBits, 0);
  const auto scale = [&](uint64_t &weight) { weight = weight ? std::max<uint64_t>(weight >> shift, 1) : 0; };
  for (llvm::FlowJump &jump : flow_.Jumps)
    scale(jump.Weight);
  for (llvm::FlowBlock &block : flow_.Blocks)
    scale(block.Weight);
}

void FunctionFlow::infer() {
  for (uint64_t i = 0; i < flow_.Blocks.size(); ++i)
    flow_.Blocks[i].Index = i;
  for (llvm::FlowJump &jump : flow_.Jumps) {
    flow_.Blocks[jump.Source].SuccJumps.push_back(&jump);
    flow_.Blocks[jump.Target].PredJumps.push_back(&jump);
  }
  llvm::applyFlowInference(inferenceParameters(blocks_.size()), flow_);
}

std::optional<BranchOdds> FunctionFlow::oddsOf(const CodeBlock &block) const {
  const bool isIndirect = branches_.kindOf(block.last) == BranchKind::IndirectJump;
  if (!isIndirect && (block.successors.size() != 2 || block.successors[0].block == block.successors[1].block))
    return std::nullopt;
  uint64_t all = 0, most = 0, taken = 0;
  for (const Successor &one : block.successors) {
    const uint64_t flow = flowTo(block, one);
    all += flow;
    most = std::max(most, flow);
    taken += one.isTaken ? flow : 0;
  }
  if (!all)
    return std::nullopt;
  BranchOdds odds{.branch = block.last,
                  .taken = double(taken) / double(all),
                  .isUncertain = double(all - most) >= kUncertain * double(all),
                  .targets = {}};
  for (const Successor &one : block.successors)
    if (isIndirect && one.isTaken && one.block != CodeBlock::kExit && taken)
      odds.targets.push_back({all_.blocks[one.block].first, double(flowTo(block, one)) / double(taken)});
  return odds;
}

void FunctionFlow::addOdds(std::vector<BranchOdds> &odds) const {
  for (const uint32_t block : blocks_)
    if (std::optional<BranchOdds> one = oddsOf(all_.blocks[block]))
      odds.push_back(std::move(*one));
}

} // namespace

std::vector<BranchOdds> oddsFromCounts(const ProgramBranches &branches, const ProfileCounts &counts) {
  struct Counted {
    std::vector<const EdgeCount *> edges;
    std::vector<const PlaceCount *> places;
    std::vector<uint32_t> blocks;
  };
  CodeBlocks all(branches);
  std::map<uint32_t, Counted> byFunction;
  for (const EdgeCount &edge : counts.edges)
    if (all.blocks[all.blockOf[edge.branch]].last == edge.branch && !isCall(branches.kindOf(edge.branch)))
      byFunction[branches.functionOf(edge.branch)].edges.push_back(&edge);
  for (const PlaceCount &place : counts.blocks)
    byFunction[branches.functionOf(place.instruction)].places.push_back(&place);
  for (uint32_t block = 0; block < all.blocks.size(); ++block)
    if (const auto counted = byFunction.find(branches.functionOf(all.blocks[block].first)); counted != byFunction.end())
      counted->second.blocks.push_back(block);
  std::vector<BranchOdds> odds;
  size_t squares = 0;
  for (const auto &[function, counted] : byFunction) {
    FunctionFlow flow(branches, all, counted.blocks);
    flow.addJumps(counted.edges);
    flow.addWeights(counted.edges, counted.places);
    const size_t blocks = counted.blocks.size();
    const bool isSmall = blocks <= kMaxBlocks && flow.jumps() <= kMaxJumps * blocks;
    squares += isSmall ? blocks * blocks : 0;
    if (isSmall && squares <= kMaxSquares)
      flow.infer();
    else
      flow.keepCounts();
    flow.addOdds(odds);
  }
  llvm::sort(odds, [](const BranchOdds &a, const BranchOdds &b) { return a.branch < b.branch; });
  return odds;
}

} // namespace mca
