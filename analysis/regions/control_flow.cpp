// Blocks, then dominators, then loops. Assembly of 264,000 instructions (sqlite3) is analysed while it is edited, so
// that each step has to stay close to linear in the program.
#include "analysis/regions/control_flow.h"

#include "analysis/regions/jump_tables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>

namespace analysis {
namespace {

/// Blocks are named by their indices in layout order, and positions are indices in the layout.
class ControlFlow {
public:
  ControlFlow(const mca::Target &target, const mca::Program &program, uint32_t first = 0)
      : target_(target), program_(program), first_(first) {
    layOut();
    makeBlocks();
    connect();
  }

  ProgramBlocks takeBlocks() { return {std::move(layout_), std::move(blocks_)}; }

  /// Visits the headers from the inside out, so that a loop which holds another one is known by the blocks of that one.
  std::vector<Loop> innermostLoops(IsOwnLoop isOwn) {
    order();
    dominate();
    numberDominated();
    // In post-order a loop's header comes after the headers of the loops inside it.
    loopOf_.assign(blocks_.size(), kNone);
    std::vector<Loop> loops;
    for (const uint32_t header : postOrder_) {
      llvm::SmallVector<uint32_t> latches;
      llvm::copy_if(blocks_[header].predecessors, std::back_inserter(latches),
                    [&](uint32_t predecessor) { return dominates(header, predecessor); });
      if (latches.empty())
        continue;
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
  static constexpr uint32_t kNone = ~0u;
  /// Edges that are followed to find the headers of cycles with several entries, in a program.
  static constexpr size_t kMaxHeaderSearch = 1u << 21;
  using Latches = llvm::ArrayRef<uint32_t>;

  /// What the labels at a position say.
  struct Labels {
    bool any = false;
    bool isFunction = false;
    bool isCallee = false; ///< names a function: a jump here from another one is a call
    bool isCold = false;   ///< the cold part of a function, which the rest of it jumps to: no entry
  };

  /// Compilers leave a section in the middle of a function, for a jump table or for cold code, and come back to it.
  void layOut() {
    const auto instructions = program_.instructions();
    llvm::MapVector<const llvm::MCSection *, std::vector<uint32_t>> sections;
    std::vector<uint32_t> *present = nullptr;
    for (uint32_t i = first_; i < instructions.size(); ++i) {
      if (i == first_ || instructions[i].section != instructions[i - 1].section)
        present = &sections[instructions[i].section];
      present->push_back(i);
    }
    for (const auto &[section, indices] : sections)
      llvm::append_range(layout_, indices);
    position_.resize(layout_.size());
    for (uint32_t at = 0; at < layout_.size(); ++at)
      position_[layout_[at] - first_] = at;
  }

  /// Mach-O declares no functions. Compilers write an underscore before the names of the source.
  bool isNameOfMachO(const mca::Label &label) const {
    return target_.triple().isOSBinFormatMachO() && !label.symbol->isTemporary() && label.name.starts_with("_");
  }

  /// By position. A label stands at the next instruction of its own section, which a text may leave and come back to:
  /// from the last label to the first, the next instruction of each section is known.
  std::vector<Labels> readLabels() {
    const auto instructions = program_.instructions();
    std::vector<Labels> found(layout_.size());
    llvm::DenseMap<const llvm::MCSection *, uint32_t> nextIn;
    size_t next = instructions.size();
    for (const mca::Label &label : llvm::reverse(program_.labels())) {
      if (label.instruction < first_)
        break;
      for (; next > label.instruction; --next)
        if (next - 1 == label.instruction || instructions[next - 2].section != instructions[next - 1].section)
          nextIn[instructions[next - 1].section] = static_cast<uint32_t>(next - 1);
      const auto instruction = nextIn.find(label.section);
      if (instruction == nextIn.end())
        continue;
      const uint32_t position = position_[instruction->second - first_];
      const bool isCold = label.name.ends_with(".cold");
      Labels &here = found[position];
      here.any = true;
      here.isFunction |= program_.isFunction(*label.symbol) && !isCold;
      here.isCallee |= here.isFunction || isNameOfMachO(label);
      here.isCold |= isCold;
      labels_.try_emplace(label.symbol, position);
    }
    return found;
  }

  /// A block begins at a label, at the begin of a section and after an instruction that ends one.
  void makeBlocks() {
    const auto instructions = program_.instructions();
    const std::vector<Labels> labels = readLabels();
    blockAt_.resize(layout_.size());
    bool starts = true;
    uint32_t begin = 0;
    for (uint32_t at = 0; at < layout_.size(); ++at) {
      const mca::Instruction &instruction = instructions[layout_[at]];
      const bool newSection = at == 0 || instructions[layout_[at - 1]].section != instruction.section;
      if (starts || newSection || labels[at].any) {
        begin = at;
        blockAt_[at] = static_cast<uint32_t>(blocks_.size());
        blocks_.push_back({.instructions = {}, .isEntry = labels[at].isFunction || (newSection && !labels[at].isCold)});
        flows_.emplace_back();
        isCallee_.push_back(labels[at].isCallee);
      }
      const Flow flow = flowOf(target_, program_, layout_[at]);
      starts = flow.endsBlock;
      if (flow.endsBlock) {
        flows_.back() = flow;
        // A delay slot executes with its branch.
        const bool delaySlot = target_.instructions().get(instruction.inst.getOpcode()).hasDelaySlot();
        at += delaySlot && at + 1 < layout_.size() && !labels[at + 1].any;
      }
      blocks_.back().instructions = llvm::ArrayRef(layout_).slice(begin, at + 1 - begin);
    }
  }

  /// A block never falls through to the next function, although assembly could: the last instruction of a function may
  /// be a call that does not return. A jump to another function is a call, too, after which nothing comes back.
  void connect() {
    uint32_t function = kNone;
    for (uint32_t b = 0; b < blocks_.size(); ++b) {
      function = isCallee_[b] ? b : blocks_[b].isEntry ? kNone : function;
      if (flows_[b].fallsThrough && b + 1 < blocks_.size() && !blocks_[b + 1].isEntry)
        addEdge(b, b + 1);
      const uint32_t target = flows_[b].target ? blockAt(flows_[b].target) : kNone;
      if (target != kNone && (!isCallee_[target] || target == function))
        addEdge(b, target);
    }
    if (first_ == 0) // the tables of a part come after it
      connectComputed();
  }

  void connectComputed() {
    std::vector<JumpBlock> blocks;
    for (const auto &[block, flow] : llvm::zip(blocks_, flows_))
      blocks.push_back({block.instructions, flow, block.isEntry});
    const JumpTables tables(target_, program_, blocks, [this](const llvm::MCSymbol *symbol) {
      const uint32_t block = blockAt(symbol);
      return block != kNone && isCallee_[block] ? kNone : block;
    });
    for (uint32_t b = 0; b < blocks_.size(); ++b)
      if (flows_[b].isIndirect)
        for (const uint32_t target : tables.targetsOf(b))
          if (!llvm::is_contained(blocks_[b].successors, target))
            addEdge(b, target);
  }

  /// Depth-first post-order from each entry, then from each block without predecessors, then from what is left.
  void order() {
    postIndex_.assign(blocks_.size(), kNone);
    rootOf_.assign(blocks_.size(), kNone);
    const auto visitAll = [this](auto isRoot) {
      for (uint32_t b = 0; b < blocks_.size(); ++b)
        if (rootOf_[b] == kNone && isRoot(blocks_[b]))
          visit(b);
    };
    visitAll([](const BasicBlock &block) { return block.isEntry; });
    visitAll([](const BasicBlock &block) { return block.predecessors.empty(); });
    visitAll([](const BasicBlock &) { return true; });
  }

  /// Without recursion: a text of a million blocks in a row would exhaust the stack.
  void visit(uint32_t root) {
    std::vector<std::pair<uint32_t, uint32_t>> stack{{root, 0}}; // block, next successor
    rootOf_[root] = root;
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next == blocks_[block].successors.size()) {
        postIndex_[block] = static_cast<uint32_t>(postOrder_.size());
        postOrder_.push_back(block);
        stack.pop_back();
        continue;
      }
      const uint32_t successor = blocks_[block].successors[next++];
      if (rootOf_[successor] == kNone) {
        rootOf_[successor] = root;
        stack.emplace_back(successor, 0);
      }
    }
  }

