// Instruments: marker comments and vector-configuration instructions that change how later instructions are scheduled.
//
// The target defines their kinds and meanings (LLVM's mca::InstrumentManager). Only one instrument of each kind is
// active; the next one of the same kind replaces it. Unknown kinds and invalid data are errors in llvm-mca 22.1's
// words. LLVM silently ignores an invalid latency: we report it in our own words, except when following llvm-mca.
#pragma once

#include "mca-core/assembly/program.h"

namespace mca {

class InstrumentTracker {
public:
  /// A position for comparisons only. The upper half is the byte offset; the lower half orders the results of one macro
  /// call.
  using Position = uint64_t;

  /// `manager` creates the instruments and must outlive them.
  explicit InstrumentTracker(llvm::mca::InstrumentManager &manager) : manager_(manager) {}

  /// Handles a comment that is no region marker.
  void handleComment(Position at, std::string_view text, bool asLlvmMca);
  /// Handles an instruction. Some, such as vsetvli, are instruments that already apply to themselves.
  void handleInstruction(const llvm::MCInst &inst, Position at);
  /// Returns for each of the ascending positions the index in `sets` of its active instruments. Consecutive positions
  /// share equal sets.
  std::vector<uint32_t> resolve(const std::vector<Position> &positions, std::vector<InstrumentSet> &sets) const;

  /// Errors in the instruments so far.
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
  llvm::SmallVector<std::pair<llvm::StringRef, size_t>, 4> inForce_; // kind, index in spans_
  std::vector<Diagnostic> diagnostics_;
};

} // namespace mca
