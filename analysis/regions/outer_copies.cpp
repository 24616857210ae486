// A statement is known by the function of the machine code that holds it and the call through which it was inlined
// there: each inlined copy has loops of its own.
#include "analysis/regions/outer_copies.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace analysis {
namespace {

constexpr uint32_t kNone = SourceMap::kNoFrame;
/// Inlined calls around an instruction that are searched. Real stacks are of some thirty.
constexpr size_t kMaxLevels = 200;
/// Blocks on the ways out of loops that are searched in a program.
constexpr size_t kMaxBlocks = 200'000;

/// A loop statement in one function and one inlined copy of its own function.
struct Statement {
  uint32_t caller = kNone; ///< the frame of the call through which it was inlined
  const LoopStatement *text = nullptr;
  bool operator==(const Statement &) const = default;
};

/// A loop inside of a statement, or a call that it became.
struct Inner {
  Statement statement; ///< its own
  uint32_t header = 0; ///< the first instruction of the loop of the machine code that holds it
};

/// A statement around an instruction.
struct Around {
  Statement statement;
  bool isInBody = false; ///< whether the instruction, or the call that brought it, follows the statement's head
};

class OuterCopies {
public:
  OuterCopies(const mca::ControlFlow &code, const Sources &in, const FunctionNames &functions)
      : code_(code), in_(in), functions_(functions) {}

  void removeFrom(std::vector<PlacedLoop> &placed) {
    findInner(placed);
    if (inner_.empty())
      return;
    std::vector<PlacedLoop> kept;
    for (PlacedLoop &one : placed)
      if (const Lack lack = lackOf(one); lack != Lack::InnerLoop) {
        one.place.lacksInner = lack == Lack::WhatFollows;
        kept.push_back(std::move(one));
      }
    placed = std::move(kept);
  }

private:
  using Key = std::tuple<int, uint32_t, const LoopStatement *>;
  Key keyOf(const mca::Loop &loop, const Statement &statement) const {
    return {functions_.indexOf(loop.header()), statement.caller, statement.text};
  }
  static Statement statementOf(const PlacedLoop &one) { return {one.place.statementCaller, one.place.statement}; }

  /// The statements around an instruction, from the inside out.
  const std::vector<Around> &around(uint32_t instruction) {
    const uint32_t frame = in_.map.frameOf(instruction);
    const auto [entry, isNew] = around_.try_emplace(frame);
    std::vector<Around> &found = entry->second;
    size_t levels = 0;
    for (uint32_t index = frame; isNew && index != kNone && levels < kMaxLevels; ++levels) {
      const Frame &own = in_.map.frame(index);
      const FrameText text = textOf(own, in_);
      for (const LoopStatement *one = text.innermost; one; one = text.statements->around(*one))
        found.push_back({{own.caller, one}, text.offset >= one->headEnd});
      index = own.caller;
    }
    return found;
  }

  /// What is inside of each statement at which a loop was placed.
  void findInner(const std::vector<PlacedLoop> &placed) {
    std::set<Key> outer;
    for (const PlacedLoop &one : placed)
      if (one.place.statement)
        outer.insert(keyOf(*one.loop, statementOf(one)));
    for (const PlacedLoop &one : placed)
      if (one.place.statement) {
        addAround(one, outer);
        addCalls(one);
      }
  }

  /// The loop is inside of the statements in whose bodies its own is. What a head calls may be done once, before them.
  void addAround(const PlacedLoop &one, const std::set<Key> &outer) {
    for (const uint32_t instruction : one.loop->instructions) {
      const std::vector<Around> &all = around(instruction);
      const auto own = llvm::find_if(all, [&](const Around &a) { return a.statement == statementOf(one); });
      if (own == all.end())
        continue;
      for (const Around &a : llvm::make_range(std::next(own), all.end()))
        if (const Key key = keyOf(*one.loop, a.statement); a.isInBody && outer.contains(key))
          inner_[key].push_back({statementOf(one), one.loop->header()});
      return;
    }
  }

  /// Calls that inner statements became, of `memset` for instance, are inside of the loop's.
  void addCalls(const PlacedLoop &one) {
    for (const uint32_t instruction : one.loop->instructions)
      if (const mca::Branch &branch = code_.branches.at(instruction); mca::isCall(branch.kind) || branch.isTailCall)
        for (const Around &a : around(instruction)) {
          if (a.statement == statementOf(one))
            break;
          if (a.isInBody)
            inner_[keyOf(*one.loop, statementOf(one))].push_back({a.statement, one.loop->header()});
        }
  }

  /// Whether the code of a loop inside of the statement is not in this one; whether it follows, so that it is no copy.
  enum class Lack : uint8_t { Nothing, WhatFollows, InnerLoop };
  Lack lackOf(const PlacedLoop &one) {
    const auto inner = one.place.statement ? inner_.find(keyOf(*one.loop, statementOf(one))) : inner_.end();
    if (inner == inner_.end())
      return Lack::Nothing;
    std::vector<Statement> held; // statements whose bodies hold code of the loop
    for (const uint32_t instruction : one.loop->instructions)
      for (const Around &a : around(instruction))
        if (a.isInBody && !llvm::is_contained(held, a.statement))
          held.push_back(a.statement);
    std::vector<uint32_t> missing;
    for (const Inner &code : inner->second)
      if (!llvm::is_contained(held, code.statement))
        missing.push_back(code.header);
    if (missing.empty())
      return Lack::Nothing;
    return leadsTo(missing, one) ? Lack::WhatFollows : Lack::InnerLoop;
  }

  /// Whether a way from a loop leads to one of these instructions through the statement alone.
  bool leadsTo(llvm::ArrayRef<uint32_t> instructions, const PlacedLoop &from) {
    llvm::DenseSet<uint32_t> seen, goals;
    for (const uint32_t instruction : instructions)
      goals.insert(code_.blocks.blockOf(instruction));
    std::vector<uint32_t> work;
    for (const mca::LoopBlock &block : from.loop->blocks)
      work.push_back(code_.blocks.blockOf(from.loop->instructions[block.begin]));
    seen.insert(work.begin(), work.end());
    while (!work.empty()) {
      const uint32_t block = work.back();
      work.pop_back();
      for (const uint32_t next : code_.blocks.at(block).successors) {
        if (goals.contains(next) || searched_ > kMaxBlocks)
          return true;
        if (!seen.insert(next).second || !isInside(code_.blocks.at(next), statementOf(from)))
          continue;
        ++searched_;
        work.push_back(next);
      }
    }
    return false;
  }

  /// Whether all instructions of a block that have a place stand in the statement.
  bool isInside(const mca::CodeBlock &block, const Statement &statement) {
    return llvm::all_of(block.instructions, [&](uint32_t instruction) {
      const uint32_t frame = in_.map.frameOf(instruction);
      return frame == kNone || !in_.map.frame(frame).line ||
             llvm::any_of(around(instruction), [&](const Around &a) { return a.statement == statement; });
    });
  }

  const mca::ControlFlow &code_;
  const Sources &in_;
  const FunctionNames &functions_;
  std::unordered_map<uint32_t, std::vector<Around>> around_; // by frame
  std::map<Key, std::vector<Inner>> inner_;                  // by the statement around them
  size_t searched_ = 0;                                      // blocks
};

} // namespace

void removeOuterCopies(const mca::ControlFlow &code, const Sources &in, const FunctionNames &functions,
                       std::vector<PlacedLoop> &placed) {
  OuterCopies(code, in, functions).removeFrom(placed);
}

} // namespace analysis
