#include "mca-core/trace/flow_inference.h"

#include "mca-core/trace/ways_out.h"

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
  /// `blocks`: of the function, as indices in `all`.
  FunctionFlow(const CodeBlocks &all, std::span<const uint32_t> blocks)
      : branches_(all.branches()), all_(all), blocks_(blocks), exit_(static_cast<uint32_t>(blocks.size() + 1)),
        flow_{.Blocks = std::vector<llvm::FlowBlock>(blocks.size() + 2), .Jumps = {}} {
    for (uint32_t i = 0; i < blocks.size(); ++i) {
      flowOf_[blocks[i]] = i + 1;
      ways_.push_back(waysOutOf(all, blocks[i]));
    }
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
  using Ways = llvm::SmallVector<WayOut, 2>;

  /// Index in flow_.Blocks.
  uint32_t flowAt(uint32_t block) const { return block == WayOut::kExit ? exit_ : flowOf_.at(block); }
  uint32_t flowFrom(const EdgeCount &edge) const { return flowOf_.at(all_.blockOf(edge.branch)); }
  const Ways &waysFrom(const EdgeCount &edge) const { return ways_[flowFrom(edge) - 1]; }
  WayOut wayOf(const EdgeCount &edge) const;
  uint32_t findJump(uint32_t from, uint32_t to) const;
  uint64_t flowOn(uint32_t from, const WayOut &way) const {
    return flow_.Jumps[findJump(from, flowAt(way.block))].Flow;
  }
  void connect();
  void scaleWeights();
  std::optional<BranchOdds> oddsOf(uint32_t block) const;

  const ProgramBranches &branches_;
  const CodeBlocks &all_;
  std::span<const uint32_t> blocks_;
  std::vector<Ways> ways_; ///< by block, with the targets of indirect jumps that only counts tell
  uint32_t exit_;          ///< index in flow_.Blocks
  llvm::DenseMap<uint32_t, uint32_t> flowOf_;
  /// Index in flow_.Jumps of the first jump of each block, and after the last one's.
  std::vector<uint32_t> firstJump_;
  llvm::FlowFunction flow_;
};

WayOut FunctionFlow::wayOf(const EdgeCount &edge) const {
  if (branches_.kindOf(edge.branch) != BranchKind::IndirectJump || !edge.outcome.taken)
    return edge.outcome.taken ? waysFrom(edge).back() : waysFrom(edge).front();
  const uint32_t target = edge.outcome.target;
  const bool isInside = target < BranchOutcome::kOutside && flowOf_.contains(all_.blockOf(target));
  return {isInside ? all_.blockOf(target) : WayOut::kExit, true};
}

uint32_t FunctionFlow::findJump(uint32_t from, uint32_t to) const {
  for (uint32_t jump = firstJump_[from]; jump < firstJump_[from + 1]; ++jump)
    if (flow_.Jumps[jump].Target == to)
      return jump;
  return kNone;
}

void FunctionFlow::addJumps(std::span<const EdgeCount *const> edges) {
  for (const EdgeCount *edge : edges)
    if (const WayOut way = wayOf(*edge);
        branches_.kindOf(edge->branch) == BranchKind::IndirectJump && !llvm::is_contained(waysFrom(*edge), way))
      ways_[flowFrom(*edge) - 1].push_back(way);
  firstJump_ = {0, 0};
  for (uint32_t from = 1; from < exit_; ++from) {
    firstJump_.push_back(firstJump_.back());
    for (const WayOut &way : ways_[from - 1])
      if (const uint32_t to = flowAt(way.block); findJump(from, to) == kNone) {
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
  const uint32_t function = branches_.functionOf(all_.at(blocks_.front()).last);
  enter(flowAt(all_.blockOf(branches_.functions()[function].entry)));
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
    add(flow_.Jumps[findJump(flowFrom(*edge), flowAt(wayOf(*edge).block))], edge->count);
  for (const PlaceCount *place : places)
    add(flow_.Blocks[flowAt(all_.blockOf(place->instruction))], place->count);
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

/// `block`: index in `blocks_`.
std::optional<BranchOdds> FunctionFlow::oddsOf(uint32_t block) const {
  const uint32_t branch = all_.at(blocks_[block]).last;
  const Ways &ways = ways_[block];
  const bool isIndirect = branches_.kindOf(branch) == BranchKind::IndirectJump;
  if (!isIndirect && (ways.size() != 2 || ways[0].block == ways[1].block))
    return std::nullopt;
  uint64_t all = 0, most = 0, taken = 0;
  for (const WayOut &way : ways) {
    const uint64_t flow = flowOn(block + 1, way);
    all += flow;
    most = std::max(most, flow);
    taken += way.isTaken ? flow : 0;
  }
  if (!all)
    return std::nullopt;
  BranchOdds odds{.branch = branch,
                  .taken = double(taken) / double(all),
                  .isUncertain = double(all - most) >= kUncertain * double(all),
                  .targets = {}};
  for (const WayOut &way : ways)
    if (isIndirect && way.isTaken && way.block != WayOut::kExit && taken)
      odds.targets.push_back({all_.at(way.block).instructions.front(), double(flowOn(block + 1, way)) / double(taken)});
  return odds;
}

void FunctionFlow::addOdds(std::vector<BranchOdds> &odds) const {
  for (uint32_t block = 0; block < blocks_.size(); ++block)
    if (std::optional<BranchOdds> one = oddsOf(block))
      odds.push_back(std::move(*one));
}

} // namespace

std::vector<BranchOdds> oddsFromCounts(const CodeBlocks &all, const ProfileCounts &counts) {
  const ProgramBranches &branches = all.branches();
  struct Counted {
    std::vector<const EdgeCount *> edges;
    std::vector<const PlaceCount *> places;
    std::vector<uint32_t> blocks;
  };
  std::map<uint32_t, Counted> byFunction;
  for (const EdgeCount &edge : counts.edges)
    if (all.at(all.blockOf(edge.branch)).last == edge.branch && !isCall(branches.kindOf(edge.branch)))
      byFunction[branches.functionOf(edge.branch)].edges.push_back(&edge);
  for (const PlaceCount &place : counts.blocks)
    byFunction[branches.functionOf(place.instruction)].places.push_back(&place);
  for (uint32_t block = 0; block < all.size(); ++block)
    if (const auto counted = byFunction.find(branches.functionOf(all.at(block).last)); counted != byFunction.end())
      counted->second.blocks.push_back(block);
  std::vector<BranchOdds> odds;
  size_t squares = 0;
  for (const auto &[function, counted] : byFunction) {
    FunctionFlow flow(all, counted.blocks);
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
