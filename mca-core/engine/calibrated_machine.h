// The calibrated machine: runs a loop, or along a trace, on a CPU as it was measured (calibrated_pipeline.h), and
// reports it to its Events as the other machines do.
#pragma once

#include "mca-core/engine/calibrated_pipeline.h"
#include "mca-core/engine/steady_state.h"
#include "mca-core/trace/counter.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace mca {

/// Not thread-safe; reuse it, since it keeps its memory.
template <typename Events>
class CalibratedMachine {
public:
  /// Runs a loop. Of the options, `steadyState` and `rateSearchLimit` count.
  void run(const CalibratedBody &body, const MachineOptions &options, Events &events, uint64_t iterations) {
    reset(body, options, events, iterations);
    while (fetched_ < last_) {
      runIteration();
      if (steady_.isSearching())
        steady_.skip(findPeriod(), events, units_, fetched_, fetched_, last_);
    }
    endCycles(pipeline_.lastRetired() + 1);
  }
  /// The rate of the period that run() found, if any.
  InstanceRate rate() const { return steady_.rate(); }

  /// Runs along a trace. `redirectCycles`: from the execution of a mispredicted branch until fetching goes on.
  void run(const CalibratedBody &body, Events &events, InstructionStream &stream, uint32_t redirectCycles) {
    reset(body, {.steadyState = false}, events, 0);
    redirectCycles_ = redirectCycles;
    simple_.assign(body.instructions.size(), {});
    sinceLate_ = sinceRedirect_ = kSettled;
    for (auto segment = stream.next(); !segment.instructions.empty(); segment = stream.next()) {
      for (const uint32_t position : segment.instructions)
        follow(position);
      isHeld_ = segment.endsMispredicted;
    }
    if (waiting_ != kNone)
      step(waiting_, /*isTaken=*/false);
    endCycles(pipeline_.lastRetired() + 1);
  }

  /// Runs the body until it repeats, or for a whole number of iterations of at most MachineOptions::rateSearchLimit
  /// instances; then the rate is that of the later half.
  InstanceRate findSteadyRate(const CalibratedBody &body, const MachineOptions &options, Events &events) {
    const uint64_t count = body.instructions.size();
    reset(body, options, events, options.rateSearchLimit / count);
    LaterHalf laterHalf(last_ / count / 2 * 2 * count); // whole iterations
    while (fetched_ < last_) {
      runIteration();
      if (const auto period = findPeriod(); period.since)
        return period.rate;
      laterHalf.record(pipeline_.now(), fetched_);
    }
    return laterHalf.rate();
  }

private:
  /// The calibrated machine hands out no single units.
  struct NoUnits {
    void mark(std::vector<uint32_t> &) const {}
    void repeat(const std::vector<uint32_t> &, uint64_t) {}
  };

  void reset(const CalibratedBody &body, const MachineOptions &options, Events &events, uint64_t iterations) {
    body_ = &body;
    events_ = &events;
    pipeline_.reset(body, wantsWaits());
    steady_.reset(options, iterations);
    last_ = iterations * body.instructions.size();
    fetched_ = 0;
    ended_ = 0;
    waiting_ = kNone;
    isHeld_ = false;
  }

  bool wantsWaits() const {
    if constexpr (Events::kDetails)
      return events_->wantsWaits();
    return false;
  }

  void runIteration() {
    for (uint32_t position = 0; position < body_->instructions.size(); ++position)
      step(position, body_->instructions[position].isTakenBranch);
    pipeline_.endIteration(body_->instructions.back().isTakenBranch);
    endCycles(pipeline_.now());
  }

  InstanceTimes step(uint32_t position, bool isTaken) {
    const InstanceTimes times = pipeline_.step(position, isTaken);
    events_->onInstance(fetched_, position, times);
    if constexpr (Events::kDetails)
      for (const CalibratedPipeline::Wait &wait : pipeline_.waits())
        events_->onWaited(fetched_, wait.kind, wait.key, wait.by, wait.from, wait.to);
    ++fetched_;
    return times;
  }

