#include "analysis/regions/control_flow.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>
#include <optional>

namespace analysis {
namespace {

/// Where an instruction lets control go.
struct Flow {
  bool isCall = false;
  bool endsBlock = false;
  bool fallsThrough = true;
  bool isIndirect = false; ///< a jump to an address that was computed
  const llvm::MCSymbol *target = nullptr;
};

const llvm::MCSymbol *symbolIn(const llvm::MCExpr *expr) {
  switch (expr->getKind()) {
  case llvm::MCExpr::SymbolRef:
    return &llvm::cast<llvm::MCSymbolRefExpr>(expr)->getSymbol();
  case llvm::MCExpr::Unary:
    return symbolIn(llvm::cast<llvm::MCUnaryExpr>(expr)->getSubExpr());
  case llvm::MCExpr::Binary: {
    const auto *binary = llvm::cast<llvm::MCBinaryExpr>(expr);
    const llvm::MCSymbol *left = symbolIn(binary->getLHS());
    return left ? left : symbolIn(binary->getRHS());
  }
  case llvm::MCExpr::Specifier:
    return symbolIn(llvm::cast<llvm::MCSpecifierExpr>(expr)->getSubExpr());
  default:
    return nullptr;
  }
}

/// ARM predicates almost every instruction: what happens only under a condition ends nothing for sure.
bool isPredicated(const mca::Target &target, const llvm::MCInst &inst, const llvm::MCInstrDesc &description) {
  if (!target.triple().isARM() && !target.triple().isThumb())
    return false;
  const int predicate = description.findFirstPredOperandIdx();
  constexpr int64_t kAlways = 14; // the condition code AL of the ARM architecture
  return predicate >= 0 && inst.getOperand(predicate).isImm() && inst.getOperand(predicate).getImm() != kAlways;
}

/// Functions of C and C++ that do not return: nothing follows a call of them. gcc lays other code out there.
bool neverReturns(llvm::StringRef function) {
  static constexpr llvm::StringLiteral kNames[] = {"abort",
                                                   "exit",
                                                   "_exit",
                                                   "_Exit",
                                                   "quick_exit",
                                                   "longjmp",
                                                   "_longjmp",
                                                   "siglongjmp",
                                                   "__longjmp_chk",
                                                   "pthread_exit",
                                                   "thrd_exit",
                                                   "__assert_fail",
                                                   "__assert_perror_fail",
                                                   "__stack_chk_fail",
                                                   "__chk_fail",
                                                   "__fortify_fail",
                                                   "__cxa_throw",
                                                   "__cxa_rethrow",
                                                   "__cxa_bad_cast",
                                                   "__cxa_bad_typeid",
                                                   "__cxa_throw_bad_array_new_length",
                                                   "__cxa_pure_virtual",
                                                   "_Unwind_Resume",
                                                   "_ZSt9terminatev"};
  return llvm::is_contained(kNames, function) || (function.starts_with("_ZSt") && function.contains("__throw_"));
}

/// Whether the compiler says that its block ends with the instruction at `index` and nothing comes after it. gcc with
/// -dA writes a block's successors in a comment before its last instruction, and an empty list before a call of a
/// function that does not return, the project's own ones included.
bool hasNoSuccessor(const mca::Program &program, uint32_t index) {
  const llvm::ArrayRef<mca::Instruction> instructions = program.instructions();
  const uint32_t end = instructions[index].offset, previous = index ? instructions[index - 1].offset : 0;
  if (end <= previous)
    return false;
  return llvm::StringRef(program.text()).slice(previous, end).rsplit(" SUCC:").second.ltrim(" \t").starts_with("\n");
}

Flow flowOf(const mca::Target &target, const llvm::MCInst &inst) {
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  const llvm::MCInstrAnalysis *analysis = target.analysis();
  const bool isCall = analysis ? analysis->isCall(inst) : description.isCall();
  const bool isReturn = analysis ? analysis->isReturn(inst) : description.isReturn();
  const bool isBranch = analysis ? analysis->isBranch(inst) : description.isBranch();
  const bool isConditional = analysis ? analysis->isConditionalBranch(inst) : description.isConditionalBranch();
  if (isCall && !isReturn && !description.isBarrier()) {
    const llvm::MCSymbol *callee = symbolOf(inst);
    Flow flow;
    flow.isCall = true;
    flow.endsBlock = callee && !description.mayLoad() && !description.hasDelaySlot() && neverReturns(callee->getName());
    flow.fallsThrough = isPredicated(target, inst, description);
    return flow;
  }
  if (!isBranch && !isReturn && !description.isBarrier())
    return {};
  Flow flow;
  flow.endsBlock = true;
  flow.fallsThrough = isConditional || isPredicated(target, inst, description);
  flow.isIndirect = analysis ? analysis->isIndirectBranch(inst) : description.isIndirectBranch();
  if (isBranch && !flow.isIndirect)
    flow.target = symbolOf(inst);
  return flow;
}

struct Block {
  uint32_t first = 0; ///< positions in the layout, half-open
  uint32_t last = 0;
  bool isEntry = false;
  llvm::SmallVector<uint32_t, 2> successors;
  llvm::SmallVector<uint32_t, 2> predecessors;
};

class ControlFlow {
public:
  ControlFlow(const mca::Target &target, const mca::Program &program, uint32_t first = 0)
      : target_(target), program_(program), first_(first) {
    layOut();
    makeBlocks();
    connect();
  }

