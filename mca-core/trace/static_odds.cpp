#include "mca-core/trace/static_odds.h"

#include "mca-core/trace/code_blocks.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <utility>

namespace mca {
namespace {

constexpr double kTakenBack = 0.9;
constexpr double kTakenOut = 0.1;
/// Blocks visited to find the loops of a program. Loops that share most of their blocks could take quadratic time.
constexpr uint64_t kMaxVisits = 10'000'000;

bool isNoReturn(llvm::StringRef function) {
  static constexpr llvm::StringRef kNames[] = {
      "abort",       "exit",          "_exit",   "_Exit",          "__assert_fail",  "__stack_chk_fail",
      "__cxa_throw", "__cxa_rethrow", "longjmp", "_Unwind_Resume", "__cxa_bad_cast", "_ZSt9terminatev"};
  return llvm::is_contained(kNames, function) || (function.starts_with("_ZSt") && function.contains("__throw_"));
}

class Estimator {
public:
  explicit Estimator(const ProgramBranches &branches)
      : branches_(branches), all_(branches), loopsOf_(all_.blocks.size()), isFatal_(all_.blocks.size()) {
    findFatalBlocks();
    findBackEdges();
    findLoops();
  }

  std::vector<BranchOdds> run() const;

private:
  using Successor = CodeBlock::Successor;

  void findFatalBlocks();
  void findBackEdges();
  void findLoops();
  bool isFatal(uint32_t block) const { return block != CodeBlock::kExit && isFatal_[block]; }
  bool isBackEdge(uint32_t from, uint32_t to) const { return backEdges_.contains({from, to}); }
  bool leavesLoopOf(uint32_t from, uint32_t to, uint32_t otherwise) const;
  BranchOdds estimate(uint32_t block) const;

  const ProgramBranches &branches_;
  const CodeBlocks all_;
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
    if (branch.kind == BranchKind::Trap || isLastCall || (branch.kind == BranchKind::Call && isNoReturn(branch.symbol)))
      isFatal_[all_.blockOf[i]] = true;
  }
}

/// Edges to a block that the depth-first search has not left yet.
void Estimator::findBackEdges() {
  enum class State : uint8_t { New, Open, Left };
  std::vector<State> states(all_.blocks.size(), State::New);
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
      if (open.back().second == all_.blocks[block].successors.size()) {
        states[block] = State::Left;
        open.pop_back();
        continue;
      }
      const uint32_t to = all_.blocks[block].successors[open.back().second++].block;
      if (to != CodeBlock::kExit && states[to] == State::New)
        enter(to);
      else if (to != CodeBlock::kExit && states[to] == State::Open)
        backEdges_.insert({block, to});
    }
  };
  for (const TextFunction &function : branches_.functions())
    searchFrom(all_.blockOf[function.entry]);
  for (uint32_t block = 0; block < all_.blocks.size(); ++block)
    searchFrom(block);
}

/// The natural loop of a header: what reaches its latches without passing it.
void Estimator::findLoops() {
  std::vector<std::vector<uint32_t>> latches(all_.blocks.size()), predecessors(all_.blocks.size());
  for (uint32_t block = 0; block < all_.blocks.size(); ++block)
    for (const Successor &one : all_.blocks[block].successors)
      if (one.block != CodeBlock::kExit)
        (isBackEdge(block, one.block) ? latches : predecessors)[one.block].push_back(block);
  uint64_t visits = 0;
  std::vector<uint32_t> pending;
  for (uint32_t header = 0; header < all_.blocks.size() && visits < kMaxVisits; ++header) {
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
    return block != CodeBlock::kExit && std::binary_search(loopsOf_[block].begin(), loopsOf_[block].end(), loop);
  };
  return llvm::any_of(loopsOf_[from], [&](uint32_t loop) { return isIn(otherwise, loop) && !isIn(to, loop); });
}

BranchOdds Estimator::estimate(uint32_t block) const {
  const CodeBlock &from = all_.blocks[block];
  const uint32_t other = from.successors.front().block, taken = from.successors.back().block;
  const auto certain = [&](double probability) {
    return BranchOdds{.branch = from.last, .taken = probability, .isUncertain = false, .targets = {}};
  };
  if (isFatal(taken) != isFatal(other))
    return certain(isFatal(taken) ? 0 : 1);
  if (isBackEdge(block, taken) != isBackEdge(block, other))
    return certain(isBackEdge(block, taken) ? kTakenBack : 1 - kTakenBack);
  if (leavesLoopOf(block, taken, other) != leavesLoopOf(block, other, taken))
    return certain(leavesLoopOf(block, taken, other) ? kTakenOut : 1 - kTakenOut);
  return {.branch = from.last, .taken = 0.5, .isUncertain = true, .targets = {}};
}

std::vector<BranchOdds> Estimator::run() const {
  std::vector<BranchOdds> odds;
  for (uint32_t i = 0; i < branches_.size(); ++i) {
    const Branch &branch = branches_.at(i);
    const uint32_t block = all_.blockOf[i];
    if (branches_.hasTable(i)) {
      BranchOdds &jump = odds.emplace_back(BranchOdds{.branch = i, .taken = 1, .targets = {}});
      const auto targets = branches_.tableTargets(i);
      for (const uint32_t target : targets)
        jump.targets.push_back({target, 1 / double(targets.size())});
    } else if (branch.kind == BranchKind::ConditionalJump ||
               (branch.isPredicated && all_.blocks[block].last == i && all_.blocks[block].successors.size() == 2)) {
      odds.push_back(estimate(block));
    }
  }
  return odds;
}

} // namespace

std::vector<BranchOdds> staticOdds(const ProgramBranches &branches) {
  return Estimator(branches).run();
}

} // namespace mca