  /// Of the trace: runs the instruction before this one, as only now it is known whether it was taken.
  void follow(uint32_t position) {
    if (waiting_ != kNone) {
      const CalibratedInstruction &code = body_->instructions[waiting_];
      const bool goesOn = position == waiting_ + 1 && code.isBeforeNext;
      const bool isTaken = code.isBranch && !goesOn;
      const InstanceTimes times = step(waiting_, isTaken);
      if (position <= waiting_)
        pipeline_.endIteration(isTaken);
      if (std::exchange(isHeld_, false)) {
        const int64_t resumed = times.executed + redirectCycles_;
        pipeline_.holdFetch(resumed);
        events_->onRedirect({waiting_, times.dispatched, times.executed, resumed});
        sinceLate_ = sinceRedirect_ = 0;
      } else if (code.isBranch) {
        pipeline_.delayFetch(cyclesLostAt(code, isTaken, position));
      }
      if (code.isConditional || code.isIndirect)
        simple_[waiting_].learn(isTaken, position);
    }
    waiting_ = position;
  }

  /// What a CPU fetches by until its better predictor answers: a two-bit counter, and the target of the last time.
  struct SimplePrediction {
    Counter<2> taken;
    uint32_t target = kNone;

    void learn(bool isTaken, uint32_t next) {
      taken.count(isTaken);
      target = next;
    }
  };

  /// Of fetch, at a branch that the better predictor gets right. Taken branches cost some, too, for a while after the
  /// simple prediction was wrong, and those without a condition after a redirect.
  uint32_t cyclesLostAt(const CalibratedInstruction &code, bool isTaken, uint32_t next) {
    const SimplePrediction &simple = simple_[waiting_];
    const CalibratedLimits &limits = body_->limits;
    const bool hasMoved = code.isIndirect && next != simple.target;
    const bool isLate = hasMoved || (code.isConditional && isTaken != simple.taken.yes());
    const uint32_t &since = code.isConditional || code.isIndirect ? sinceLate_ : sinceRedirect_;
    const bool isSlow = isLate || (isTaken && since < kSettled);
    sinceRedirect_ += isTaken;
    sinceLate_ = isLate ? 0 : sinceLate_ + isTaken;
    return std::max(hasMoved ? limits.targetCycles : 0, isSlow ? limits.overrideCycles : 0);
  }

  typename SteadyState<Events>::Period findPeriod() {
    if (!pipeline_.hasEarlierStores())
      return {};
    state_.clear();
    return steady_.search(pipeline_.fingerprint(), {pipeline_.now(), fetched_, pipeline_.inFlight()}, *events_, units_,
                          [this](auto &sink) { return this->describe(sink); });
  }

  /// The state is the same in each call of one search.
  template <typename Sink>
  bool describe(Sink &sink) {
    if (state_.empty())
      pipeline_.appendState(state_);
    if (!sink(state_.size()))
      return false;
    for (const int32_t word : state_)
      if (!sink(word))
        return false;
    return true;
  }

  void endCycles(int64_t now) {
    events_->onCyclesEnd(now - ended_);
    ended_ = now;
  }

  const CalibratedBody *body_ = nullptr;
  Events *events_ = nullptr;
  CalibratedPipeline pipeline_;
  uint64_t fetched_ = 0, last_ = 0; ///< instances that have run, and those to run
  int64_t ended_ = 0;               ///< the cycles before were reported
  uint32_t waiting_ = kNone;        ///< of a trace: the last instruction that was read
  bool isHeld_ = false;             ///< it is a mispredicted branch
  uint32_t redirectCycles_ = 0;
  /// Taken branches after which fetch is at its best again. On an Emerald Rapids, 8 to 64 fit as well.
  static constexpr uint32_t kSettled = 16;
  std::vector<SimplePrediction> simple_; ///< by instruction
  /// Taken branches since the simple prediction was wrong, and since a misprediction.
  uint32_t sinceLate_ = kSettled, sinceRedirect_ = kSettled;
  NoUnits units_;
  std::vector<int32_t> state_;
  SteadyState<Events> steady_;
};

} // namespace mca
