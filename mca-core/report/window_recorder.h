// Records a window of a run along a trace: every event of its instructions, and why they waited.
//
// An instance of a loop is an instruction of the body by its number alone. Along a trace, the instructions are
// remembered as the machine reads them: those of the window, and the last ones before and after.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/report/bottlenecks.h"
#include "mca-core/report/trace_window.h"
#include "mca-core/report/waits.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>
#include <vector>

namespace mca {

class WindowRecorder {
public:
  static constexpr bool kDetails = true;
  static constexpr bool wantsExecutions() { return true; }

  /// Turns the optional collectors off. Create those that are requested next.
  void reset(const WindowRange &range);
  /// The machine has read these instructions; they follow those of the last call.
  void onFetched(const InstructionStream::Segment &segment);
  uint64_t fetched() const { return recent_.size(); }
  const RecentInstructions &recent() const { return recent_; }

  void onDispatched(uint64_t id, uint32_t, uint32_t, const Dispatched &dispatched) {
    dispatched_ = id + 1;
    if (!dispatched.first)
      return;
    if (waits)
      waits->onDispatched(id);
    record(id, &TimelineEntry::dispatched);
  }
  void onReady(uint64_t id, uint32_t) { record(id, &TimelineEntry::ready); }
  void onTaken(const TakenUnit &unit) { taken_.push_back(unit); }
  void onIssued(const IssuedInstruction &issued) {
    if (waits)
      waits->onIssued(issued, taken_);
    taken_.clear();
    record(issued.id, &TimelineEntry::issued);
  }
  void onExecuted(uint64_t id, uint32_t) {
    if (waits)
      waits->onExecuted(id);
    record(id, &TimelineEntry::executed);
  }
  void onRetired(uint64_t id, uint32_t, bool) {
    if (waits)
      waits->onRetired(id);
    record(id, &TimelineEntry::retired);
  }
  void onInstance(uint64_t id, uint32_t, const InstanceTimes &times) {
    dispatched_ = id + 1;
    if (isInWindow(id))
      rowOf(id).entry = {times.dispatched, times.ready, times.issued, times.executed, times.retired};
  }
  /// Fetching was held back by the last instance.
  void onRedirect(const Redirect &redirect) {
    if (isInWindow(dispatched_ - 1))
      rowOf(dispatched_ - 1).resumed = redirect.resumed;
  }
  void onBuffersReserved(uint32_t) {}
  void onBuffersReleased(uint32_t) {}
  void onStall(DispatchStall stall) {
    if (waits)
      waits->onStall(stall);
    if (bottlenecks && isNow())
      bottlenecks->onStall();
  }
  void onPressure(PressureReason reason, uint64_t resources) {
    if (bottlenecks && isNow())
      bottlenecks->onPressure(reason, resources);
  }
  bool wantsWaits() const { return waits.has_value(); }
  void onOperandsReady(const ReadyOperands &operands) { waits->onOperandsReady(operands); }
  void onHeld(uint64_t id, uint64_t busy) { waits->onHeld(id, busy); }
  void onStalledInOrder(const InOrderStall &stall) { waits->onStalledInOrder(stall); }
  void onWaited(uint64_t id, WaitKind kind, uint64_t key, uint64_t by, int64_t from, int64_t to) {
    waits->onWaited(id, kind, key, by, from, to);
  }
  void onCyclesEnd(int64_t cycles) {
    if (waits)
      waits->onCyclesEnd(cycles);
    if (bottlenecks && isNow())
      bottlenecks->onCyclesEnd(cycles);
    dispatchedBefore_ = dispatched_;
    now_ += cycles;
  }
  /// `instructions`: of the report. The window has no rows if the trace ends before it.
  TraceWindow finish(const std::vector<InstructionInfo> &instructions, llvm::MCInstPrinter &printer);

  // A trace is no loop, so no period is searched.
  using Mark = uint64_t;
  uint64_t watched() const { return 0; }

  std::optional<BottleneckCollector> bottlenecks;
  std::optional<WaitCollector> waits;

private:
  bool isInWindow(uint64_t id) const { return id - range_.first < window_.rows.size(); }
  TraceWindowRow &rowOf(uint64_t id) { return window_.rows[id - range_.first]; }
  void record(uint64_t id, int64_t TimelineEntry::*event) {
    if (isInWindow(id))
      rowOf(id).entry.*event = now_;
  }
  /// Whether the window is dispatched in this cycle, or was in part.
  bool isNow() const { return dispatched_ > range_.first && dispatchedBefore_ < range_.first + range_.count; }
  void countBy(const TraceWindowRow &row);

  WindowRange range_;
  RecentInstructions recent_;
  TraceWindow window_;
  std::vector<TakenUnit> taken_; ///< by the next instruction to issue
  int64_t now_ = 0;
  uint64_t dispatched_ = 0;       ///< instances
  uint64_t dispatchedBefore_ = 0; ///< before this cycle
};

/// Passes a trace on to a machine until the window is over, and shows it to the recorder.
class WindowStream final : public InstructionStream {
public:
  WindowStream(InstructionStream &stream, WindowRecorder &recorder, const WindowRange &range)
      : stream_(stream), recorder_(recorder), end_(range.first + range.count + kFollowing) {}
  Segment next() override {
    if (recorder_.fetched() >= end_)
      return {};
    const Segment segment = stream_.next();
    recorder_.onFetched(segment);
    return segment;
  }

private:
  /// Later instructions take units from earlier ones, so the run goes on after the window: by more than the largest
  /// reorder buffer of a model.
  static constexpr uint64_t kFollowing = 4096;

  InstructionStream &stream_;
  WindowRecorder &recorder_;
  uint64_t end_;
};

} // namespace mca
