// A best-first search over the loop's blocks (A* with an exact estimate). The cost of a beginning of a path is that of
// the likeliest whole path that begins so. Complete paths are met in the order of their shares, and no step leads away
// from them, however many paths there are.
#include "analysis/regions/loop_paths.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace analysis {
namespace {

constexpr uint32_t kNone = ~0u;
/// Of search steps; a loop of thousands of blocks with branches would otherwise never end.
constexpr size_t kMaxSteps = 100'000;
/// A branch that the compiler calls impossible is still a path.
constexpr double kLeastProbability = 1e-9;

/// Of a way: -log2 of its probability, in millionths. Sums of these are exact, so that equally likely ways stay equal.
using Cost = uint64_t;
constexpr Cost kNever = ~Cost{0};

/// At least kLeastProbability is assumed, so that the cost of an impossible branch is finite.
Cost costOf(double probability) {
  return static_cast<Cost>(std::llround(-std::log2(std::clamp(probability, kLeastProbability, 1.0)) * 1e6));
}

class Search {
public:
  Search(const mca::Loop &loop, const BranchProbability &probability) : loop_(loop) {
    weighted_ = llvm::all_of(loop.blocks, [&](const mca::LoopBlock &block) { return weigh(block, probability); });
    if (!weighted_)
      weighEvenly();
    reach_.assign(loop.blocks.size(), kUnknown);
    least_.assign(loop.blocks.size(), kNever);
    findReach();
  }

  LoopPaths run(size_t limit) {
    LoopPaths found{.paths = {}, .hasOtherWays = hasCycles_};
    extend(kNone, loop_.headerBlock, 1, 0);
    while (!queue_.empty()) {
      const Candidate candidate = queue_.top();
      queue_.pop();
      if (found.paths.size() == limit || steps_.size() > kMaxSteps) {
        found.complete = false;
        break;
      }
      const Step step = steps_[candidate.step];
      const mca::LoopBlock &block = loop_.blocks[step.block];
      const Exits &exits = exits_[step.block];
      if (candidate.whole) {
        found.paths.push_back(pathTo(candidate.step, step.probability * exits.latch));
        continue;
      }
      for (size_t i = block.successors.size(); i-- > 0;)
        extend(candidate.step, block.successors[i], step.probability * exits.successors[i],
               step.cost + costOf(exits.successors[i]));
      if (block.isLatch)
        push(candidate.step, step.cost + costOf(exits.latch), /*whole=*/true);
    }
    return found;
  }

private:
  static constexpr double kUnknown = -1, kOpen = -2;

  /// The probabilities of going from a block back to the header, and to its successors; or kNoWay.
  struct Exits {
    double latch = 0;
    std::vector<double> successors = {};
  };
  /// The beginning of a path: its last block and the beginning before that.
  struct Step {
    uint32_t block;
    uint32_t before;
    double probability; ///< of coming this far
    Cost cost;          ///< of the same
  };
  /// The beginning of a path, at the cost of the best that may follow, or a whole path. Of equal ones the newer comes
  /// first: it is closer to its end, and the result is the same everywhere.
  struct Candidate {
    Cost cost;
    uint32_t order;
    uint32_t step;
    bool whole;
    bool operator<(const Candidate &other) const {
      return cost != other.cost ? cost > other.cost : order < other.order;
    }
  };

  /// Whether all ways out of the block have a probability.
  bool weigh(const mca::LoopBlock &block, const BranchProbability &probability) {
    Exits &exits = exits_.emplace_back();
    const auto read = [&](uint32_t to, double &into) {
      const std::optional<double> known = probability(loop_.instructions[block.end - 1], to);
      into = known == kNoWay ? kNoWay : std::max(known.value_or(0), kLeastProbability);
      return known.has_value();
    };
    return (!block.isLatch || read(loop_.header(), exits.latch)) &&
           llvm::all_of(block.successors, [&](uint32_t successor) {
             return read(loop_.instructions[loop_.blocks[successor].begin], exits.successors.emplace_back());
           });
  }

