// Tracks the spans of the text in which each instrument is active.
#include "mca-core/assembly/instruments.h"

#include <algorithm>
#include <limits>

namespace mca {
namespace {

constexpr InstrumentTracker::Position kForever = std::numeric_limits<InstrumentTracker::Position>::max();

/// Whether the data is a number of cycles that a simulation can handle, or empty, which ends an earlier latency.
bool isLatency(llvm::StringRef data) {
  unsigned cycles = 0;
  return data.trim().empty() ||
         (!data.trim().getAsInteger(10, cycles) && cycles <= unsigned{std::numeric_limits<int>::max()});
}

} // namespace

void InstrumentTracker::handleComment(Position at, std::string_view text, bool asLlvmMca) {
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

void InstrumentTracker::handleInstruction(const llvm::MCInst &inst, Position at) {
  if (manager_.shouldIgnoreInstruments())
    return;
  for (llvm::mca::UniqueInstrument &instrument : manager_.createInstruments(inst))
    start(std::move(instrument), at);
}

void InstrumentTracker::start(llvm::mca::UniqueInstrument instrument, Position at) {
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

void InstrumentTracker::fail(Position at, std::string_view comment, std::string message) {
  const auto offset = static_cast<uint32_t>(at >> 32);
  diagnostics_.push_back({.begin = offset,
                          .end = offset + static_cast<uint32_t>(comment.size()),
                          .message = std::move(message),
                          .fromMarker = true});
}

std::vector<uint32_t> InstrumentTracker::resolve(const std::vector<Position> &positions,
                                                 std::vector<InstrumentSet> &sets) const {
  sets.assign(1, {});
  std::vector<uint32_t> result;
  result.reserve(positions.size());
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

} // namespace mca
