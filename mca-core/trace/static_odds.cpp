#include "mca-core/trace/static_odds.h"

#include "mca-core/trace/ways_out.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>

namespace mca {
namespace {

constexpr double kTakenBack = 0.9;
constexpr double kTakenOut = 0.1;
/// Blocks visited to find the loops of a program. Loops that share most of their blocks could take quadratic time.
constexpr uint64_t kMaxVisits = 10'000'000;

class Estimator {
public:
  explicit Estimator(const CodeBlocks &blocks)
      : branches_(blocks.branches()), blocks_(blocks), loopsOf_(blocks_.size()), isFatal_(blocks_.size()) {
    findFatalBlocks();
    findBackEdges();
    findLoops();
  }

  std::vector<BranchOdds> run() const;

private:
  void findFatalBlocks();
  void findBackEdges();
  void findLoops();
  bool isFatal(uint32_t block) const { return block != WayOut::kExit && isFatal_[block]; }
  bool isBackEdge(uint32_t from, uint32_t to) const { return backEdges_.contains({from, to}); }
  bool leavesLoopOf(uint32_t from, uint32_t to, uint32_t otherwise) const;
  BranchOdds estimate(uint32_t block) const;

  const ProgramBranches &branches_;
  const CodeBlocks &blocks_;
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> backEdges_; ///< from a block to a header
  std::vector<std::vector<uint32_t>> loopsOf_;              ///< the headers of the loops around each block, ascending
  std::vector<bool> isFatal_;                               ///< by block: execution ends there
};

void Estimator::findFatalBlocks() {
  for (uint32_t i = 0; i < branches_.size(); ++i) {
    const Branch &branch = branches_.at(i);
    const bool isLastCall =
        branch.kind == BranchKind::Call &&
        (branch.fallThrough == kNone || branches_.functionOf(branch.fallThrough) != branches_.functionOf(i));
    if (branch.kind == BranchKind::Trap || isLastCall || branch.neverReturns)
      isFatal_[blocks_.blockOf(i)] = true;
  }
}

/// Edges to a block that the depth-first search has not left yet.
void Estimator::findBackEdges() {
  enum class State : uint8_t { New, Open, Left };
  std::vector<State> states(blocks_.size(), State::New);
  std::vector<std::pair<uint32_t, uint32_t>> open; // a block and its next successor
  const auto enter = [&](uint32_t block) {
    states[block] = State::Open;
    open.emplace_back(block, 0);
  };
  const auto searchFrom = [&](uint32_t root) {
    if (states[root] == State::New)
      enter(root);
    while (!open.empty()) {
      const uint32_t block = open.back().first;
      const auto &successors = blocks_.at(block).successors;
      if (open.back().second == successors.size()) {
        states[block] = State::Left;
        open.pop_back();
        continue;
      }
      const uint32_t to = successors[open.back().second++];
      if (states[to] == State::New)
        enter(to);
      else if (states[to] == State::Open)
        backEdges_.insert({block, to});
    }
  };
  for (const TextFunction &function : branches_.functions())
    searchFrom(blocks_.blockOf(function.entry));
  for (uint32_t block = 0; block < blocks_.size(); ++block)
    searchFrom(block);
}

/// The natural loop of a header: what reaches its latches without passing it.
void Estimator::findLoops() {
  std::vector<std::vector<uint32_t>> latches(blocks_.size()), predecessors(blocks_.size());
  for (uint32_t block = 0; block < blocks_.size(); ++block)
    for (const uint32_t to : blocks_.at(block).successors)
      (isBackEdge(block, to) ? latches : predecessors)[to].push_back(block);
  uint64_t visits = 0;
  std::vector<uint32_t> pending;
  for (uint32_t header = 0; header < blocks_.size() && visits < kMaxVisits; ++header) {
    if (latches[header].empty())
      continue;
    loopsOf_[header].push_back(header);
    pending = latches[header];
    while (!pending.empty()) {
      const uint32_t block = pending.back();
      pending.pop_back();
      ++visits;
      if (!loopsOf_[block].empty() && loopsOf_[block].back() == header)
        continue;
      loopsOf_[block].push_back(header);
      for (const auto *before : {&predecessors[block], &latches[block]}) {
        visits += before->size();
        pending.insert(pending.end(), before->begin(), before->end());
      }
    }
  }
}

/// Whether a loop holds `from` and `otherwise` but not `to`.
bool Estimator::leavesLoopOf(uint32_t from, uint32_t to, uint32_t otherwise) const {
  const auto isIn = [&](uint32_t block, uint32_t loop) {
    return block != WayOut::kExit && std::binary_search(loopsOf_[block].begin(), loopsOf_[block].end(), loop);
  };
  return llvm::any_of(loopsOf_[from], [&](uint32_t loop) { return isIn(otherwise, loop) && !isIn(to, loop); });
}

BranchOdds Estimator::estimate(uint32_t block) const {
  const auto ways = waysOutOf(blocks_, block);
  const uint32_t branch = blocks_.at(block).last, other = ways.front().block, taken = ways.back().block;
  const auto certain = [&](double probability) {
    return BranchOdds{.branch = branch, .taken = probability, .isUncertain = false, .targets = {}};
  };
  if (isFatal(taken) != isFatal(other))
    return certain(isFatal(taken) ? 0 : 1);
  if (isBackEdge(block, taken) != isBackEdge(block, other))
    return certain(isBackEdge(block, taken) ? kTakenBack : 1 - kTakenBack);
  if (leavesLoopOf(block, taken, other) != leavesLoopOf(block, other, taken))
    return certain(leavesLoopOf(block, taken, other) ? kTakenOut : 1 - kTakenOut);
  return {.branch = branch, .taken = 0.5, .isUncertain = true, .targets = {}};
}

std::vector<BranchOdds> Estimator::run() const {
  std::vector<BranchOdds> odds;
  for (uint32_t i = 0; i < branches_.size(); ++i) {
    const Branch &branch = branches_.at(i);
    const uint32_t block = blocks_.blockOf(i);
    if (branches_.hasTable(i)) {
      BranchOdds &jump = odds.emplace_back(BranchOdds{.branch = i, .taken = 1, .targets = {}});
      const auto targets = branches_.tableTargets(i);
      for (const uint32_t target : targets)
        jump.targets.push_back({target, 1 / double(targets.size())});
    } else if (branch.kind == BranchKind::ConditionalJump ||
               (branch.isPredicated && blocks_.at(block).last == i && waysOutOf(blocks_, block).size() == 2)) {
      odds.push_back(estimate(block));
    }
  }
  return odds;
}

} // namespace

std::vector<BranchOdds> staticOdds(const CodeBlocks &blocks) {
  return Estimator(blocks).run();
}

} // namespace mca
