#include "mca-core/program/entry_offsets.h"

#include "mca-core/program/operands.h"
#include "mca-core/program/x86_instruction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mca {
namespace {

constexpr uint32_t kFarthest = 200; // instructions

/// A register's value at the begin of the region, as the code shows it from some place on.
struct FollowedRegister {
  llvm::MCRegister reg;
  llvm::MCRegister from; ///< which the value is computed from by then; invalid if that is not followed further
  uint64_t bytes = 0;    ///< more than `from`; wraps
};

class EntryOffsets {
public:
  EntryOffsets(const ControlFlow &flow, std::span<const uint32_t> code) : flow_(flow), code_(code) { findRegisters(); }

  void followFrom(uint32_t first) {
    const CodeBlocks &blocks = flow_.blocks;
    const uint32_t begin = blocks.blockOf(first);
    uint32_t block = begin, end = first;
    while (followThrough(blocks.at(block).instructions, end)) {
      const CodeBlock &known = blocks.at(block);
      const std::optional<uint32_t> before = known.isEntry ? std::nullopt : blockBefore(block);
      if (!before) {
        const bool isCalled = known.isEntry && known.predecessors.empty();
        if (!isCalled && !beginsLoopAround(block, begin))
          forgetOpen();
        return;
      }
      block = *before;
      end = kNone;
    }
  }

  std::vector<EntryOffset> offsets() const {
    std::vector<EntryOffset> offsets;
    for (const FollowedRegister &one : followed_)
      if (const uint32_t bytes = one.bytes % kOffsetPeriod)
        offsets.push_back({one.reg, bytes});
    return offsets;
  }

private:
  const llvm::MCInstrDesc &descriptionOf(const llvm::MCInst &inst) const {
    return flow_.target().instructions().get(inst.getOpcode());
  }

  void findRegisters() {
    const Target &target = flow_.target();
    llvm::SmallVector<unsigned, 8> found;
    for (const uint32_t index : code_) {
      const llvm::MCInst &inst = flow_.branches.inst(index);
      const llvm::ArrayRef<llvm::MCOperandInfo> operands = descriptionOf(inst).operands();
      for (unsigned i = 0; i < std::min<size_t>(operands.size(), inst.getNumOperands()); ++i)
        if (isAddressBase(target, operands[i]) && registerAt(inst, i).isValid())
          found.push_back(wholeRegister(registerAt(inst, i), target).id());
    }
    llvm::sort(found);
    found.erase(llvm::unique(found), found.end());
    for (const llvm::MCRegister reg : found)
      followed_.push_back({.reg = reg, .from = isStackPointer(reg, target) ? llvm::MCRegister() : reg});
  }

  /// The only block from which control comes to another one, if it is not in the code.
  std::optional<uint32_t> blockBefore(uint32_t block) const {
    std::optional<uint32_t> only;
    for (const uint32_t before : flow_.blocks.at(block).predecessors) {
      if (llvm::is_contained(code_, flow_.blocks.at(before).last))
        continue;
      if (only)
        return std::nullopt;
      only = before;
    }
    return only;
  }

  /// Pointers of a loop around the code are as good as those of the function: they go from row to row. What other ways
  /// that meet leave, such as a loop before, may be anywhere in a line.
  bool beginsLoopAround(uint32_t block, uint32_t inside) const {
    return llvm::any_of(flow_.blocks.at(block).predecessors,
                        [&](uint32_t before) { return block <= inside && inside <= before; });
  }

  static bool isOpen(const FollowedRegister &one) { return one.from.isValid(); }
  void forgetOpen() {
    for (FollowedRegister &one : followed_)
      if (isOpen(one))
        one = {.reg = one.reg, .from = {}};
  }

  /// Goes backward through the instructions of a block before `end`. Returns whether to go on.
  bool followThrough(std::span<const uint32_t> block, uint32_t end) {
    const auto last = llvm::find(block, end);
    for (const uint32_t index : llvm::reverse(llvm::make_range(block.begin(), last))) {
      const llvm::MCInst &inst = flow_.branches.inst(index);
      if (descriptionOf(inst).isCall() || llvm::none_of(followed_, isOpen))
        return false;
      if (++distance_ > kFarthest) {
        forgetOpen();
        return false;
      }
      for (FollowedRegister &one : followed_)
        if (isOpen(one) && writesRegister(flow_.target(), inst, one.from))
          follow(inst, one);
    }
    return true;
  }

  void follow(const llvm::MCInst &inst, FollowedRegister &one) const {
    const Target &target = flow_.target();
    const auto isWhole = [&](llvm::MCRegister reg) { return reg.isValid() && wholeRegister(reg, target) == reg; };
    const std::optional<AddedConstant> added = addedConstantOf(inst, target);
    if (const std::optional<uint64_t> number = loadedNumberOf(inst, target)) {
      one.bytes += *number;
      one.from = {};
    } else if (added && added->destination == one.from && isWhole(added->source)) {
      one.bytes += static_cast<uint64_t>(added->constant);
      one.from = added->source;
    } else if (isPlainLoad(inst)) {
      one.from = {};
    } else {
      one = {.reg = one.reg, .from = {}};
    }
    if (one.from.isValid() && isStackPointer(one.from, target))
      one = {.reg = one.reg, .from = {}};
  }

  /// Whether what is written is what memory holds: no operation with it, nor a part of the register.
  bool isPlainLoad(const llvm::MCInst &inst) const {
    const llvm::MCInstrDesc &description = descriptionOf(inst);
    const bool isTied =
        description.getNumOperands() > 1 && description.getOperandConstraint(1, llvm::MCOI::TIED_TO) == 0;
    return description.mayLoad() && !isTied && registerAt(inst, 0).isValid() &&
           definesWholeRegister(registerAt(inst, 0), flow_.target());
  }

  const ControlFlow &flow_;
  const std::span<const uint32_t> code_;
  llvm::SmallVector<FollowedRegister, 8> followed_;
  uint32_t distance_ = 0;
};

} // namespace

std::vector<EntryOffset> findEntryOffsets(const ControlFlow &flow, uint32_t first, std::span<const uint32_t> code) {
  EntryOffsets found(flow, code);
  found.followFrom(first);
  return found.offsets();
}

} // namespace mca
