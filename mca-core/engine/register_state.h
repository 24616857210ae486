// Register renaming while a region runs: who writes each register, which moves are eliminated, how full the physical
// register files are.
//
// The rules are llvm-mca 22.1's (class RegisterFile of LLVM's MCA library). A write stays in the map after it has
// retired, because a late read (a negative read-advance) may still have to wait for it. An alias names a register, not
// its value: later writes to the source are seen through it.
#pragma once

#include "mca-core/model/body.h"

#include <cstdint>
#include <vector>

namespace mca {

/// A definition: an instance and the number of its write.
struct WriteRef {
  static constexpr uint64_t kNoInstance = ~0ull;
  uint64_t id = kNoInstance;
  uint32_t write = 0; ///< index into Body::writes
  bool operator==(const WriteRef &) const = default;
};

class RegisterState {
public:
  /// Nobody has written anything. `body` must outlive the run.
  void reset(const Body &body);

  /// True when the files have room for all definitions of the instruction.
  bool hasRoom(const BodyInstruction &instruction) const {
    // What is left in a file keeps its highest bit until more is asked for.
    return !(~(limits_ - used_ - instruction.needs.lanes) & kHighest);
  }
  void startCycle() {
    if (moved_)
      std::fill(movesEliminated_.begin(), movesEliminated_.end(), 0);
    moved_ = false;
  }

  /// Tries to carry out a move or an exchange in the map alone.
  bool eliminate(const BodyInstruction &instruction);

  /// Whether the register with that cell of its own is an alias of another.
  bool isAlias(Cell cell) const { return cell != kNoCell && !aliases_.empty() && aliases_[cell] != kNoAlias; }

  /// Calls `visit` with each definition that the value comes from, each once.
  template <typename Visit>
  void forEachWriter(const BodyRead &read, Visit visit) const;

  /// Enters the definitions of an instruction. `merge` is told of each that must be merged into an earlier one (a
  /// partial write): its number in the instruction, and the earlier one.
  template <typename Merge>
  void define(const BodyInstruction &instruction, uint64_t id, bool eliminated, Merge merge);
  /// The physical registers that its definitions take of files that have a size.
  uint64_t countedOf(const BodyInstruction &instruction) const { return instruction.allocations.lanes & limited_; }
  /// Takes them for its definitions.
  void allocate(uint64_t counted) { used_ += counted; }
  /// The definitions have retired: the physical registers are free.
  void retire(uint64_t counted) { used_ -= counted; }

  /// Passes everything that later cycles depend on at the start of one to `sink`; stops when that returns false.
  /// `describeWriter` does so for one definition; it is not asked when who writes what `isStatic`.
  template <typename Sink, typename DescribeWriter>
  bool describe(Sink &sink, bool isStatic, DescribeWriter describeWriter) const;

  /// Whether the definition of the last eliminated move, by its number, passes on a register known to be zero.
  bool movesZero(uint32_t write) const { return zeros_ >> write & 1; }

private:
  static constexpr uint16_t kNoAlias = 0xFFFF;
  static constexpr uint64_t kHighest = 0x8000'8000'8000'8000; ///< bit of each file
  void defineZeros(const BodyInstruction &instruction, bool eliminated);
  bool isZero(Cell cell) const { return cell != kNoCell && zero_[cell]; }

  const Body *body_ = nullptr;
  std::vector<WriteRef> writers_;         // by cell
  std::vector<uint16_t> aliases_;         // by cell, into Body::values; empty when no move can be eliminated
  std::vector<uint8_t> zero_;             // by cell
  std::vector<uint32_t> movesEliminated_; // by register file
  // RegisterCounts: registers in use, the files' sizes with the highest bits set, and all bits of files that have a
  // size.
  uint64_t used_ = 0, limits_ = 0, limited_ = 0;
  uint32_t zeros_ = 0; // of the last eliminated move
  bool moved_ = false;
};

template <typename Visit>
inline void RegisterState::forEachWriter(const BodyRead &read, Visit visit) const {
  Range range = read.cells;
  if (isAlias(read.self))
    range = body_->values[aliases_[read.self]];
  else if (range.count == 1) {
    if (const WriteRef &writer = writers_[read.cell]; writer.id != WriteRef::kNoInstance)
      visit(writer);
    return;
  }
  const Cell *cells = body_->cells.data() + range.first;
  for (uint32_t i = 0; i < range.count; ++i) {
    const WriteRef &writer = writers_[cells[i]];
    if (writer.id == WriteRef::kNoInstance)
      continue;
    bool seen = false;
    for (uint32_t earlier = 0; earlier < i && !seen; ++earlier)
      seen = writers_[cells[earlier]] == writer;
    if (!seen)
      visit(writer);
  }
}

template <typename Merge>
inline void RegisterState::define(const BodyInstruction &instruction, uint64_t id, bool eliminated, Merge merge) {
  const BodyWrite *writes = body_->writes.data() + instruction.writes.first;
  if (instruction.merges)
    for (uint32_t i = 0; i < instruction.writes.count; ++i)
      if (writes[i].mergedInto != kNoCell)
        if (const WriteRef &earlier = writers_[writes[i].mergedInto]; earlier.id != WriteRef::kNoInstance)
          merge(i, earlier);
  if (!aliases_.empty())
    defineZeros(instruction, eliminated);
  if (eliminated)
    return;
  for (const BodyStore &store : Body::slice(body_->stores, instruction.stores)) {
    writers_[store.cell] = {id, store.write};
    if (!aliases_.empty())
      aliases_[store.cell] = kNoAlias;
  }
}

template <typename Sink, typename DescribeWriter>
bool RegisterState::describe(Sink &sink, bool isStatic, DescribeWriter describeWriter) const {
  if (!isStatic)
    for (const WriteRef &writer : writers_)
      if (!describeWriter(writer))
        return false;
  for (size_t cell = 0; cell < aliases_.size(); ++cell)
    if (!sink(uint64_t(aliases_[cell]) << 1 | zero_[cell]))
      return false;
  return sink(used_);
}

} // namespace mca