  /// Without probabilities all ways out of a block are equally likely. Then the paths with the fewest branches come
  /// first.
  void weighEvenly() {
    exits_.clear();
    for (const mca::LoopBlock &block : loop_.blocks) {
      const double share = 1.0 / static_cast<double>(std::max<size_t>(block.successors.size() + block.isLatch, 1));
      exits_.push_back({block.isLatch ? share : 0, std::vector<double>(block.successors.size(), share)});
    }
  }

  /// Depth first, without recursion: a loop may have many thousands of blocks.
  void findReach() {
    std::vector<uint32_t> stack{loop_.headerBlock};
    while (!stack.empty()) {
      const uint32_t block = stack.back();
      if (reach_[block] == kUnknown) {
        reach_[block] = kOpen;
        llvm::copy_if(loop_.blocks[block].successors, std::back_inserter(stack),
                      [&](uint32_t successor) { return reach_[successor] == kUnknown; });
        continue;
      }
      stack.pop_back();
      if (reach_[block] == kOpen)
        close(block);
    }
  }

  /// Sums up a block whose successors are done. One that is still open lies on the way to this block (a cycle with
  /// several entries), and counts for nothing.
  void close(uint32_t block) {
    const auto &[latch, probabilities] = exits_[block];
    double reach = latch;
    Cost least = loop_.blocks[block].isLatch ? costOf(latch) : kNever;
    for (const auto &[successor, probability] : llvm::zip(loop_.blocks[block].successors, probabilities)) {
      if (probability < 0)
        continue;
      hasCycles_ |= reach_[successor] == kOpen;
      reach += probability * std::max(reach_[successor], 0.0);
      if (least_[successor] != kNever)
        least = std::min(least, costOf(probability) + least_[successor]);
    }
    reach_[block] = reach;
    least_[block] = least;
  }

  bool isOnPath(uint32_t step, uint32_t block) const {
    while (step != kNone && steps_[step].block != block)
      step = steps_[step].before;
    return step != kNone;
  }

  void extend(uint32_t before, uint32_t block, double probability, Cost cost) {
    if (probability < 0 || least_[block] == kNever || (hasCycles_ && isOnPath(before, block)))
      return;
    steps_.push_back({block, before, probability, cost});
    push(static_cast<uint32_t>(steps_.size() - 1), cost + least_[block], /*whole=*/false);
  }

  void push(uint32_t step, Cost cost, bool whole) { queue_.push({cost, order_++, step, whole}); }

  LoopPath pathTo(uint32_t step, double probability) const {
    std::vector<uint32_t> blocks;
    for (; step != kNone; step = steps_[step].before)
      blocks.push_back(steps_[step].block);
    LoopPath path;
    for (const uint32_t block : llvm::reverse(blocks))
      path.instructions.insert(path.instructions.end(), loop_.instructions.begin() + loop_.blocks[block].begin,
                               loop_.instructions.begin() + loop_.blocks[block].end);
    if (weighted_ && reach_[loop_.headerBlock] > 0)
      path.share = std::min(1.0, probability / reach_[loop_.headerBlock]);
    return path;
  }

  const mca::Loop &loop_;
  bool weighted_ = true;
  std::vector<Exits> exits_;  // by block
  std::vector<double> reach_; // by block: the probability of reaching a latch and going back to the header
  std::vector<Cost> least_;   // by block: of the likeliest way to do so
  bool hasCycles_ = false;    // besides the one that goes through the header
  std::vector<Step> steps_;
  std::priority_queue<Candidate> queue_;
  uint32_t order_ = 0;
};

} // namespace

LoopPaths findLoopPaths(const mca::Loop &loop, const BranchProbability &probability, size_t limit) {
  return Search(loop, probability).run(limit);
}

} // namespace analysis
