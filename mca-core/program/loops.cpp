// Dominators and strongly connected components are LLVM's. Assembly of 264,000 instructions (sqlite3) is analysed while
// it is edited, so that each step has to stay close to linear in the program.
#include "mca-core/program/loops.h"

#include "mca-core/program/flow_graph.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/GenericDomTree.h"
#include "llvm/Support/GenericDomTreeConstruction.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace mca {
namespace {

/// Visits the cycles of several blocks in a graph. The blocks of each ascend.
void forCycles(FlowGraph &graph, llvm::function_ref<void(llvm::ArrayRef<uint32_t> cycle)> visit) {
  for (auto component = llvm::scc_begin(graph.entry()); !component.isAtEnd(); ++component) {
    if (component->size() == 1)
      continue;
    std::vector<uint32_t> cycle;
    for (const FlowNode *node : *component)
      cycle.push_back(node->block);
    llvm::sort(cycle);
    visit(cycle);
  }
}

/// Adds the blocks that may be roots and that no root before them leads to, and notes what they lead to.
void findRoots(std::span<const CodeBlock> blocks, llvm::function_ref<bool(const CodeBlock &)> mayBeRoot,
               std::vector<uint32_t> &roots, std::vector<bool> &isReached) {
  std::vector<uint32_t> work;
  const auto reach = [&](uint32_t block) {
    if (!isReached[block])
      work.push_back(block);
    isReached[block] = true;
  };
  for (uint32_t root = 0; root < blocks.size(); ++root) {
    if (isReached[root] || !mayBeRoot(blocks[root]))
      continue;
    roots.push_back(root);
    for (reach(root); !work.empty();) {
      const uint32_t block = work.back();
      work.pop_back();
      llvm::for_each(blocks[block].successors, reach);
    }
  }
}

/// Control may come from where no way from an entry leads: from a landing pad of an exception, for instance. What such
/// a way joins is dominated as if it were not there, so that a `catch` in a loop leaves it a loop. No cycle has such a
/// way.
FlowGraph graphOf(std::span<const CodeBlock> blocks) {
  std::vector<uint32_t> roots;
  std::vector<bool> isReached(blocks.size());
  findRoots(blocks, [](const CodeBlock &block) { return block.isEntry; }, roots, isReached);
  const std::vector<bool> fromEntries = isReached;
  findRoots(blocks, [](const CodeBlock &block) { return block.predecessors.empty(); }, roots, isReached);
  findRoots(blocks, [](const CodeBlock &) { return true; }, roots, isReached);
  std::vector<uint32_t> all(blocks.size());
  std::iota(all.begin(), all.end(), 0);
  return {blocks, all, roots, [&](uint32_t from, uint32_t to) { return fromEntries[from] || !fromEntries[to]; }};
}

/// Which blocks dominate which.
class Dominators {
public:
  explicit Dominators(FlowGraph &graph) {
    llvm::DominatorTreeBase<FlowNode, /*IsPostDom=*/false> tree;
    tree.recalculate(graph);
    tree.updateDFSNumbers();
    for (const FlowNode &node : llvm::drop_begin(graph.nodes())) {
      const auto *dominated = tree.getNode(&node);
      ranges_.push_back({dominated->getDFSNumIn(), dominated->getDFSNumOut()});
    }
  }

  /// Whether each way to `b` leads through `a`.
  bool dominates(uint32_t a, uint32_t b) const {
    return ranges_[a].first <= ranges_[b].first && ranges_[b].second <= ranges_[a].second;
  }

  /// Sorts blocks such that each comes after those that it dominates.
  void sortInsideOut(std::vector<uint32_t> &some) const {
    llvm::sort(some, [this](uint32_t a, uint32_t b) { return ranges_[a].second < ranges_[b].second; });
  }

private:
  std::vector<std::pair<unsigned, unsigned>> ranges_; ///< by block: its numbers in the tree
};

/// Blocks are named by their indices in layout order.
class LoopFinder {
public:
  explicit LoopFinder(const CodeBlocks &blocks)
      : blocks_(blocks.all()), graph_(graphOf(blocks_)), dominators_(graph_) {}

