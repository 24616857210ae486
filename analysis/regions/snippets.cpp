// A function begins at a label that is declared as one (`.type f,@function`, `.def f`). Texts that people wrote declare
// few, so any other label that no assembler drops counts, too, if control gets there neither from the code before it
// nor by a jump: what a jump names may be a place inside of a function.
#include "analysis/regions/snippets.h"

#include "analysis/regions/caveats.h"
#include "analysis/regions/function_names.h"
#include "analysis/regions/make_region.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>
#include <numeric>

namespace analysis {
namespace {

/// The instructions of a section, ascending: a text may leave a section and come back to it.
using Layout = llvm::MapVector<const llvm::MCSection *, std::vector<uint32_t>>;

/// The code of a function, or the text before the first one.
struct Part {
  const mca::Label *label = nullptr; ///< null before the first function
  std::vector<uint32_t> instructions;
};

/// Instructions that are searched for the end of a function, as padding may follow it.
constexpr size_t kMostPadding = 16;

/// The instruction before the position `end` of `code`, which is not the first one. Of a branch with a delay slot it is
/// the branch.
uint32_t lastBefore(size_t end, const std::vector<uint32_t> &code, const mca::ProgramBranches &branches) {
  return end >= 2 && branches.at(code[end - 2]).hasDelaySlot ? code[end - 2] : code[end - 1];
}

/// What a direct jump names; null for any other instruction, and for a jump that the compiler says is a call.
const llvm::MCSymbol *destinationOf(const mca::ProgramBranches &branches, uint32_t instruction) {
  const mca::Branch &branch = branches.at(instruction);
  return mca::isJump(branch.kind) && !branch.isTailCall ? branch.symbol : nullptr;
}

class FunctionParts {
public:
  explicit FunctionParts(const mca::ProgramBranches &branches) : branches_(branches), program_(branches.program()) {
    const auto instructions = program_.instructions();
    for (uint32_t i = 0; i < instructions.size(); ++i) {
      layout_[instructions[i].section].push_back(i);
      if (const llvm::MCSymbol *destination = destinationOf(branches, i))
        jumpedTo_.insert(destination);
    }
  }

  std::vector<Part> find() {
    llvm::MapVector<const llvm::MCSection *, std::vector<Part>> bySection;
    for (const auto &[section, code] : layout_)
      bySection[section].emplace_back();
    for (const mca::Label &label : program_.labels()) {
      const auto code = layout_.find(label.section);
      if (code == layout_.end())
        continue;
      const auto first = std::ranges::lower_bound(code->second, label.instruction);
      if (first == code->second.end())
        continue;
      if (isFunction(label, code->second, first - code->second.begin())) {
        Part &present = bySection[label.section].back();
        if (!present.label || present.instructions.front() != *first) // not another name of the same function
          bySection[label.section].push_back({.label = &label, .instructions = {*first}});
      }
      labelled_.insert(*first);
    }
    std::vector<Part> parts;
    for (auto &[section, own] : bySection)
      takeCode(layout_.find(section)->second, own, parts);
    llvm::sort(parts, [](const Part &a, const Part &b) { return a.instructions.front() < b.instructions.front(); });
    return parts;
  }

private:
  /// `code`: the instructions of the label's section, of which it names the one at `position`.
  bool isFunction(const mca::Label &label, const std::vector<uint32_t> &code, size_t position) const {
    if (program_.isFunction(*label.symbol))
      return true;
    if (label.symbol->isTemporary() || jumpedTo_.contains(label.symbol))
      return false;
    if (position == 0)
      return true;
    // A call may not return.
    const mca::Branch &before = branches_.at(lastBefore(position, code, branches_));
    return endOfFlow(code, position) || mca::isCall(before.kind) || before.isTailCall;
  }

  /// The position from which on control cannot reach the text before `end`, as nothing but padding is there; nothing
  /// if it may reach `end`.
  std::optional<size_t> endOfFlow(const std::vector<uint32_t> &code, size_t end) const {
    for (size_t at = end; at > 0 && end - at < kMostPadding; --at) {
      const mca::Branch &before = branches_.at(lastBefore(at, code, branches_));
      if (before.endsBlock())
        return before.fallsThrough() ? std::nullopt : std::optional(at);
      if (labelled_.contains(code[at - 1]))
        return std::nullopt;
    }
    return std::nullopt;
  }

