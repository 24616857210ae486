// The listener of a machine for reports with more than a summary, pressure and a timeline: it combines the collectors
// that were requested.
//
// There is a second one (plain_recorder.h), because a machine is compiled for its listener: what PlainRecorder does not
// want costs a run nothing. mark() and repeat() let the steady state count a period once and multiply it; describe()
// adds what the collectors remember to the state that it compares (engine/steady_state.h).
#pragma once

#include "mca-core/report/bottlenecks.h"
#include "mca-core/report/plain_recorder.h"
#include "mca-core/report/statistics.h"
#include "mca-core/report/waits.h"

#include <optional>
#include <tuple>
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

/// Records everything that was requested, by the optional collectors.
class FullRecorder : public PlainRecorder {
public:
  static constexpr bool kDetails = true;
  struct Mark {
    PlainRecorder::Mark plain;
    std::vector<uint64_t> counters;
  };

  /// Turns the optional collectors off. Create those that are requested next, then call start().
  void reset(const Body &body) {
    body_ = &body;
    taken_.clear();
    forEachCollector([](auto &collector) { collector.reset(); });
  }
  /// Ends the preparation of a run.
  void start() { hasExtraCollectors_ = dispatch || schedulers || retirement || registerFiles || waits; }
  void onDispatched(uint64_t id, uint32_t instructionIndex, uint32_t microOps, const Dispatched &dispatched) {
    PlainRecorder::onDispatched(id, instructionIndex, microOps, dispatched);
    if (bottlenecks && !dispatched.first)
      bottlenecks->onDispatchedFurther(id);
    if (hasExtraCollectors_)
      countDispatched(id, body_->instructions[instructionIndex], microOps, dispatched);
  }
  void onTaken(const TakenUnit &unit) { taken_.push_back(unit); }
  void onIssued(const IssuedInstruction &issued);
  /// Whether the machine must report the execution of every instance.
  bool wantsExecutions() const { return hasExtraCollectors_; }
  void onExecuted(uint64_t id, uint32_t instructionIndex) {
    PlainRecorder::onExecuted(id, instructionIndex);
    if (hasExtraCollectors_)
      countExecuted(id, body_->instructions[instructionIndex]);
  }
  void onRetired(uint64_t id, uint32_t instructionIndex, bool eliminated) {
    PlainRecorder::onRetired(id, instructionIndex, eliminated);
    if (hasExtraCollectors_)
      countRetired(id, body_->instructions[instructionIndex], eliminated);
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
    if (waits)
      waits->onStall(stall);
    if (dispatch)
      dispatch->onStall(stall);
  }
  void onPressure(PressureReason reason, uint64_t resources) {
    if (bottlenecks)
      bottlenecks->onPressure(reason, resources);
  }
  bool wantsWaits() const { return waits.has_value(); }
  void onOperandsReady(const ReadyOperands &operands) { waits->onOperandsReady(operands); }
  void onHeld(uint64_t id, uint64_t busy) { waits->onHeld(id, busy); }
  void onStalledInOrder(const InOrderStall &stall) { waits->onStalledInOrder(stall); }
  void onWaited(uint64_t id, WaitKind kind, uint64_t key, uint64_t by, int64_t from, int64_t to) {
    waits->onWaited(id, kind, key, by, from, to);
  }
  void onCyclesEnd(int64_t cycles);
  /// Copies all counters, and adds `times` times what they have grown by since; see steady_state.h.
  void mark(Mark &mark);
  void repeat(const Mark &mark, uint64_t times);
  /// Segments of waits cannot be extrapolated.
  bool canExtrapolate() const { return PlainRecorder::canExtrapolate() && !waits; }
  void extrapolate(const Mark &mark, uint64_t instances) { PlainRecorder::extrapolate(mark.plain, instances); }
  template <typename Sink>
  bool describe(uint64_t oldest, Sink &sink) const {
    // In order, some instructions never retire, so the entries in use may grow forever.
    return (!bottlenecks || bottlenecks->describe(oldest, sink)) && (!waits || waits->describe(oldest, sink)) &&
           (!schedulers || schedulers->describe(sink)) && (!retirement || retirement->describe(sink)) &&
           (!registerFiles || registerFiles->describe(sink));
  }

  std::optional<BottleneckCollector> bottlenecks;
  std::optional<DispatchStatisticsCollector> dispatch;
  std::optional<SchedulerStatisticsCollector> schedulers;
  std::optional<RetireStatisticsCollector> retirement;
  std::optional<RegisterFileStatisticsCollector> registerFiles;
  std::optional<WaitCollector> waits;

private:
  /// Calls `visit` with each optional collector. The order must not change between mark() and repeat().
  template <typename Visit>
  void forEachCollector(const Visit &visit) {
    std::apply([&](auto &...collector) { (visit(collector), ...); },
               std::tie(bottlenecks, dispatch, schedulers, retirement, registerFiles, waits));
  }
  void countDispatched(uint64_t id, const BodyInstruction &instruction, uint32_t microOps,
                       const Dispatched &dispatched);
  void countExecuted(uint64_t id, const BodyInstruction &instruction);
  void countRetired(uint64_t id, const BodyInstruction &instruction, bool eliminated);

  const Body *body_ = nullptr;
  /// Any except the bottlenecks; a test of one flag keeps the other events cheap for that frequent request.
  bool hasExtraCollectors_ = false;
  std::vector<TakenUnit> taken_; ///< by the next instruction to issue
};

} // namespace mca