  /// Visits the headers from the inside out, so that a loop which holds another one is known by the blocks of that one.
  std::vector<Loop> innermostLoops(IsOwnLoop isOwn) {
    loopOf_.assign(blocks_.size(), kNone);
    std::vector<Loop> loops;
    for (const uint32_t header : headers()) {
      llvm::SmallVector<uint32_t> latches;
      llvm::copy_if(blocks_[header].predecessors, std::back_inserter(latches),
                    [&](uint32_t predecessor) { return dominators_.dominates(header, predecessor); });
      const bool isInLoop = loopOf_[header] != kNone;
      const std::vector<uint32_t> body = bodyOf(header, latches);
      std::optional<Loop> loop = isInLoop ? std::nullopt : ownLoop(header, latches, body, isOwn);
      // The header of a loop that holds another one belongs to it: what holds this one is not innermost either.
      loopOf_[header] = header;
      if (!loop && !isInLoop && !body.empty()) {
        for (const uint32_t block : body)
          loopOf_[block] = header;
        std::vector<Loop> inside = cyclesInside(header, body, isOwn);
        if (inside.empty())
          loop = makeLoop(header, body);
        std::ranges::move(inside, std::back_inserter(loops));
      }
      if (loop)
        loops.push_back(std::move(*loop));
    }
    addIrreducible(loops);
    llvm::sort(loops, [](const Loop &a, const Loop &b) { return a.header() < b.header(); });
    return loops;
  }

private:
  /// Edges that are followed to find the headers of cycles with several entries, in a program.
  static constexpr size_t kMaxHeaderSearch = 1u << 21;
  using Latches = llvm::ArrayRef<uint32_t>;

  /// The headers of natural loops, those inside of others first.
  std::vector<uint32_t> headers() const {
    std::vector<uint32_t> found;
    for (uint32_t block = 0; block < blocks_.size(); ++block)
      if (llvm::any_of(blocks_[block].predecessors,
                       [&](uint32_t predecessor) { return dominators_.dominates(block, predecessor); }))
        found.push_back(block);
    dominators_.sortInsideOut(found);
    return found;
  }

  /// The blocks of the loop, ascending; none if it holds a block of a loop that is known already. A sample may hold
  /// such blocks. It ends at a size that shows what is in the loop besides one of its parts.
  std::vector<uint32_t> bodyOf(uint32_t header, Latches latches, bool isSample = false) const {
    constexpr size_t kSample = 1000;
    std::vector<uint32_t> body{header}, work(latches);
    llvm::DenseSet<uint32_t> seen;
    seen.insert(header);
    while (!work.empty() && !(isSample && body.size() >= kSample)) {
      const uint32_t block = work.back();
      work.pop_back();
      if (!seen.insert(block).second || !dominators_.dominates(header, block))
        continue;
      if (loopOf_[block] != kNone && !isSample)
        return {};
      body.push_back(block);
      llvm::append_range(work, blocks_[block].predecessors);
    }
    llvm::sort(body);
    return body;
  }

  /// `body`: the loop's blocks, ascending.
  Loop makeLoop(uint32_t header, llvm::ArrayRef<uint32_t> body) const {
    Loop loop;
    const auto indexOf = [&](uint32_t block) {
      return static_cast<uint32_t>(llvm::lower_bound(body, block) - body.begin());
    };
    loop.headerBlock = indexOf(header);
    for (const uint32_t block : body) {
      LoopBlock made{.begin = static_cast<uint32_t>(loop.instructions.size()), .successors = {}};
      llvm::append_range(loop.instructions, blocks_[block].instructions);
      made.end = static_cast<uint32_t>(loop.instructions.size());
      for (const uint32_t successor : blocks_[block].successors) {
        const uint32_t index = indexOf(successor);
        if (successor == header)
          made.isLatch = true;
        else if (index < body.size() && body[index] == successor && !llvm::is_contained(made.successors, index))
          made.successors.push_back(index);
      }
      loop.blocks.push_back(std::move(made));
    }
    return loop;
  }

  /// The loop of those branches back to the header that make loops of their own, if there are such. `whole`: the blocks
  /// of all together; empty if they hold other loops.
  /// An inner loop that begins the body of another one may share its header. A `continue` is a second branch back, too:
  /// `isOwn` distinguishes the two.
  std::optional<Loop> ownLoop(uint32_t header, Latches latches, const std::vector<uint32_t> &whole,
                              IsOwnLoop isOwn) const {
    constexpr size_t kMaxLatches = 16; // the cases of a switch in a loop are more
    if (latches.size() == 1 || latches.size() > kMaxLatches)
      return std::nullopt;
    std::vector<uint32_t> instructions, own;
    for (const uint32_t latch : latches) {
      const std::vector<uint32_t> body = bodyOf(header, latch);
      if (body.empty() || body.size() == whole.size())
        continue;
      if (instructions.empty())
        instructions =
            makeLoop(header, whole.empty() ? bodyOf(header, latches, /*isSample=*/true) : whole).instructions;
      if (isOwn({makeLoop(header, body), instructions, whole.empty(), /*isInside=*/false}))
        own.push_back(latch);
    }
    return own.empty() ? std::nullopt : std::optional(makeLoop(header, bodyOf(header, own)));
  }

