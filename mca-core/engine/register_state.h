// Register renaming while a region runs: the last writer of each register, the eliminated moves, and the use of
// physical registers.
//
// The rules are llvm-mca 22.1's (RegisterFile in LLVM's MCA library). A write stays recorded after it has retired,
// because a late read (a negative read-advance) may still wait for it. An alias stands for a register, not for its
// value, so later writes to the source are visible through it.
#pragma once

#include "mca-core/model/body.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace mca {

/// A definition: an instance and the index of its write.
struct WriteRef {
  static constexpr uint64_t kNoInstance = ~0ull;
  uint64_t id = kNoInstance;
  uint32_t write = 0; ///< into Body::writes
  bool operator==(const WriteRef &) const = default;
};

/// Completes a wait that RegisterState::rename() reported: `latency` is the number of cycles until the definition
/// arrives, counted from the start of the wait.
inline OperandWait waitAfter(int32_t latency, OperandWait wait) {
  wait.cycles = std::max(0, latency + wait.cycles);
  wait.delay = std::max(0, wait.cycles + wait.delay);
  return wait;
}

class RegisterState {
public:
  /// Clears all writers. `body` must outlive the run.
  void reset(const Body &body);

  /// Whether the register files have room for all definitions of the instruction.
  bool hasRoom(const BodyInstruction &instruction) const {
    // A lane loses its highest bit if more registers are needed than its file has left.
    return !(~(limits_ - used_ - instruction.needs.lanes) & kHighest);
  }
  void startCycle() {
    if (moved_)
      std::fill(movesEliminated_.begin(), movesEliminated_.end(), 0);
    moved_ = false;
  }

  /// Renames an instruction: eliminates it if it is a move that can be, and otherwise calls `visit(writer, wait)` for
  /// each definition that one of its operands waits for. Then records its definitions. Returns whether it was
  /// eliminated. The times in `wait` are relative, see waitAfter(); `writer` may have retired.
  template <typename Visit>
  bool rename(const BodyInstruction &instruction, uint64_t id, Visit visit);

  // The parts of rename(), for those that need only some.

  /// Eliminates a move or exchange, and returns whether it could (RegisterFile::tryEliminateMoveOrSwap).
  bool eliminate(const BodyInstruction &instruction);
  /// Whether the register with this cell is an alias.
  bool isAlias(Cell cell) const { return cell != kNoCell && !aliases_.empty() && aliases_[cell] != kNoAlias; }

  /// Calls `visit` once for each definition that contributes to the value (RegisterFile::collectWrites).
  template <typename Visit>
  void forEachWriter(const BodyRead &read, Visit visit) const;
  /// Records the definitions of an instruction (RegisterFile::addRegisterWrite).
  void define(const BodyInstruction &instruction, uint64_t id, bool eliminated);

  /// Returns the physical registers that its definitions allocate in files with a limit.
  uint64_t countedOf(const BodyInstruction &instruction) const { return instruction.allocations.lanes & limited_; }
  /// Allocates physical registers.
  void allocate(uint64_t counted) { used_ += counted; }
  /// Frees physical registers at retirement.
  void retire(uint64_t counted) { used_ -= counted; }

  /// Passes everything that later cycles depend on to `sink`; stops if that returns false. `describeWriter` does so for
  /// one definition; it is unused if the program alone determines the writers (`isStatic`).
  template <typename Sink, typename DescribeWriter>
  bool describe(Sink &sink, bool isStatic, DescribeWriter describeWriter) const;

  /// Number of definitions of the last eliminated move that forward a known zero.
  uint32_t zeroMoves() const { return static_cast<uint32_t>(std::popcount(zeros_)); }

private:
  static constexpr uint16_t kNoAlias = 0xFFFF;
  static constexpr uint64_t kHighest = 0x8000'8000'8000'8000; ///< the highest bit of each lane
  void defineZeros(const BodyInstruction &instruction, bool eliminated);
  bool isZero(Cell cell) const { return cell != kNoCell && zero_[cell]; }

  const Body *body_ = nullptr;
  std::vector<WriteRef> writers_;         // by cell
  std::vector<uint16_t> aliases_;         // by cell, into Body::values; empty if no move can be eliminated
  std::vector<uint8_t> zero_;             // by cell
  std::vector<uint32_t> movesEliminated_; // by register file
  // As RegisterCounts: registers in use; sizes of the files with the highest bits set; all bits of files with a limit.
  uint64_t used_ = 0, limits_ = 0, limited_ = 0;
  uint32_t zeros_ = 0; // by definition of the last eliminated move: it forwards a known zero
  bool moved_ = false;
};

/// Most values have one cell and no alias. Otherwise a definition that several cells name counts once, as
/// RegisterFile::collectWrites removes duplicates.
template <typename Visit>
[[gnu::always_inline]] inline void RegisterState::forEachWriter(const BodyRead &read, Visit visit) const {
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

inline void RegisterState::define(const BodyInstruction &instruction, uint64_t id, bool eliminated) {
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

/// The order is that of DispatchStage::dispatch: elimination, reads, definitions.
template <typename Visit>
inline bool RegisterState::rename(const BodyInstruction &instruction, uint64_t id, Visit visit) {
  const bool eliminated = instruction.moves.count && eliminate(instruction);
  if (!eliminated)
    for (const BodyRead &read : body_->readsOf(instruction))
      if (!read.independent)
        forEachWriter(read, [&](const WriteRef &writer) {
          const int32_t advance = body_->advances[read.advances + body_->writes[writer.write].kind];
          visit(writer, OperandWait{.cycles = -advance, .operand = read.operand, .write = writer.write});
        });
  // A move with a partial write is never eliminated, so these wait in any case.
  for (uint32_t i = 0; instruction.merges && i < instruction.writes.count; ++i) {
    const BodyWrite &write = body_->writes[instruction.writes.first + i];
    if (write.mergedInto == kNoCell || writers_[write.mergedInto].id == WriteRef::kNoInstance)
      continue;
    // It must not complete before the register that it merges into (WriteState::isReady).
    const WriteRef &writer = writers_[write.mergedInto];
    visit(writer, OperandWait{.delay = write.latency ? 1 - write.latency : 0,
                              .operand = instruction.operandReads + i,
                              .write = writer.write});
  }
  define(instruction, id, eliminated);
  return eliminated;
}

template <typename Sink, typename DescribeWriter>
bool RegisterState::describe(Sink &sink, bool isStatic, DescribeWriter describeWriter) const {
  if (!isStatic)
    for (const WriteRef &writer : writers_)
      if (!describeWriter(writer))
        return false;
  for (size_t cell = 0; cell < aliases_.size(); ++cell)
    if (!sink(aliases_[cell], zero_[cell]))
      return false;
  return sink(used_);
}

} // namespace mca
