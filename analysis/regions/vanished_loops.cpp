#include "analysis/regions/vanished_loops.h"

#include "analysis/regions/loop_paths.h"
#include "mca-core/program/loops.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <array>

namespace analysis {
namespace {

constexpr uint32_t kNone = SourceMap::kNoFrame;

using Offsets = std::vector<uint32_t>; // ascending

bool holdsAny(wire::ByteRange extent, const Offsets &offsets) {
  const auto first = std::ranges::lower_bound(offsets, extent.begin);
  return first != offsets.end() && *first < extent.end;
}

/// Collects the places in the buffer of frames and of the calls around them, each frame once.
class PlacesOfFrames {
public:
  explicit PlacesOfFrames(const SourceMap &map) : map_(map) {}

  void add(uint32_t frame) {
    for (; frame != kNone && seen_.insert(frame).second; frame = map_.frame(frame).caller)
      if (const SourcePlace place = map_.frame(frame).inBuffer; place.line)
        offsets_.push_back(map_.offsetOf(place));
  }
  Offsets take() {
    llvm::sort(offsets_);
    return std::move(offsets_);
  }

private:
  const SourceMap &map_;
  llvm::DenseSet<uint32_t> seen_;
  Offsets offsets_;
};

/// Where a text may leave out its lines: the begins of the lines of directives that choose, and of
/// `if constexpr`.
struct Choices {
  Offsets opened, closed; ///< `#if…` and `#endif`
  Offsets constexprs;

  explicit Choices(llvm::StringRef text) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      llvm::StringRef line = text.slice(begin, end).ltrim(" \t");
      const auto at = static_cast<uint32_t>(begin);
      if (line.contains("constexpr"))
        constexprs.push_back(at);
      if (line.consume_front("#")) {
        line = line.ltrim(" \t");
        if (line.starts_with("if"))
          opened.push_back(at);
        else if (line.starts_with("endif"))
          closed.push_back(at);
      }
      begin = end + 1;
    }
  }

  /// Whether something between the begin of a function and a statement in it may leave the statement out.
  bool mayLeaveOut(uint32_t function, uint32_t statement) const {
    const auto countIn = [&](const Offsets &all) {
      return std::ranges::lower_bound(all, statement) - std::ranges::lower_bound(all, function);
    };
    return countIn(opened) != countIn(closed) || countIn(constexprs) > 0;
  }
};

/// Whether it is a loop by its words: not a label, a macro's name, or `do … while (0)`, which makes one statement of
/// several.
bool isLoop(const LoopStatement &statement, llvm::StringRef text) {
  const llvm::StringRef whole = text.slice(statement.keyword, statement.extent.end);
  const llvm::StringRef keyword = whole.take_while(llvm::isAlpha);
  if (statement.isLabel || (keyword != "for" && keyword != "while" && keyword != "do"))
    return false;
  if (keyword != "do")
    return true;
  constexpr size_t kTail = 64; // more than `while ( false ) ;` takes
  std::string tail;
  for (const char c : whole.take_back(kTail))
    if (!llvm::isSpace(c))
      tail += c;
  return llvm::none_of(std::array{"while(0);", "while(false);", "while(FALSE);"},
                       [&](const char *never) { return llvm::StringRef(tail).ends_with(never); });
}

/// The blocks that control reaches from the begin of a function. Others are reached by a table that the text lacks, or
/// catch exceptions.
std::vector<bool> reachedBlocks(std::span<const mca::CodeBlock> blocks) {
  std::vector<bool> isReached(blocks.size());
  std::vector<uint32_t> left;
  const auto reach = [&](uint32_t block) {
    if (!isReached[block])
      left.push_back(block);
    isReached[block] = true;
  };
  for (uint32_t block = 0; block < blocks.size(); ++block)
    if (blocks[block].isEntry)
      reach(block);
  while (!left.empty()) {
    const uint32_t block = left.back();
    left.pop_back();
    for (const uint32_t successor : blocks[block].successors)
      reach(successor);
  }
  return isReached;
}

class VanishedLoops {
public:
  VanishedLoops(const mca::ControlFlow &code, const SourceMap &map, const LoopStatements &statements,
                const FunctionNames &functions, const FoundLoops &loops)
      : code_(code), map_(map), statements_(statements), functions_(functions), text_(map.lines().text()),
        choices_(text_) {
    const auto count = static_cast<uint32_t>(code.program().instructions().size());
    PlacesOfFrames places(map);
    for (uint32_t i = 0; i < count; ++i)
      places.add(map.frameOf(i));
    compiled_ = places.take();
    for (const PlacedLoop &one : loops.placed)
      addPlaced(one);
    for (const LoopElsewhere &one : loops.elsewhere)
      addElsewhere(one, count);
    llvm::sort(loops_);
    llvm::sort(unknown_);
    llvm::sort(hiding_);
  }