  /// Whether all ways around in a cycle with several entries, ascending blocks, go through one of them: no cycle is
  /// left without it.
  bool isOnEveryCycle(uint32_t block, llvm::ArrayRef<uint32_t> cycle) const {
    std::vector<uint32_t> open(cycle.size()); // predecessors that are not done
    const auto forSuccessors = [&](uint32_t from, llvm::function_ref<void(uint32_t)> visit) {
      for (const uint32_t to : blocks_[from].successors)
        if (const auto *found = llvm::lower_bound(cycle, to); found != cycle.end() && *found == to && to != block)
          visit(static_cast<uint32_t>(found - cycle.begin()));
    };
    for (const uint32_t from : cycle)
      if (from != block)
        forSuccessors(from, [&](uint32_t to) { ++open[to]; });
    std::vector<uint32_t> done;
    for (uint32_t i = 0; i < cycle.size(); ++i)
      if (!open[i] && cycle[i] != block)
        done.push_back(i);
    for (size_t next = 0; next < done.size(); ++next)
      forSuccessors(cycle[done[next]], [&](uint32_t to) {
        if (--open[to] == 0)
          done.push_back(to);
      });
    return done.size() + 1 == cycle.size();
  }

  struct CycleHeader {
    uint32_t block = kNone;
    bool isOnAll = false; ///< whether each way around goes through it
  };

  /// The block used as the header of a cycle with several entries: one that each way around goes through, so
  /// that it does not matter where the cycle is entered; if there is none, the first entry in the layout. Entries are
  /// preferred.
  CycleHeader headerOf(llvm::ArrayRef<uint32_t> cycle) {
    std::vector<uint32_t> candidates(cycle);
    std::stable_partition(candidates.begin(), candidates.end(), [&](uint32_t block) {
      return llvm::any_of(blocks_[block].predecessors,
                          [&](uint32_t from) { return !llvm::binary_search(cycle, from); });
    });
    size_t edges = 0;
    for (const uint32_t block : cycle)
      edges += blocks_[block].successors.size();
    for (const uint32_t block : candidates) {
      if (edges > headerSearch_)
        break;
      headerSearch_ -= edges;
      if (isOnEveryCycle(block, cycle))
        return {block, true};
    }
    return {candidates.front(), false};
  }

  /// Cycles with several entries that hold no loop. (Tail duplication makes such cycles of loops, and people enter
  /// unrolled ones in the middle.)
  void addIrreducible(std::vector<Loop> &loops) {
    forCycles(graph_, [&](llvm::ArrayRef<uint32_t> cycle) {
      if (llvm::none_of(cycle, [&](uint32_t block) { return loopOf_[block] != kNone; }))
        loops.push_back(makeLoop(headerOf(cycle).block, cycle));
    });
  }

  /// The cycles with several entries inside of a loop that are loops of their own. Those without a block that each way
  /// around goes through are not: paths of the loop around them say as much.
  std::vector<Loop> cyclesInside(uint32_t header, llvm::ArrayRef<uint32_t> body, IsOwnLoop isOwn) {
    std::vector<Loop> own;
    if (isOnEveryCycle(header, body))
      return own;
    std::vector<uint32_t> rest(body);
    llvm::erase(rest, header);
    const std::vector<uint32_t> instructions = makeLoop(header, body).instructions;
    FlowGraph inside(blocks_, rest, rest, [](uint32_t, uint32_t) { return true; });
    forCycles(inside, [&](llvm::ArrayRef<uint32_t> cycle) {
      const auto [block, isOnAll] = headerOf(cycle);
      Loop loop = makeLoop(block, cycle);
      if (isOnAll && isOwn({.part = loop, .instructions = instructions, .holdsLoops = false, .isInside = true}))
        own.push_back(std::move(loop));
    });
    return own;
  }

  const std::span<const CodeBlock> blocks_;
  FlowGraph graph_;
  const Dominators dominators_;
  std::vector<uint32_t> loopOf_; ///< by block: the header of a loop that was found around it
  size_t headerSearch_ = kMaxHeaderSearch;
};

} // namespace

bool isOwnBlock(const SharedHeader &shared) {
  return shared.isInside || (shared.holdsLoops && shared.part.blocks.size() == 1);
}

std::vector<bool> findRepeatedBlocks(const CodeBlocks &blocks) {
  std::vector<bool> isRepeated(blocks.size());
  for (uint32_t block = 0; block < blocks.size(); ++block)
    isRepeated[block] = llvm::is_contained(blocks.at(block).successors, block);
  FlowGraph graph = graphOf(blocks.all());
  forCycles(graph, [&](llvm::ArrayRef<uint32_t> cycle) {
    for (const uint32_t block : cycle)
      isRepeated[block] = true;
  });
  return isRepeated;
}

std::vector<Loop> findInnermostLoops(const ControlFlow &flow, IsOwnLoop isOwn) {
  return LoopFinder(flow.blocks).innermostLoops(isOwn);
}

} // namespace mca
