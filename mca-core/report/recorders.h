// The listeners of a machine: each combines the collectors that a report needs. There are two, so that common reports
// cost little.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/report/bottlenecks.h"
#include "mca-core/report/collectors.h"
#include "mca-core/report/statistics.h"
#include "mca-core/report/waits.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mca {

/// Copies counters in the order of visitCounters().
class CounterSnapshot {
public:
  explicit CounterSnapshot(std::vector<uint64_t> &snapshot) : snapshot_(snapshot) { snapshot_.clear(); }
  template <typename T>
  void operator()(T &counter) {
    snapshot_.push_back(counter);
  }
  template <typename T>
  void operator()(std::vector<T> &counters) {
    snapshot_.push_back(counters.size());
    snapshot_.insert(snapshot_.end(), counters.begin(), counters.end());
  }

private:
  std::vector<uint64_t> &snapshot_;
};

/// Multiplies the growth of counters since a snapshot: it is added `times` more times. A list may have grown at its end
/// since the snapshot.
class CounterRepetition {
public:
  CounterRepetition(const std::vector<uint64_t> &snapshot, uint64_t times) : next_(snapshot.data()), times_(times) {}
  template <typename T>
  void operator()(T &counter) {
    counter += static_cast<T>((counter - *next_++) * times_);
  }
  template <typename T>
  void operator()(std::vector<T> &counters) {
    const size_t then = *next_++;
    for (size_t i = 0; i < counters.size(); ++i)
      counters[i] += static_cast<T>((counters[i] - (i < then ? *next_++ : 0)) * times_);
  }

private:
  const uint64_t *next_;
  uint64_t times_;
};

/// Records what every report needs: cycles, the use of units, and a timeline of the first iterations.
class PlainRecorder {
public:
  static constexpr bool kDetails = false;
  static constexpr bool wantsExecutions() { return false; }
  using Mark = uint64_t; ///< cycles

  /// Call it after the collectors have been reset.
  void reset() {
    watched_ = timeline.watched();
    watchedRetirements_ = std::max(watched_, summary.watched());
  }
  void onDispatched(uint64_t id, uint32_t, uint32_t, const Dispatched &) {
    if (id < watched_)
      timeline.onDispatched(id);
  }
  void onReady(uint64_t id, uint32_t) {
    if (id < watched_)
      timeline.onReady(id);
  }
  void onTaken(const TakenUnit &) {}
  void onIssued(const IssuedInstruction &issued) {
    if (issued.id < watched_)
      timeline.onIssued(issued.id);
  }
  void onExecuted(uint64_t id, uint32_t) {
    if (id < watched_)
      timeline.onExecuted(id);
  }
  void onRetired(uint64_t id, uint32_t, bool) {
    if (id >= watchedRetirements_)
      return;
    summary.onRetired(id);
    if (id < watched_)
      timeline.onRetired(id);
  }
  void onRedirect(const Redirect &) {}
  void onCyclesEnd(int64_t cycles) {
    summary.onCyclesEnd(cycles);
    timeline.onCyclesEnd(cycles);
  }
  void mark(Mark &mark) const { mark = summary.cycles(); }
  void repeat(Mark mark, uint64_t times) { summary.repeat(mark, times); }
  uint64_t watched() const { return watched_; }
  bool canExtrapolate() const { return timeline.canExtrapolate(); }
  /// Completes the timeline: everything since `mark` happened to `instances` instances, and repeats for the following
  /// ones until all watched instances have retired.
  void extrapolate(Mark mark, uint64_t instances) {
    timeline.extrapolate(instances, static_cast<int64_t>(summary.cycles() - mark));
    watched_ = 0;
    watchedRetirements_ = summary.watched();
  }
  template <typename Sink>
  bool describe(uint64_t, Sink &) const {
    return true;
  }

  SummaryCollector summary;
  TimelineCollector timeline;

private:
  uint64_t watched_ = 0;            ///< instances in the timeline
  uint64_t watchedRetirements_ = 0; ///< instances whose retirement is recorded
};

/// Records everything that was requested.
class FullRecorder {
public:
  static constexpr bool kDetails = true;
  struct Mark {
    PlainRecorder::Mark plain;
    std::vector<uint64_t> counters;
  };