  std::vector<BasicBlock> blocks() const;
  std::vector<Loop> innermostLoops(IsOwnLoop isOwn);

private:
  static constexpr uint32_t kNone = ~0u;

  void layOut();
  void makeBlocks();
  void readTables();
  llvm::ArrayRef<uint32_t> tableOf(uint32_t block) const;
  void connect();
  void order();
  void visit(uint32_t root);
  void dominate();
  void numberDominated();
  /// Whether control comes from where no way from an entry leads: from a landing pad of an exception, for instance.
  /// What such a way joins is dominated as if it were not there, so that a `catch` in a loop leaves it a loop.
  bool isStray(uint32_t from, uint32_t to) const {
    return blocks_[rootOf_[to]].isEntry && !blocks_[rootOf_[from]].isEntry;
  }
  uint32_t commonDominator(uint32_t a, uint32_t b) const;
  bool dominates(uint32_t a, uint32_t b) const {
    return number_[a] <= number_[b] && number_[b] - number_[a] < dominated_[a];
  }
  std::vector<uint32_t> bodyOf(uint32_t header, llvm::ArrayRef<uint32_t> latches,
                               const std::vector<uint32_t> &loopOf) const;
  std::vector<uint32_t> someOf(uint32_t header, llvm::ArrayRef<uint32_t> latches) const;
  std::optional<Loop> ownLoop(uint32_t header, llvm::ArrayRef<uint32_t> latches, const std::vector<uint32_t> &whole,
                              const std::vector<uint32_t> &loopOf, IsOwnLoop isOwn) const;
  void addIrreducible(const std::vector<uint32_t> &loopOf, std::vector<Loop> &loops) const;
  Loop makeLoop(uint32_t header, const std::vector<uint32_t> &body) const;
  void addEdge(uint32_t from, uint32_t to) {
    blocks_[from].successors.push_back(to);
    blocks_[to].predecessors.push_back(from);
  }

