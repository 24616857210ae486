// Instruments: marker comments and vector-configuration instructions that change how later instructions are scheduled.
//
// The target defines their kinds and meanings (LLVM's mca::InstrumentManager). Only one instrument of each kind is
// active; the next one of the same kind replaces it. Unknown kinds and invalid data are errors in llvm-mca 22.1's
// words. LLVM silently ignores an invalid latency: we report it in our own words, except when following llvm-mca.
#pragma once

#include "mca-core/assembly/program.h"

#include <limits>

namespace mca {

/// Collects instruments in text order while the parser runs, and resolves afterwards which are active where.
class InstrumentTracker {
public:
  /// A position for comparisons only. The upper half is the byte offset; the lower half orders the results of one macro
  /// call.
  using Position = uint64_t;

  /// `manager` creates the instruments and must outlive them.
  explicit InstrumentTracker(llvm::mca::InstrumentManager &manager) : manager_(manager) {}

  /// Handles a comment that is no region marker.
  void handleComment(Position at, std::string_view text, bool asLlvmMca) {
    const std::optional<std::string_view> body = markerBody(text);
    if (!body || manager_.shouldIgnoreInstruments())
      return;
    const auto [kind, data] = llvm::StringRef(*body).split(' ');
    if (kind.empty())
      return fail(at, text, "No instrumentation kind was provided in LLVM-MCA comment");
    if (!manager_.supportsInstrumentType(kind))
      return fail(at, text, "Unknown instrumentation type in LLVM-MCA comment: " + kind.str());
    if (!asLlvmMca && kind == llvm::mca::LatencyInstrument::DESC_NAME && !isLatency(data))
      return fail(at, text,
                  "LATENCY needs a number of cycles, at most " + std::to_string(std::numeric_limits<int>::max()));
    llvm::mca::UniqueInstrument instrument = manager_.createInstrument(kind, data);
    if (!instrument)
      return fail(at, text,
                  "Failed to create " + kind.str() +
                      (data.empty() ? " instrument with no data" : " instrument with data: " + data.str()));
    start(std::move(instrument), at);
  }
  /// Handles an instruction. Some, such as vsetvli, are instruments that already apply to themselves.
  void handleInstruction(const llvm::MCInst &inst, Position at) {
    if (manager_.shouldIgnoreInstruments())
      return;
    for (llvm::mca::UniqueInstrument &instrument : manager_.createInstruments(inst))
      start(std::move(instrument), at);
  }
  /// Returns for each of the ascending positions the index in `sets` of its active instruments. Consecutive positions
  /// share equal sets.
  std::vector<uint32_t> resolve(const std::vector<Position> &positions, std::vector<InstrumentSet> &sets) const {
    sets.assign(1, {});
    std::vector<uint32_t> result;
    result.reserve(positions.size());
    // Positions and spans ascend, so one pass over both is enough.
    std::vector<const Span *> active;
    size_t nextSpan = 0;
    for (const Position at : positions) {
      const bool someEnd = std::erase_if(active, [&](const Span *span) { return span->end < at; }) > 0;
      const size_t before = nextSpan;
      for (; nextSpan < spans_.size() && spans_[nextSpan].begin <= at; ++nextSpan)
        if (spans_[nextSpan].end >= at)
          active.push_back(&spans_[nextSpan]);
      if (someEnd || nextSpan != before) {
        InstrumentSet &set = sets.emplace_back();
        for (const Span *span : active)
          set.push_back(span->instrument.get());
      }
      result.push_back(static_cast<uint32_t>(sets.size() - 1));
    }
    return result;
  }

  /// Errors in the instruments so far.
  const std::vector<Diagnostic> &diagnostics() const { return diagnostics_; }
  std::vector<Diagnostic> takeDiagnostics() { return std::move(diagnostics_); }

private:
  struct Span {
    llvm::mca::UniqueInstrument instrument;
    Position begin;
    Position end; // inclusive
  };
  static constexpr Position kForever = std::numeric_limits<Position>::max();

  /// Whether the data is a number of cycles that a simulation can handle, or empty, which ends an earlier latency.
  static bool isLatency(llvm::StringRef data) {
    unsigned cycles = 0;
    return data.trim().empty() ||
           (!data.trim().getAsInteger(10, cycles) && cycles <= unsigned{std::numeric_limits<int>::max()});
  }
  void start(llvm::mca::UniqueInstrument instrument, Position at) {
    const llvm::StringRef kind = instrument->getDesc();
    const auto earlier = llvm::find_if(inForce_, [&](const auto &entry) { return entry.first == kind; });
    if (earlier == inForce_.end()) {
      inForce_.emplace_back(kind, spans_.size());
    } else {
      spans_[earlier->second].end = at;
      earlier->second = spans_.size();
    }
    spans_.push_back({std::move(instrument), at, kForever});
  }
  void fail(Position at, std::string_view comment, std::string message) {
    const auto offset = static_cast<uint32_t>(at >> 32);
    diagnostics_.push_back({.begin = offset,
                            .end = offset + static_cast<uint32_t>(comment.size()),
                            .message = std::move(message),
                            .fromMarker = true});
  }

  llvm::mca::InstrumentManager &manager_;
  std::vector<Span> spans_;                                          // ascending by begin
  llvm::SmallVector<std::pair<llvm::StringRef, size_t>, 4> inForce_; // kind, index in spans_
  std::vector<Diagnostic> diagnostics_;
};

} // namespace mca