  /// Turns off all collectors except the plain ones. Create the requested ones next, then call start().
  void reset(const Body &body) {
    body_ = &body;
    taken_.clear();
    bottlenecks.reset();
    dispatch.reset();
    schedulers.reset();
    retirement.reset();
    registerFiles.reset();
    waits.reset();
  }
  void start() { hasExtraCollectors_ = dispatch || schedulers || retirement || registerFiles || waits; }
  void onDispatched(uint64_t id, uint32_t instructionIndex, uint32_t microOps, const Dispatched &dispatched) {
    plain.onDispatched(id, instructionIndex, microOps, dispatched);
    if (bottlenecks && !dispatched.first)
      bottlenecks->onDispatchedFurther(id);
    if (hasExtraCollectors_)
      countDispatched(id, instructionIndex, microOps, dispatched);
  }
  void onReady(uint64_t id, uint32_t instructionIndex) { plain.onReady(id, instructionIndex); }
  void onTaken(const TakenUnit &unit) { taken_.push_back(unit); }
  void onIssued(const IssuedInstruction &issued);
  /// Whether the machine must report the execution of every instance.
  bool wantsExecutions() const { return hasExtraCollectors_; }
  void onExecuted(uint64_t id, uint32_t instructionIndex) {
    plain.onExecuted(id, instructionIndex);
    if (hasExtraCollectors_)
      countExecuted(id, instructionIndex);
  }
  void onRetired(uint64_t id, uint32_t instructionIndex, bool eliminated) {
    plain.onRetired(id, instructionIndex, eliminated);
    if (hasExtraCollectors_)
      countRetired(id, instructionIndex, eliminated);
  }
  void onBuffersReserved(uint32_t instructionIndex) {
    if (schedulers)
      schedulers->onReserved(body_->instructions[instructionIndex].buffers);
  }
  void onBuffersReleased(uint32_t instructionIndex) {
    if (schedulers)
      schedulers->onReleased(body_->instructions[instructionIndex].buffers);
  }
  void onStall(DispatchStall stall) {
    if (bottlenecks)
      bottlenecks->onStall();
    if (hasExtraCollectors_)
      countStall(stall);
  }
  void onPressure(PressureReason reason, uint64_t resources) {
    if (bottlenecks)
      bottlenecks->onPressure(reason, resources);
  }
  bool wantsWaits() const { return waits.has_value(); }
  void onOperandsReady(const ReadyOperands &operands) { waits->onOperandsReady(operands); }
  void onHeld(uint64_t id, uint64_t busy) { waits->onHeld(id, busy); }
  void onStalledInOrder(const InOrderStall &stall) { waits->onStalledInOrder(stall); }
  void onRedirect(const Redirect &) {}
  void onCyclesEnd(int64_t cycles);
  void mark(Mark &mark);
  void repeat(const Mark &mark, uint64_t times);
  uint64_t watched() const { return plain.watched(); }
  bool canExtrapolate() const { return plain.canExtrapolate() && !waits; }
  void extrapolate(const Mark &mark, uint64_t instances) { plain.extrapolate(mark.plain, instances); }
  template <typename Sink>
  bool describe(uint64_t oldest, Sink &sink) const {
    // In order, some instructions never retire, so the entries in use may grow forever.
    return (!bottlenecks || bottlenecks->describe(oldest, sink)) && (!waits || waits->describe(oldest, sink)) &&
           (!schedulers || schedulers->describe(sink)) && (!retirement || retirement->describe(sink)) &&
           (!registerFiles || registerFiles->describe(sink));
  }

  PlainRecorder plain;
  std::optional<BottleneckCollector> bottlenecks;
  std::optional<DispatchStatisticsCollector> dispatch;
  std::optional<SchedulerStatisticsCollector> schedulers;
  std::optional<RetireStatisticsCollector> retirement;
  std::optional<RegisterFileStatisticsCollector> registerFiles;
  std::optional<WaitCollector> waits;

private:
  void countDispatched(uint64_t id, uint32_t instructionIndex, uint32_t microOps, const Dispatched &dispatched);
  void countExecuted(uint64_t id, uint32_t instructionIndex);
  void countRetired(uint64_t id, uint32_t instructionIndex, bool eliminated);
  void countStall(DispatchStall stall);
  template <typename Visit>
  void visitCounters(Visit &visit);

  const Body *body_ = nullptr;
  bool hasExtraCollectors_ = false; ///< any except the plain ones and the bottlenecks
  std::vector<TakenUnit> taken_;    ///< by the next instruction to issue
};

} // namespace mca
