// The function's control flow with one block left out shows whether all ways go through that block: of two loops the
// first is then done with before the second begins.
#include "analysis/regions/repeated_includes.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <iterator>

namespace analysis {
namespace {

/// Steps through blocks in all, some tenths of a second: each block is left out once, and each loop compared with each.
constexpr size_t kMaxSteps = 20'000'000;

/// The blocks of one function, by their order in the code: the first is where control enters. Edges to other functions
/// lead out of it.
class FunctionBlocks {
public:
  FunctionBlocks(std::span<const mca::CodeBlock> blocks, const FunctionNames &functions, uint32_t instruction)
      : blocks_(blocks) {
    const int function = functions.indexOf(instruction);
    for (size_t b = 0; b < blocks.size(); ++b)
      if (functions.indexOf(blocks[b].instructions.front()) == function)
        own_.push_back(b);
    successors_.resize(own_.size());
    predecessors_.resize(own_.size());
    for (size_t from = 0; from < own_.size(); ++from) {
      bool leaves = blocks[own_[from]].successors.empty();
      for (const uint32_t successor : blocks[own_[from]].successors) {
        const auto to = llvm::lower_bound(own_, successor);
        if (to == own_.end() || *to != successor) {
          leaves = true;
          continue;
        }
        successors_[from].push_back(to - own_.begin());
        predecessors_[to - own_.begin()].push_back(from);
      }
      if (leaves)
        exits_.push_back(from);
    }
  }

  size_t size() const { return own_.size(); }

  /// The block that begins with an instruction; 0 if none does.
  size_t startingAt(uint32_t instruction) const {
    const auto found =
        llvm::find_if(own_, [&](size_t block) { return blocks_[block].instructions.front() == instruction; });
    return found == own_.end() ? 0 : found - own_.begin();
  }

  /// The blocks that control comes to from the function's begin if it avoids the block `avoided`.
  std::vector<char> reached(size_t avoided) const { return walk({0}, avoided, successors_); }
  /// The blocks from which control leaves the function if it avoids the block `avoided`.
  std::vector<char> leaving(size_t avoided) const { return walk(exits_, avoided, predecessors_); }
  /// The blocks that control comes to from a block, itself included.
  std::vector<char> reachedFrom(size_t block) const { return walk({block}, size(), successors_); }

private:
  using Edges = std::vector<std::vector<size_t>>;

  std::vector<char> walk(std::vector<size_t> work, size_t avoided, const Edges &edges) const {
    std::vector<char> seen(own_.size(), 0);
    while (!work.empty()) {
      const size_t block = work.back();
      work.pop_back();
      if (block == avoided || std::exchange(seen[block], 1))
        continue;
      llvm::append_range(work, edges[block]);
    }
    return seen;
  }

  std::span<const mca::CodeBlock> blocks_;
  std::vector<size_t> own_; ///< indices in blocks_, ascending
  Edges successors_, predecessors_;
  std::vector<size_t> exits_;
};

/// By two loops' indices.
using Matrix = std::vector<std::vector<char>>;

/// Of each two loops whether a block separates them: without it control never leaves the function from the first, and
/// never comes to the second. The loops of one inclusion can each be skipped, so that no block separates them.
Matrix separate(const FunctionBlocks &own, const std::vector<size_t> &headers) {
  Matrix separated(headers.size(), std::vector<char>(headers.size(), 0));
  for (size_t block = 0; block < own.size(); ++block) {
    const std::vector<char> reached = own.reached(block), leaving = own.leaving(block);
    for (size_t a = 0; a < headers.size(); ++a)
      for (size_t b = 0; b < headers.size(); ++b)
        if (!leaving[headers[a]] && !reached[headers[b]] && block != headers[a])
          separated[a][b] = separated[b][a] = 1;
  }
  return separated;
}

/// The parts that blocks separate, numbered in the order of the code, if there are `count`.
Inclusions separatedParts(const Matrix &separated, const std::vector<size_t> &order, size_t count) {
  llvm::IntEqClasses together(static_cast<unsigned>(order.size()));
  for (unsigned i = 0; i < order.size(); ++i)
    for (unsigned before = 0; before < i; ++before)
      if (!separated[before][i])
        together.join(before, i);
  together.compress();
  if (together.getNumClasses() != count)
    return std::nullopt;
  llvm::SmallSetVector<unsigned, 8> parts;
  for (const size_t i : order)
    parts.insert(together[static_cast<unsigned>(i)]);
  std::vector<size_t> part(order.size());
  for (unsigned i = 0; i < part.size(); ++i)
    part[i] = llvm::find(parts, together[i]) - parts.begin();
  return part;
}

/// One part for each single loop, if there are `count` that control passes one after the other. Each other loop belongs
/// to the only single one that nothing separates it from.
Inclusions partsOfSingles(const std::vector<IncludedLoop> &loops, const FunctionBlocks &own,
                          const std::vector<size_t> &headers, const Matrix &separated, const std::vector<size_t> &order,
                          size_t count) {
  std::vector<size_t> singles;
  llvm::copy_if(order, std::back_inserter(singles), [&](size_t i) { return loops[i].isSingle; });
  if (singles.size() != count)
    return std::nullopt;
  for (size_t i = 0; i + 1 < count; ++i) {
    const size_t from = headers[singles[i]], to = headers[singles[i + 1]];
    if (!own.reachedFrom(from)[to] || own.reachedFrom(to)[from])
      return std::nullopt;
  }
  std::vector<size_t> part(loops.size());
  for (size_t i = 0; i < loops.size(); ++i) {
    const auto isWith = [&](size_t single) { return loops[i].isSingle ? single == i : !separated[i][single]; };
    if (llvm::count_if(singles, isWith) != 1)
      return std::nullopt;
    part[i] = llvm::find_if(singles, isWith) - singles.begin();
  }
  return part;
}

} // namespace

Inclusions inclusionsOf(const std::vector<IncludedLoop> &loops, size_t count, const mca::CodeBlocks &blocks,
                        const FunctionNames &functions) {
  const FunctionBlocks own(blocks.all(), functions, loops.front().loop->header());
  if (own.size() * own.size() + own.size() * loops.size() * loops.size() > kMaxSteps)
    return std::nullopt;
  std::vector<size_t> headers, order;
  for (const IncludedLoop &one : loops) {
    order.push_back(headers.size());
    headers.push_back(own.startingAt(one.loop->header()));
  }
  llvm::stable_sort(order, [&](size_t a, size_t b) { return headers[a] < headers[b]; });
  const Matrix separated = separate(own, headers);
  Inclusions parts = separatedParts(separated, order, count);
  return parts ? parts : partsOfSingles(loops, own, headers, separated, order, count);
}

} // namespace analysis
