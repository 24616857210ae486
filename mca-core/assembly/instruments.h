// Instruments: what marker comments and vector-configuration instructions say about the instructions behind them.
//
// The kinds and their meaning are the target's (LLVM's mca::InstrumentManager). Of one kind one instrument is in force
// at a time: the next one of the kind ends it. Unknown kinds and bad data are errors with llvm-mca 22.1's words. Of a
// latency that LLVM does not read it says nothing: that is an error in our words, but not where llvm-mca is followed.
#pragma once

#include "mca-core/assembly/markers.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MCA/CustomBehaviour.h"

#include <memory>
#include <string_view>
#include <vector>

namespace mca {

class InstrumentTracker {
public:
  using Set = llvm::SmallVector<llvm::mca::Instrument *>;

  /// Where something stands, for comparison only: the byte offset in the upper half, and in the lower one a count that
  /// orders what one macro call made.
  using Position = uint64_t;

  /// `manager` makes the instruments and must outlive them.
  explicit InstrumentTracker(llvm::mca::InstrumentManager &manager) : manager_(manager) {}

  /// Looks at a comment's text that is no region marker.
  void handleComment(Position at, std::string_view text, bool asLlvmMca);
  /// Looks at an instruction: some (vsetvli) are instruments themselves, in force from the instruction itself on.
  void handleInstruction(const llvm::MCInst &inst, Position at);
  /// The index in `sets` of what is in force at each of the ascending positions; sets that repeat are made once.
  std::vector<uint32_t> resolve(const std::vector<Position> &positions, std::vector<Set> &sets) const;

  /// What is wrong with the instruments so far.
  const std::vector<Diagnostic> &diagnostics() const { return diagnostics_; }
  std::vector<Diagnostic> takeDiagnostics() { return std::move(diagnostics_); }

private:
  struct Span {
    llvm::mca::UniqueInstrument instrument;
    Position begin;
    Position end; // inclusive
  };
  void start(llvm::mca::UniqueInstrument instrument, Position at);
  void fail(Position at, std::string_view comment, std::string message);

  llvm::mca::InstrumentManager &manager_;
  std::vector<Span> spans_;
  llvm::SmallVector<std::pair<llvm::StringRef, size_t>, 4> inForce_; // kind, index into spans_
  std::vector<Diagnostic> diagnostics_;
};

} // namespace mca
