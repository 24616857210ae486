// The start and the end of a recording: cycles become relative to the window, and are summed by instruction.
#include "mca-core/report/window_recorder.h"

namespace mca {

void WindowRecorder::reset(const WindowRange &range) {
  assert(range.count && range.count <= WindowRange::kMaxCount);
  range_ = range;
  recent_ = {};
  window_ = {.first = range.first};
  taken_.clear();
  now_ = 0;
  dispatched_ = dispatchedBefore_ = 0;
  bottlenecks.reset();
  waits.reset();
}

void WindowRecorder::onFetched(const InstructionStream::Segment &segment) {
  for (const uint32_t instruction : segment.instructions) {
    if (fetched() >= range_.first && window_.rows.size() < range_.count)
      window_.rows.push_back({.instruction = instruction});
    recent_.add(instruction);
  }
  if (segment.endsMispredicted && isInWindow(fetched() - 1))
    rowOf(fetched() - 1).isMispredicted = true;
}

/// Waits are summed as by PlainRecorder::retire().
void WindowRecorder::countBy(const TraceWindowRow &row) {
  WindowInstruction &one = window_.executed[row.instruction];
  const TimelineEntry &entry = row.entry;
  ++one.executions;
  one.waits.inScheduler += static_cast<uint64_t>(entry.issued - entry.dispatched);
  one.waits.inSchedulerReady += static_cast<uint64_t>(entry.issued - entry.ready);
  if (entry.retired > entry.executed)
    one.waits.beforeRetire += static_cast<uint64_t>(entry.retired - 1 - entry.executed);
  if (!row.resumed)
    return;
  ++one.redirects;
  one.heldFetches += static_cast<uint64_t>(*row.resumed - entry.dispatched);
}

TraceWindow WindowRecorder::finish(const std::vector<InstructionInfo> &instructions, llvm::MCInstPrinter &printer) {
  if (window_.rows.empty())
    return std::move(window_);
  window_.begin = window_.rows.front().entry.dispatched;
  window_.executed.resize(instructions.size());
  for (TraceWindowRow &row : window_.rows) {
    // An event that never happens, as the retirement of some instructions in order, stays at 0 as in a loop's timeline.
    for (int64_t TimelineEntry::*event : {&TimelineEntry::dispatched, &TimelineEntry::ready, &TimelineEntry::issued,
                                          &TimelineEntry::executed, &TimelineEntry::retired})
      row.entry.*event = std::max<int64_t>(row.entry.*event - window_.begin, 0);
    if (row.resumed)
      *row.resumed -= window_.begin;
    countBy(row);
  }
  Report &report = window_.report;
  report.instructions = instructions;
  if (bottlenecks)
    report.bottlenecks = bottlenecks->finish(printer);
  if (!waits)
    return std::move(window_);
  report.waits = waits->finish(printer);
  report.waits->segments.resize(window_.rows.size());
  for (std::vector<WaitSegment> &segments : report.waits->segments)
    for (WaitSegment &segment : segments) {
      segment.from -= window_.begin;
      segment.to -= window_.begin;
    }
  return std::move(window_);
}

} // namespace mca