  std::vector<uint32_t> find() const {
    std::vector<const LoopStatement *> without;
    for (const LoopStatement &statement : statements_.all())
      if (isLoop(statement, text_) && isCompiled(statement) && hasNoLoop(statement))
        without.push_back(&statement);
    if (without.empty())
      return {};
    const Offsets repeated = repeatedCode();
    std::vector<uint32_t> found;
    for (const LoopStatement *statement : without)
      if (!holdsAny(statement->extent, repeated))
        found.push_back(statement->keyword);
    llvm::sort(found);
    return found;
  }

private:
  void addPlaced(const PlacedLoop &one) {
    const LoopPlace &place = one.place;
    loops_.push_back(place.anchor);
    for (uint32_t frame = place.caller; frame != kNone; frame = map_.frame(frame).caller)
      if (const SourcePlace call = map_.frame(frame).inBuffer; call.line)
        loops_.push_back(map_.offsetOf(call));
    if (!place.atCall && !place.isStatement)
      unknown_.push_back(place.anchor);
    const auto latches = llvm::count_if(one.loop->blocks, [](const mca::LoopBlock &block) { return block.isLatch; });
    const auto unknown = [](uint32_t, uint32_t) -> std::optional<double> { return std::nullopt; };
    if (latches > 1 || findLoopPaths(*one.loop, unknown, 1).hasOtherWays)
      hiding_.push_back(place.anchor);
    else
      simple_.insert_range(one.loop->instructions);
  }

  /// A loop that belongs to no line of the buffer may be the inner one of a statement in any function that was inlined
  /// around it, as not all compilers say what they inlined.
  void addElsewhere(const LoopElsewhere &one, uint32_t instructions) {
    if (!seen_.insert(functions_.indexOf(one.loop)).second)
      return;
    PlacesOfFrames around(map_);
    const uint32_t end = std::min(functions_.endOf(one.loop), instructions);
    for (uint32_t i = functions_.startOf(one.loop); i < end; ++i)
      around.add(map_.frameOf(i));
    llvm::append_range(unknown_, around.take());
  }

  const FunctionExtent *functionOf(const LoopStatement &statement) const {
    return statements_.functions().around(statement.keyword);
  }

  bool isCompiled(const LoopStatement &statement) const {
    if (holdsAny(statement.extent, compiled_))
      return true;
    const FunctionExtent *function = functionOf(statement);
    return function && holdsAny(function->extent, compiled_) &&
           !choices_.mayLeaveOut(function->extent.begin, statement.keyword);
  }

  /// Whether no loop of the machine code is the statement's, or may be.
  bool hasNoLoop(const LoopStatement &statement) const {
    const TextLines &lines = map_.lines();
    const uint32_t line = lines.lineOf(statement.keyword);
    // Without columns, code on the statement's own line may belong to another statement there.
    if (holdsAny(statement.extent, loops_) || holdsAny(lines.range(line), loops_))
      return false;
    if (const FunctionExtent *function = functionOf(statement); function && holdsAny(function->extent, unknown_))
      return false;
    for (const LoopStatement *around = statements_.around(statement); around; around = statements_.around(*around))
      if (std::ranges::binary_search(hiding_, around->keyword))
        return false;
    return true;
  }

  /// The places of code that may run several times, apart from innermost loops with one way back.
  Offsets repeatedCode() const {
    PlacesOfFrames repeated(map_);
    const std::span<const mca::CodeBlock> blocks = code_.blocks.all();
    const std::vector<bool> isRepeated = mca::findRepeatedBlocks(code_.blocks);
    const std::vector<bool> isReached = reachedBlocks(blocks);
    for (uint32_t block = 0; block < blocks.size(); ++block)
      if (isRepeated[block] || !isReached[block])
        for (const uint32_t instruction : blocks[block].instructions)
          if (!simple_.contains(instruction))
            repeated.add(map_.frameOf(instruction));
    return repeated.take();
  }

  const mca::ControlFlow &code_;
  const SourceMap &map_;
  const LoopStatements &statements_;
  const FunctionNames &functions_;
  const llvm::StringRef text_;
  const Choices choices_;
  Offsets compiled_;                ///< of the instructions
  Offsets loops_;                   ///< of the loops and the calls that they were inlined through
  Offsets unknown_;                 ///< of code that may hold a loop of an unknown statement
  Offsets hiding_;                  ///< of loops of statements that may hold the loop of a statement inside
  llvm::DenseSet<uint32_t> simple_; ///< instructions of innermost loops with one way back
  llvm::DenseSet<int> seen_;
};

} // namespace

std::vector<uint32_t> findVanishedLoops(const mca::ControlFlow &code, const SourceMap &map,
                                        const LoopStatements &statements, const FunctionNames &functions,
                                        const FoundLoops &loops) {
  if (statements.all().empty())
    return {};
  return VanishedLoops(code, map, statements, functions, loops).find();
}

} // namespace analysis