  const mca::Target &target_;
  const mca::Program &program_;
  uint32_t first_;                 // instruction that is looked at
  std::vector<uint32_t> layout_;   // program indices, section by section
  std::vector<uint32_t> position_; // inverse of layout_, from first_ on
  std::vector<Block> blocks_;
  std::vector<Flow> flows_; // of each block's end
  llvm::DenseMap<const llvm::MCSymbol *, uint32_t> labelBlock_;
  llvm::DenseMap<const llvm::MCSymbol *, std::vector<uint32_t>> tables_; // blocks, by the table's label
  std::vector<uint32_t> postOrder_;
  std::vector<uint32_t> postIndex_; // by block
  std::vector<uint32_t> dominator_; // immediate one, by block; kNone for a root
  std::vector<uint32_t> dominated_; // how many it dominates, itself included
  std::vector<uint32_t> number_;    // in the tree of dominators, parents first
  std::vector<uint32_t> rootOf_;
};

void ControlFlow::layOut() {
  const auto instructions = program_.instructions();
  llvm::MapVector<const llvm::MCSection *, std::vector<uint32_t>> sections;
  std::vector<uint32_t> *present = nullptr;
  for (uint32_t i = first_; i < instructions.size(); ++i) {
    if (i == first_ || instructions[i].section != instructions[i - 1].section)
      present = &sections[instructions[i].section];
    present->push_back(i);
  }
  position_.resize(instructions.size() - first_);
  for (const auto &[section, indices] : sections)
    for (const uint32_t index : indices) {
      position_[index - first_] = static_cast<uint32_t>(layout_.size());
      layout_.push_back(index);
    }
}

void ControlFlow::makeBlocks() {
  const auto instructions = program_.instructions();
  std::vector<char> starts(layout_.size() + 1, 0), entries(layout_.size() + 1, 0), cold(layout_.size() + 1, 0);
  llvm::DenseMap<const llvm::MCSymbol *, uint32_t> labelPosition;
  // The next instruction of each label's own section: from the last label back to the first.
  const auto labels = program_.labels();
  llvm::DenseMap<const llvm::MCSection *, uint32_t> nextIn;
  for (size_t i = labels.size(), next = instructions.size(); i-- > 0;) {
    const mca::Label &label = labels[i];
    if (label.instruction < first_)
      break;
    for (; next > label.instruction; --next)
      if (next - 1 == label.instruction || instructions[next - 2].section != instructions[next - 1].section)
        nextIn[instructions[next - 1].section] = static_cast<uint32_t>(next - 1);
    const auto found = nextIn.find(label.section);
    if (found == nextIn.end())
      continue;
    const uint32_t position = position_[found->second - first_];
    starts[position] = 1;
    // The cold part of a function is jumped to from the rest of it.
    const bool isCold = label.name.ends_with(".cold");
    entries[position] |= program_.isFunction(*label.symbol) && !isCold;
    cold[position] |= isCold;
    labelPosition.try_emplace(label.symbol, position);
  }
  bool start = true;
  for (uint32_t at = 0; at < layout_.size(); ++at) {
    const mca::Instruction &instruction = instructions[layout_[at]];
    const bool newSection = at == 0 || instructions[layout_[at - 1]].section != instruction.section;
    if (start || newSection || starts[at]) {
      blocks_.push_back({at, at, entries[at] || (newSection && !cold[at])});
      flows_.emplace_back();
    }
    start = false;
    blocks_.back().last = at + 1;
    Flow flow = flowOf(target_, instruction.inst);
    if (flow.isCall && !flow.endsBlock && hasNoSuccessor(program_, layout_[at])) {
      flow.endsBlock = true;
      flow.fallsThrough = false;
    }
    if (flow.endsBlock) {
      flows_.back() = flow;
      // A delay slot executes with its branch.
      const bool delaySlot = target_.instructions().get(instruction.inst.getOpcode()).hasDelaySlot();
      if (delaySlot && at + 1 < layout_.size() && !starts[at + 1])
        blocks_.back().last = ++at + 1;
      start = true;
    }
  }
  llvm::DenseMap<uint32_t, uint32_t> blockAt;
  for (uint32_t b = 0; b < blocks_.size(); ++b)
    blockAt[blocks_[b].first] = b;
  for (const auto &[symbol, position] : labelPosition)
    if (const auto block = blockAt.find(position); block != blockAt.end())
      labelBlock_[symbol] = block->second;
}

/// The blocks that each table of addresses names.
void ControlFlow::readTables() {
  for (const mca::TableEntry &entry : program_.tableEntries())
    if (const llvm::MCSymbol *symbol = entry.table ? symbolIn(entry.value) : nullptr)
      if (const auto block = labelBlock_.find(symbol); block != labelBlock_.end())
        tables_[entry.table].push_back(block->second);
}

/// The table of an indirect jump: the one that it names, or that the closest instruction before it names which writes a
/// register that the address is computed from; else the closest of the function.
llvm::ArrayRef<uint32_t> ControlFlow::tableOf(uint32_t block) const {
  constexpr uint32_t kFarthest = 200; // instructions
  const uint32_t jump = blocks_[block].last - 1;
  const uint32_t farthest = jump - std::min(jump, kFarthest);
  uint32_t function = block;
  while (!blocks_[function].isEntry && blocks_[function].first > farthest)
    --function;
  const uint32_t begin = std::max(blocks_[function].first, farthest);
  const llvm::MCRegisterInfo &registers = target_.registers();
  llvm::SmallVector<llvm::MCRegister, 8> sources;
  llvm::ArrayRef<uint32_t> closest;
  for (uint32_t at = jump + 1; at-- > begin;) {
    const llvm::MCInst &inst = program_.instructions()[layout_[at]].inst;
    const unsigned defs = target_.instructions().get(inst.getOpcode()).getNumDefs();
    const auto isSource = [&](const llvm::MCOperand &operand) {
      return operand.isReg() && llvm::any_of(sources, [&](llvm::MCRegister one) {
               return operand.getReg() && registers.regsOverlap(one, operand.getReg());
             });
    };
    const bool computes = at == jump || llvm::any_of(llvm::ArrayRef(inst.begin(), defs), isSource);
    const llvm::MCSymbol *symbol = symbolOf(inst);
    const auto table = symbol ? tables_.find(symbol) : tables_.end();
    if (table != tables_.end() && computes)
      return table->second;
    if (table != tables_.end() && closest.empty())
      closest = table->second;
    // Before the block each register stays a source: who wrote it last on the way here is not known.
    if (!computes || at < blocks_[block].first)
      continue;
    llvm::erase_if(sources, [&](llvm::MCRegister one) {
      return llvm::any_of(llvm::ArrayRef(inst.begin(), defs), [&](const llvm::MCOperand &def) {
        return def.isReg() && def.getReg() && registers.regsOverlap(one, def.getReg());
      });
    });
    for (const llvm::MCOperand &operand : llvm::drop_begin(inst, at == jump ? 0 : defs))
      if (operand.isReg() && operand.getReg())
        sources.push_back(operand.getReg());
  }
  return closest;
}

void ControlFlow::connect() {
  if (first_ == 0) // those of a part come behind it
    readTables();
  for (uint32_t b = 0; b < blocks_.size(); ++b) {
    if (flows_[b].fallsThrough && b + 1 < blocks_.size() && !blocks_[b + 1].isEntry)
      addEdge(b, b + 1);
    if (flows_[b].target)
      if (const auto block = labelBlock_.find(flows_[b].target); block != labelBlock_.end())
        addEdge(b, block->second);
    if (flows_[b].isIndirect)
      for (const uint32_t target : tableOf(b))
        if (!llvm::is_contained(blocks_[b].successors, target))
          addEdge(b, target);
  }
}

/// Depth-first post-order from each entry, then from each block without predecessors, then from what is left.
void ControlFlow::order() {
  postIndex_.assign(blocks_.size(), kNone);
  rootOf_.assign(blocks_.size(), kNone);
  for (uint32_t b = 0; b < blocks_.size(); ++b)
    if (blocks_[b].isEntry)
      visit(b);
  for (uint32_t b = 0; b < blocks_.size(); ++b)
    if (blocks_[b].predecessors.empty())
      visit(b);
  for (uint32_t b = 0; b < blocks_.size(); ++b)
    visit(b);
}

void ControlFlow::visit(uint32_t root) {
  if (rootOf_[root] != kNone)
    return;
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

/// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001). Roots are children of a virtual node, which
/// is kNone.
void ControlFlow::dominate() {
  std::vector<char> known(blocks_.size(), 0);
  dominator_.assign(blocks_.size(), kNone);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = postOrder_.rbegin(); it != postOrder_.rend(); ++it) {
      const uint32_t block = *it;
      bool isRoot = rootOf_[block] == block;
      uint32_t dominator = kNone;
      bool first = true;
      for (const uint32_t predecessor : blocks_[block].predecessors) {
        if (isRoot || !known[predecessor] || isStray(predecessor, block))
          continue;
        dominator = first ? predecessor : commonDominator(predecessor, dominator);
        first = false;
      }
      if (!known[block] || dominator_[block] != dominator) {
        known[block] = 1;
        dominator_[block] = dominator;
        changed = true;
      }
    }
  }
}

uint32_t ControlFlow::commonDominator(uint32_t a, uint32_t b) const {
  while (a != b) {
    if (a == kNone || b == kNone)
      return kNone;
    if (postIndex_[a] < postIndex_[b])
      a = dominator_[a];
    else
      b = dominator_[b];
  }
  return a;
}

/// Numbers the tree of dominators such that a block comes right before all that it dominates.
void ControlFlow::numberDominated() {
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

/// The blocks of the loop, ascending, or none when it holds a block of a loop that is known already.
std::vector<uint32_t> ControlFlow::bodyOf(uint32_t header, llvm::ArrayRef<uint32_t> latches,
                                          const std::vector<uint32_t> &loopOf) const {
  std::vector<uint32_t> body{header}, work(latches);
  llvm::DenseSet<uint32_t> seen;
  seen.insert(header);
  while (!work.empty()) {
    const uint32_t block = work.back();
    work.pop_back();
    if (!seen.insert(block).second || !dominates(header, block))
      continue;
    if (loopOf[block] != kNone)
      return {};
    body.push_back(block);
    work.insert(work.end(), blocks_[block].predecessors.begin(), blocks_[block].predecessors.end());
  }
  std::sort(body.begin(), body.end());
  return body;
}

/// Blocks of a loop that may hold others, ascending: enough to see what is in it besides one of its parts.
std::vector<uint32_t> ControlFlow::someOf(uint32_t header, llvm::ArrayRef<uint32_t> latches) const {
  constexpr size_t kEnough = 1000;
  std::vector<uint32_t> work(latches);
  llvm::DenseSet<uint32_t> seen;
  seen.insert(header);
  while (!work.empty() && seen.size() < kEnough) {
    const uint32_t block = work.back();
    work.pop_back();
    if (dominates(header, block) && seen.insert(block).second)
      work.insert(work.end(), blocks_[block].predecessors.begin(), blocks_[block].predecessors.end());
  }
  std::vector<uint32_t> some(seen.begin(), seen.end());
  std::sort(some.begin(), some.end());
  return some;
}

/// `body`: the loop's blocks, ascending.
Loop ControlFlow::makeLoop(uint32_t header, const std::vector<uint32_t> &body) const {
  Loop loop;
  const auto indexOf = [&](uint32_t block) {
    return static_cast<uint32_t>(std::lower_bound(body.begin(), body.end(), block) - body.begin());
  };
  loop.headerBlock = indexOf(header);
  for (const uint32_t block : body) {
    LoopBlock made{.begin = static_cast<uint32_t>(loop.instructions.size())};
    for (uint32_t at = blocks_[block].first; at < blocks_[block].last; ++at)
      loop.instructions.push_back(layout_[at]);
    made.end = static_cast<uint32_t>(loop.instructions.size());
    for (const uint32_t successor : blocks_[block].successors)
      if (successor == header)
        made.isLatch = true;
      else if (std::binary_search(body.begin(), body.end(), successor) &&
               !llvm::is_contained(made.successors, indexOf(successor)))
        made.successors.push_back(indexOf(successor));
    loop.blocks.push_back(std::move(made));
  }
  return loop;
}

/// Cycles with several entries that hold no loop: strongly connected components without a block of one. (Tail
/// duplication makes such cycles of loops.) The first of the entries in the layout stands for the header.
void ControlFlow::addIrreducible(const std::vector<uint32_t> &loopOf, std::vector<Loop> &loops) const {
  std::vector<uint32_t> componentOf(blocks_.size(), kNone);
  // Kosaraju: against the edges, from the last in post-order to the first.
  for (const uint32_t root : llvm::reverse(postOrder_)) {
    if (componentOf[root] != kNone)
      continue;
    std::vector<uint32_t> component, work{root};
    bool holdsLoop = false;
    componentOf[root] = root;
    while (!work.empty()) {
      const uint32_t block = work.back();
      work.pop_back();
      component.push_back(block);
      holdsLoop |= loopOf[block] != kNone;
      for (const uint32_t predecessor : blocks_[block].predecessors)
        if (componentOf[predecessor] == kNone) {
          componentOf[predecessor] = root;
          work.push_back(predecessor);
        }
    }
    if (component.size() < 2 || holdsLoop)
      continue;
    std::sort(component.begin(), component.end());
    const auto entered = llvm::find_if(component, [&](uint32_t block) {
      return llvm::any_of(blocks_[block].predecessors, [&](uint32_t from) { return componentOf[from] != root; });
    });
    loops.push_back(makeLoop(entered == component.end() ? component.front() : *entered, component));
    loops.back().severalEntries = true;
  }
}

/// The loop of those branches back to the header that make loops of their own, if there are such. `whole`: the blocks
/// of all together; empty when they hold other loops.
std::optional<Loop> ControlFlow::ownLoop(uint32_t header, llvm::ArrayRef<uint32_t> latches,
                                         const std::vector<uint32_t> &whole, const std::vector<uint32_t> &loopOf,
                                         IsOwnLoop isOwn) const {
  constexpr size_t kMaxLatches = 16; // the cases of a switch in a loop are more
  if (latches.size() == 1 || latches.size() > kMaxLatches)
    return std::nullopt;
  std::vector<uint32_t> instructions, own;
  for (const uint32_t latch : latches) {
    const std::vector<uint32_t> body = bodyOf(header, latch, loopOf);
    if (body.empty() || body.size() == whole.size())
      continue;
    if (instructions.empty())
      instructions = makeLoop(header, whole.empty() ? someOf(header, latches) : whole).instructions;
    if (isOwn({makeLoop(header, body), instructions, whole.empty()}))
      own.push_back(latch);
  }
  return own.empty() ? std::nullopt : std::optional(makeLoop(header, bodyOf(header, own, loopOf)));
}

std::vector<Loop> ControlFlow::innermostLoops(IsOwnLoop isOwn) {
  order();
  dominate();
  numberDominated();
  // In post-order a loop's header comes after the headers of the loops inside it.
  std::vector<uint32_t> loopOf(blocks_.size(), kNone);
  std::vector<Loop> loops;
  for (const uint32_t header : postOrder_) {
    std::vector<uint32_t> latches;
    for (const uint32_t predecessor : blocks_[header].predecessors)
      if (dominates(header, predecessor))
        latches.push_back(predecessor);
    if (latches.empty())
      continue;
    const std::vector<uint32_t> body = bodyOf(header, latches, loopOf);
    std::optional<Loop> own;
    if (loopOf[header] == kNone)
      own = ownLoop(header, latches, body, loopOf, isOwn);
    if (body.empty() || loopOf[header] != kNone || own) {
      loopOf[header] = header; // a loop that holds another one: what holds this one is not innermost either
      if (own)
        loops.push_back(std::move(*own));
      continue;
    }
    for (const uint32_t block : body)
      loopOf[block] = header;
    loops.push_back(makeLoop(header, body));
  }
  addIrreducible(loopOf, loops);
  llvm::sort(loops, [](const Loop &a, const Loop &b) { return a.header() < b.header(); });
  return loops;
}

std::vector<BasicBlock> ControlFlow::blocks() const {
  std::vector<BasicBlock> all;
  for (const Block &block : blocks_) {
    all.push_back({.instructions = {layout_.begin() + block.first, layout_.begin() + block.last},
                   .successors = {block.successors.begin(), block.successors.end()},
                   .predecessors = {block.predecessors.begin(), block.predecessors.end()},
                   .isEntry = block.isEntry});
  }
  return all;
}

} // namespace

const llvm::MCSymbol *symbolOf(const llvm::MCInst &inst) {
  for (unsigned i = inst.getNumOperands(); i-- > 0;)
    if (inst.getOperand(i).isExpr())
      if (const llvm::MCSymbol *symbol = symbolIn(inst.getOperand(i).getExpr()))
        return symbol;
  return nullptr;
}

std::vector<BasicBlock> findBlocks(const mca::Target &target, const mca::Program &program) {
  if (program.instructions().empty())
    return {};
  return ControlFlow(target, program).blocks();
}

bool isOwnBlock(const SharedHeader &shared) {
  return shared.holdsLoops && shared.part.blocks.size() == 1;
}

std::vector<Loop> findInnermostLoops(const mca::Target &target, const mca::Program &program, uint32_t first,
                                     IsOwnLoop isOwn) {
  if (first >= program.instructions().size())
    return {};
  return ControlFlow(target, program, first).innermostLoops(isOwn);
}

} // namespace analysis