  /// Moves the parts of a section with their instructions, which so far are the first ones alone, and without the
  /// padding after them; empty ones are left out.
  void takeCode(const std::vector<uint32_t> &code, std::vector<Part> &own, std::vector<Part> &parts) const {
    auto begin = code.begin();
    for (size_t i = 0; i < own.size(); ++i) {
      const auto end =
          i + 1 < own.size() ? std::ranges::lower_bound(code, own[i + 1].instructions.front()) : code.end();
      const auto last = static_cast<size_t>(end - code.begin());
      own[i].instructions.assign(begin, code.begin() + endOfFlow(code, last).value_or(last));
      if (!own[i].instructions.empty())
        parts.push_back(std::move(own[i]));
      begin = end;
    }
  }

  const mca::ProgramBranches &branches_;
  const mca::Program &program_;
  Layout layout_;
  llvm::DenseSet<const llvm::MCSymbol *> jumpedTo_;
  llvm::DenseSet<uint32_t> labelled_; ///< instructions after a label, of any kind
};

/// The function that one ends with a jump to, instead of a call: it does not return here either. No value if the last
/// instruction is none. A jump through a register is one where returns are instructions of their own.
std::optional<std::string> tailCallOf(const mca::ProgramBranches &branches, const Part &part) {
  const mca::Target &target = branches.target();
  const uint32_t last = lastBefore(part.instructions.size(), part.instructions, branches);
  const mca::Branch &branch = branches.at(last);
  if (!branch.endsBlock() || branch.fallsThrough())
    return std::nullopt;
  const bool hasReturns = target.triple().isX86() || target.triple().isAArch64();
  const llvm::MCSymbol *destination = destinationOf(branches, last);
  const bool isCall = destination ? !destination->isTemporary() && destination != part.label->symbol
                                  : branch.kind == mca::BranchKind::IndirectJump && hasReturns;
  return isCall ? std::optional(calleeOf(target, branches.inst(last))) : std::nullopt;
}

/// The code of a text that has one part.
Region wholeText(const mca::Program &program, const SourceMap &map) {
  std::vector<uint32_t> all(program.instructions().size());
  std::iota(all.begin(), all.end(), 0);
  Region region = regionOf(wire::RegionKind::Snippet, "whole text", std::move(all), map);
  region.at = rangeOf(region, map).value_or(map.lines().content(0));
  region.anchor = map.inBuffer(program.instructions().front().offset);
  return region;
}

/// No value if the code is of no line of the buffer.
std::optional<Region> regionOf(const Part &part, const mca::Program &program, const SourceMap &map) {
  const std::string name = part.label ? "function " + readableName(part.label->name) : "before the first function";
  Region region = regionOf(wire::RegionKind::Snippet, name, part.instructions, map);
  const std::optional<wire::ByteRange> range = rangeOf(region, map);
  if (!range)
    return std::nullopt;
  region.at = *range;
  region.anchor = map.inBuffer(part.label ? part.label->offset : program.instructions()[part.instructions[0]].offset);
  region.at.begin = std::min(region.at.begin, map.lines().content(map.lines().lineOf(region.anchor)).begin);
  return region;
}

} // namespace

std::vector<Region> findSnippets(const mca::ControlFlow &code, const SourceMap &map) {
  const mca::Program &program = code.program();
  std::vector<Region> regions;
  const std::vector<Part> parts = FunctionParts(code.branches).find();
  const bool isOne = parts.size() == 1 || llvm::none_of(parts, [](const Part &part) { return part.label; });
  for (const Part &part : isOne ? llvm::ArrayRef(parts).take_front() : llvm::ArrayRef(parts)) {
    std::optional<Region> region;
    if (isOne)
      region = wholeText(program, map);
    else if (!part.label || !part.label->name.ends_with(".cold"))
      region = regionOf(part, program, map);
    if (!region)
      continue;
    if (const auto callee = part.label ? tailCallOf(code.branches, part) : std::nullopt)
      region->calls.push_back(*callee);
    region->loop = nextNumber(regions);
    regions.push_back(std::move(*region));
  }
  return regions;
}

} // namespace analysis
