// A best-first search over the loop's blocks. The weight of a beginning of a path is the probability of taking it and
// then reaching a latch inside the loop, so that complete paths are met in the order of their shares.
#include "analysis/regions/loop_paths.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <queue>

namespace analysis {
namespace {

constexpr uint32_t kNone = ~0u;
/// Of search steps; a loop of thousands of blocks with branches would otherwise never end.
constexpr size_t kMaxSteps = 100'000;
/// A branch that the compiler calls impossible is still a path.
constexpr double kLeastProbability = 1e-9;

class Search {
public:
  Search(const Loop &loop, const BranchProbability &probability) : loop_(loop) {
    for (const LoopBlock &block : loop.blocks) {
      weighted_ &= weigh(block, probability);
      if (!weighted_)
        break;
    }
    if (!weighted_)
      weighEvenly();
    reach_.assign(loop.blocks.size(), kUnknown);
    findReach();
  }

  LoopPaths run(size_t limit);

private:
  static constexpr double kUnknown = -1, kOpen = -2;

  /// What leaves a block inside the loop, and with what probability.
  struct Exits {
    double latch = 0;
    std::vector<double> successors;
  };
  /// The beginning of a path: its last block and the beginning before that.
  struct Step {
    uint32_t block;
    uint32_t before;
    double probability; ///< of coming this far
  };

  bool weigh(const LoopBlock &block, const BranchProbability &probability);
  void weighEvenly();
  void findReach();
  bool isOnPath(uint32_t step, uint32_t block) const;
  LoopPath pathTo(uint32_t step, double probability) const;

  const Loop &loop_;
  bool weighted_ = true;
  std::vector<Exits> exits_;  // by block
  std::vector<double> reach_; // by block: the probability of reaching a latch and going back to the header
  std::vector<Step> steps_;
};

bool Search::weigh(const LoopBlock &block, const BranchProbability &probability) {
  Exits &exits = exits_.emplace_back();
  const uint32_t last = loop_.instructions[block.end - 1];
  const auto ask = [&](uint32_t to, double &into) {
    const std::optional<double> told = probability(last, to);
    into = std::max(told.value_or(0), kLeastProbability);
    return told.has_value();
  };
  bool known = !block.isLatch || ask(loop_.header(), exits.latch);
  for (const uint32_t successor : block.successors)
    known = known && ask(loop_.instructions[loop_.blocks[successor].begin], exits.successors.emplace_back());
  return known;
}

void Search::weighEvenly() {
  exits_.clear();
  for (const LoopBlock &block : loop_.blocks) {
    const double share = 1.0 / static_cast<double>(std::max<size_t>(block.successors.size() + block.isLatch, 1));
    exits_.push_back({block.isLatch ? share : 0, std::vector<double>(block.successors.size(), share)});
  }
}

/// Depth first, without recursion. A way that comes back to a block on it (a cycle with several entries) counts for
/// nothing.
void Search::findReach() {
  std::vector<uint32_t> stack{loop_.headerBlock};
  while (!stack.empty()) {
    const uint32_t block = stack.back();
    const auto &successors = loop_.blocks[block].successors;
    if (reach_[block] == kUnknown) {
      reach_[block] = kOpen;
      for (const uint32_t successor : successors)
        if (reach_[successor] == kUnknown)
          stack.push_back(successor);
      continue;
    }
    stack.pop_back();
    if (reach_[block] != kOpen)
      continue;
    double reach = exits_[block].latch;
    for (size_t i = 0; i < successors.size(); ++i)
      reach += exits_[block].successors[i] * std::max(reach_[successors[i]], 0.0);
    reach_[block] = reach;
  }
}

bool Search::isOnPath(uint32_t step, uint32_t block) const {
  for (; step != kNone; step = steps_[step].before)
    if (steps_[step].block == block)
      return true;
  return false;
}

LoopPath Search::pathTo(uint32_t step, double probability) const {
  std::vector<uint32_t> blocks;
  for (; step != kNone; step = steps_[step].before)
    blocks.push_back(steps_[step].block);
  LoopPath path;
  for (const uint32_t block : llvm::reverse(blocks))
    path.instructions.insert(path.instructions.end(), loop_.instructions.begin() + loop_.blocks[block].begin,
                             loop_.instructions.begin() + loop_.blocks[block].end);
  if (weighted_)
    path.share = std::min(1.0, probability / reach_[loop_.headerBlock]);
  return path;
}

LoopPaths Search::run(size_t limit) {
  // A candidate is either the beginning of a path, weighed with all that may follow, or a whole path. Of equal ones
  // the older comes first, so that the result is the same everywhere.
  struct Candidate {
    double weight;
    uint32_t order;
    uint32_t step;
    bool whole;
    bool operator<(const Candidate &other) const {
      return weight != other.weight ? weight < other.weight : order > other.order;
    }
  };
  LoopPaths found;
  std::priority_queue<Candidate> queue;
  uint32_t order = 0;
  const auto extend = [&](uint32_t before, uint32_t block, double probability) {
    steps_.push_back({block, before, probability});
    queue.push({probability * reach_[block], order++, static_cast<uint32_t>(steps_.size() - 1), false});
  };
  extend(kNone, loop_.headerBlock, 1);
  while (!queue.empty()) {
    const Candidate candidate = queue.top();
    queue.pop();
    if (found.paths.size() == limit || steps_.size() > kMaxSteps) {
      found.complete = false;
      break;
    }
    if (candidate.whole) {
      found.paths.push_back(pathTo(candidate.step, candidate.weight));
      continue;
    }
    const Step step = steps_[candidate.step];
    const LoopBlock &block = loop_.blocks[step.block];
    if (block.isLatch)
      queue.push({step.probability * exits_[step.block].latch, order++, candidate.step, true});
    for (size_t i = 0; i < block.successors.size(); ++i)
      if (reach_[block.successors[i]] > 0 && !isOnPath(candidate.step, block.successors[i]))
        extend(candidate.step, block.successors[i], step.probability * exits_[step.block].successors[i]);
  }
  return found;
}

} // namespace

LoopPaths findLoopPaths(const Loop &loop, const BranchProbability &probability, size_t limit) {
  return Search(loop, probability).run(limit);
}

} // namespace analysis