  /// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001). Roots are children of a virtual node,
  /// which is kNone.
  void dominate() {
    std::vector<char> known(blocks_.size(), 0);
    dominator_.assign(blocks_.size(), kNone);
    for (bool changed = true; changed;) {
      changed = false;
      for (const uint32_t block : llvm::reverse(postOrder_)) {
        std::optional<uint32_t> common;
        for (const uint32_t predecessor : blocks_[block].predecessors)
          if (rootOf_[block] != block && known[predecessor] && !isStray(predecessor, block))
            common = common ? commonDominator(predecessor, *common) : predecessor;
        const uint32_t dominator = common.value_or(kNone);
        changed |= !known[block] || dominator_[block] != dominator;
        known[block] = 1;
        dominator_[block] = dominator;
      }
    }
  }

  /// The closest block that dominates both, found by going up from the deeper one: a dominator comes later in
  /// post-order.
  uint32_t commonDominator(uint32_t a, uint32_t b) const {
    while (a != b) {
      if (a == kNone || b == kNone)
        return kNone;
      uint32_t &lower = postIndex_[a] < postIndex_[b] ? a : b;
      lower = dominator_[lower];
    }
    return a;
  }

  /// Numbers the tree of dominators such that a block comes right before all that it dominates: dominates() then
  /// compares two numbers, also in a loop around a switch of thousands of cases.
  void numberDominated() {
    dominated_.assign(blocks_.size(), 1);
    for (const uint32_t block : postOrder_) // a dominator comes after what it dominates
      if (dominator_[block] != kNone)
        dominated_[dominator_[block]] += dominated_[block];
    number_.assign(blocks_.size(), 0);
    std::vector<uint32_t> next(blocks_.size());
    uint32_t nextRoot = 0;
    for (const uint32_t block : llvm::reverse(postOrder_)) {
      uint32_t &free = dominator_[block] == kNone ? nextRoot : next[dominator_[block]];
      number_[block] = free;
      free += dominated_[block];
      next[block] = number_[block] + 1;
    }
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
      if (!seen.insert(block).second || !dominates(header, block))
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
  CycleHeader headerOf(llvm::ArrayRef<uint32_t> cycle, const std::vector<uint32_t> &componentOf) {
    std::vector<uint32_t> candidates(cycle);
    std::stable_partition(candidates.begin(), candidates.end(), [&](uint32_t block) {
      return llvm::any_of(blocks_[block].predecessors,
                          [&](uint32_t from) { return componentOf[from] != componentOf[block]; });
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

  using CycleVisitor = llvm::function_ref<void(llvm::ArrayRef<uint32_t> cycle)>;

  /// Strongly connected components of several blocks, ascending, in a part of the program: Kosaraju's algorithm, which
  /// goes against the edges. `order`: the part's blocks, the last in post-order first. `componentOf`: by block, kNone
  /// for these; of each a block of its component afterwards.
  void forCycles(llvm::ArrayRef<uint32_t> order, llvm::function_ref<bool(uint32_t)> isInPart,
                 std::vector<uint32_t> &componentOf, CycleVisitor visit) const {
    for (const uint32_t root : order) {
      if (componentOf[root] != kNone)
        continue;
      std::vector<uint32_t> component{root};
      componentOf[root] = root;
      for (size_t next = 0; next < component.size(); ++next)
        for (const uint32_t predecessor : blocks_[component[next]].predecessors)
          if (componentOf[predecessor] == kNone && isInPart(predecessor)) {
            componentOf[predecessor] = root;
            component.push_back(predecessor);
          }
      llvm::sort(component);
      if (component.size() > 1)
        visit(component);
    }
  }

  /// Cycles with several entries that hold no loop. (Tail duplication makes such cycles of loops, and people enter
  /// unrolled ones in the middle.)
  void addIrreducible(std::vector<Loop> &loops) {
    std::vector<uint32_t> componentOf(blocks_.size(), kNone);
    const std::vector<uint32_t> order(postOrder_.rbegin(), postOrder_.rend());
    forCycles(
        order, [](uint32_t) { return true; }, componentOf,
        [&](llvm::ArrayRef<uint32_t> cycle) {
          if (llvm::none_of(cycle, [&](uint32_t block) { return loopOf_[block] != kNone; }))
            loops.push_back(makeLoop(headerOf(cycle, componentOf).block, cycle));
        });
  }

  /// The cycles with several entries inside of a loop that are loops of their own. Those without a block that each way
  /// around goes through are not: paths of the loop around them say as much.
  std::vector<Loop> cyclesInside(uint32_t header, llvm::ArrayRef<uint32_t> body, IsOwnLoop isOwn) {
    std::vector<Loop> own;
    if (isOnEveryCycle(header, body))
      return own;
    std::vector<uint32_t> order(body);
    llvm::sort(order, [&](uint32_t a, uint32_t b) { return postIndex_[a] > postIndex_[b]; });
    cycleOf_.resize(blocks_.size(), kNone);
    cycleOf_[header] = header;
    const std::vector<uint32_t> instructions = makeLoop(header, body).instructions;
    const auto isInBody = [&](uint32_t block) { return llvm::binary_search(body, block); };
    forCycles(order, isInBody, cycleOf_, [&](llvm::ArrayRef<uint32_t> cycle) {
      const auto [block, isOnAll] = headerOf(cycle, cycleOf_);
      Loop loop = makeLoop(block, cycle);
      if (isOnAll && isOwn({.part = loop, .instructions = instructions, .holdsLoops = false, .isInside = true}))
        own.push_back(std::move(loop));
    });
    return own;
  }

  /// The block at a label, kNone if there is no such label in the code.
  uint32_t blockAt(const llvm::MCSymbol *symbol) const {
    const auto position = labels_.find(symbol);
    return position == labels_.end() ? kNone : blockAt_[position->second];
  }
  void addEdge(uint32_t from, uint32_t to) {
    blocks_[from].successors.push_back(to);
    blocks_[to].predecessors.push_back(from);
  }
  /// Whether control comes from where no way from an entry leads: from a landing pad of an exception, for instance.
  /// What such a way joins is dominated as if it were not there, so that a `catch` in a loop leaves it a loop.
  bool isStray(uint32_t from, uint32_t to) const {
    return blocks_[rootOf_[to]].isEntry && !blocks_[rootOf_[from]].isEntry;
  }
  bool dominates(uint32_t a, uint32_t b) const {
    return number_[a] <= number_[b] && number_[b] - number_[a] < dominated_[a];
  }

  const mca::Target &target_;
  const mca::Program &program_;
  const uint32_t first_;           // instruction that is looked at
  std::vector<uint32_t> layout_;   // program indices, section by section
  std::vector<uint32_t> position_; // inverse of layout_, from first_ on
  std::vector<BasicBlock> blocks_;
  std::vector<Flow> flows_;                                 // of each block's end
  std::vector<bool> isCallee_;                              // by block: whether a jump from elsewhere calls it
  llvm::DenseMap<const llvm::MCSymbol *, uint32_t> labels_; // positions
  std::vector<uint32_t> blockAt_;                           // by position, of those where a block begins
  std::vector<uint32_t> postOrder_;
  std::vector<uint32_t> postIndex_; // by block
  std::vector<uint32_t> rootOf_;    // by block: the root of the depth-first tree that holds it
  std::vector<uint32_t> dominator_; // immediate one, by block; kNone for a root
  std::vector<uint32_t> dominated_; // how many it dominates, itself included
  std::vector<uint32_t> number_;    // in the tree of dominators, parents first
  std::vector<uint32_t> loopOf_;    // by block: the header of a loop that was found around it
  std::vector<uint32_t> cycleOf_;   // by block: one of the blocks of its cycle inside of a loop
  size_t headerSearch_ = kMaxHeaderSearch;
};

} // namespace

ProgramBlocks findBlocks(const mca::Target &target, const mca::Program &program) {
  if (program.instructions().empty())
    return {{}, {}};
  return ControlFlow(target, program).takeBlocks();
}

bool isOwnBlock(const SharedHeader &shared) {
  return shared.isInside || (shared.holdsLoops && shared.part.blocks.size() == 1);
}

std::vector<Loop> findInnermostLoops(const mca::Target &target, const mca::Program &program, uint32_t first,
                                     IsOwnLoop isOwn) {
  if (first >= program.instructions().size())
    return {};
  return ControlFlow(target, program, first).innermostLoops(isOwn);
}

} // namespace analysis
