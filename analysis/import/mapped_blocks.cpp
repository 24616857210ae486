#include "analysis/import/mapped_blocks.h"

#include "analysis/import/placement.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

using Block = llvm::object::BBAddrMap::BBEntry;
using mca::BranchKind;
using mca::kNone;

/// A branch in a block of the program.
struct TheirBranch {
  uint64_t address = 0;
  uint64_t end = 0;
  BranchKind kind = BranchKind::None;
  std::optional<uint64_t> target;
};

class BlockMatch {
public:
  BlockMatch(const std::vector<uint32_t> &instructions, const mca::ProgramBranches &branches, const AssembledText &text,
             const ProgramFunction &function)
      : instructions_(instructions), branches_(branches), text_(text), function_(function) {}

  /// Returns why the blocks do not match, or an empty text.
  std::string match(const std::vector<Block> &ours, const std::vector<Block> &theirs) {
    std::map<uint32_t, const Block *> byId; // any number may be in the file
    for (const Block &block : theirs)
      byId[block.ID] = &block;
    if (byId.size() != theirs.size() || ours.size() != theirs.size())
      return "its blocks in the block address maps differ";
    for (const Block &block : ours) {
      const Block *const other = byId.contains(block.ID) ? byId.at(block.ID) : nullptr;
      if (!other || !matchBlock(block, *other))
        return "the branches of block " + std::to_string(block.ID) + " differ";
    }
    return branchesAgree() ? "" : "its branches go to other blocks in the program";
  }

  std::vector<uint64_t> addresses() const {
    std::vector<uint64_t> addresses;
    for (const uint32_t instruction : instructions_) {
      const auto found = places_.find(instruction);
      addresses.push_back(found == places_.end() ? Placement::kNoAddress : found->second);
    }
    return addresses;
  }

private:
  /// Those of the text that start in a block.
  llvm::ArrayRef<uint32_t> instructionsIn(const Block &block) const {
    const uint64_t start = text_.at(instructions_.front()).offset + block.Offset;
    const auto isBefore = [&](uint64_t end) {
      return [this, end](uint32_t instruction) { return text_.at(instruction).offset < end; };
    };
    const auto first = llvm::partition_point(instructions_, isBefore(start));
    return {&*instructions_.begin() + (first - instructions_.begin()),
            static_cast<size_t>(llvm::partition_point(instructions_, isBefore(start + block.Size)) - first)};
  }

  /// The branches of a block of the program; nothing if it cannot be decoded.
  std::optional<std::vector<TheirBranch>> branchesIn(const Block &block) const {
    std::vector<TheirBranch> found;
    const uint64_t end = uint64_t{block.Offset} + block.Size;
    if (end > function_.bytes.size())
      return std::nullopt;
    for (uint64_t at = block.Offset; at < end;) {
      const uint64_t address = function_.address + at;
      const auto inst = text_.decode(function_.bytes.slice(at, end), address);
      if (!inst)
        return std::nullopt;
      at += inst->size;
      if (const BranchKind kind = text_.kindOf(inst->inst); kind != BranchKind::None)
        found.push_back({address, function_.address + at, kind, text_.targetOf(*inst, address)});
    }
    return found;
  }

  bool matchBlock(const Block &ours, const Block &theirs) {
    const auto found = branchesIn(theirs);
    const llvm::ArrayRef<uint32_t> block = instructionsIn(ours);
    const auto isBranch = [&](uint32_t one) { return branches_.kindOf(one) != BranchKind::None; };
    if (!found || static_cast<size_t>(llvm::count_if(block, isBranch)) != found->size())
      return false;
    if (!block.empty())
      places_[block.front()] = function_.address + theirs.Offset;
    auto other = found->begin();
    for (const uint32_t instruction : llvm::make_filter_range(block, isBranch)) {
      if (branches_.kindOf(instruction) != other->kind)
        return false;
      places_[instruction] = other->address;
      if (const uint32_t next = branches_.next(instruction); next != kNone)
        places_.try_emplace(next, other->end);
      pairs_.emplace_back(instruction, *other++);
    }
    return true;
  }

  /// Whether each direct jump in the function goes to the block that it goes to in the text.
  bool branchesAgree() const {
    return llvm::all_of(pairs_, [&](const auto &pair) {
      const mca::Branch &branch = branches_.at(pair.first);
      const bool isInside = branch.target != kNone && branch.kind != BranchKind::Call &&
                            branches_.functionOf(branch.target) == branches_.functionOf(pair.first);
      return !isInside || pair.second.target == places_.lookup(branch.target);
    });
  }

  const std::vector<uint32_t> &instructions_;
  const mca::ProgramBranches &branches_;
  const AssembledText &text_;
  const ProgramFunction &function_;
  llvm::DenseMap<uint32_t, uint64_t> places_; ///< by instruction of the text
  std::vector<std::pair<uint32_t, TheirBranch>> pairs_;
};

} // namespace

std::optional<std::vector<uint64_t>> findByBlocks(const std::vector<uint32_t> &instructions,
                                                  const mca::ProgramBranches &branches, const AssembledText &text,
                                                  const ProgramImage &image, const ProgramFunction &function,
                                                  std::string &why) {
  const EncodedInstruction &first = text.at(instructions.front());
  const auto inOrder = [&](uint32_t one, uint32_t other) { return text.at(one).offset < text.at(other).offset; };
  const BlockMap ourMap = readBlockMap(text.object(), first.section);
  const auto ours = ourMap.find(first.offset), theirs = image.blockMap().find(function.address);
  if (ours == ourMap.end() || theirs == image.blockMap().end() || !llvm::is_sorted(instructions, inOrder)) {
    why = std::string(ours == ourMap.end() ? "the text" : "the program") + " has no block address map";
    return std::nullopt;
  }
  BlockMatch match(instructions, branches, text, function);
  why = match.match(ours->second, theirs->second);
  return why.empty() ? std::optional(match.addresses()) : std::nullopt;
}

} // namespace analysis
