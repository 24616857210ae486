// What the two machines share when they follow a trace: the position in the trace, the wait after a mispredicted
// branch, and the segments that need not run again.
//
// The model is that of ChampSim: fetch stops at a mispredicted branch, and continues on the correct path a fixed number
// of cycles after the branch has executed. The cost of a misprediction then follows from the simulation: a branch whose
// condition depends on a chain of loads costs more than one whose condition is a counter.
#pragma once

#include "mca-core/engine/known_segments.h"
#include "mca-core/engine/machine.h"
#include "mca-core/engine/time_wheel.h"

#include <algorithm>
#include <cstdint>

namespace mca {

class TraceFetch {
public:
  /// `stream`: null if a body is repeated.
  void reset(InstructionStream *stream, uint32_t redirectCycles) {
    stream_ = stream;
    redirectCycles_ = redirectCycles;
    segment_ = {};
    position_ = 0;
    isRead_ = isLast_ = false;
    heldBy_ = kNoBranch;
    fetchedBranch_ = resume_ = TimeWheel::kNever;
    known_.clear();
    running_ = nullptr;
  }

  /// Whether a trace is followed, and more of it may come.
  bool isOpen() const { return stream_; }
  /// Whether the current segment has more instructions.
  bool hasNext() const { return position_ < segment_.instructions.size(); }
  uint32_t takeNext() { return segment_.instructions[position_++]; }

  /// All of the segment was fetched: reads the next one. Returns false at the end of the trace.
  bool readSegment() {
    if (isRead_)
      return true;
    heldBy_ = segment_.endsMispredicted ? segment_.instructions.back() : kNoBranch;
    segment_ = isLast_ ? InstructionStream::Segment() : stream_->next();
    position_ = 0;
    isRead_ = !segment_.instructions.empty();
    if (!isRead_)
      stream_ = nullptr;
    return isRead_;
  }
  /// Whether the segment that was read has to wait for a mispredicted branch before it. `branchExecuted`: the cycle in
  /// which the last fetched instance ends its execution, kNever as long as that is not known. Reports the redirect when
  /// it is over.
  template <typename Events>
  bool isHeld(int64_t now, int64_t branchExecuted, Events &events) {
    if (heldBy_ == kNoBranch)
      return false;
    fetchedBranch_ = std::min(fetchedBranch_, now);
    if (branchExecuted == TimeWheel::kNever)
      return true;
    resume_ = branchExecuted + redirectCycles_;
    if (now < resume_)
      return true;
    redirect_ = {heldBy_, fetchedBranch_, branchExecuted, now};
    events.onRedirect(redirect_);
    fetchedBranch_ = resume_ = TimeWheel::kNever;
    return false;
  }
  /// Whether a mispredicted branch came before the segment that was read.
  bool isAfterRedirect() const { return heldBy_ != kNoBranch; }

  /// Passes over the segments that are known, while the machine is idle before the segment that was read. Reports their
  /// events as if they had run, and changes what the idle machine remembers accordingly. Returns the cycle in which the
  /// next segment enters.
  template <typename Events>
  int64_t passKnown(int64_t now, const Body &body, RegisterState &registers, ResourceState &resources, Events &events) {
    if (known_.isFull()) {
      known_.clear();
      running_ = nullptr;
    }
    const uint32_t present = known_.numberOf(registers, resources, now);
    if (running_)
      learn(present);
    uint32_t state = present;
    for (running_ = nullptr; segment_.endsMispredicted && segment_.instructions.size() <= KnownSegments::kLongest;) {
      KnownSegments::Segment &segment = known_.segment(state, segment_.instructions);
      if (segment.next == KnownSegments::kUnknown) {
        running_ = &segment;
        entered_ = now;
        break;
      }
      segment_ = stream_->next();
      // No redirect follows the last one, so it has to run.
      isLast_ = segment_.instructions.empty();
      if (isLast_) {
        segment_.instructions = segment.instructions;
        break;
      }
      for (const uint32_t instruction : segment.instructions)
        events.onDispatched(0, instruction, body.instructions[instruction].microOps, Dispatched());
      events.onRedirect(segment.redirect);
      events.onCyclesEnd(segment.redirect.resumed);
      now += segment.redirect.resumed;
      state = segment.next;
    }
    if (state != present) {
      registers = known_.state(state).registers;
      resources.restoreIdle(known_.state(state).units);
    }
    resources.startCycle(now);
    return now;
  }
  /// The machine is not idle before the segment that was read, so it does not know what follows from the one before.
  void forgetRunning() { running_ = nullptr; }

  /// The cycle in which fetching continues; kNever if nothing is held, or if that is not known.
  int64_t resumesAt() const { return resume_; }
  /// Makes the segment that was read the current one, and returns its length.
  uint64_t enterSegment() {
    isRead_ = false;
    return segment_.instructions.size();
  }

private:
  static constexpr uint32_t kNoBranch = ~0u;

  /// The segment that was run has led to this idle state.
  void learn(uint32_t state) {
    running_->next = state;
    running_->redirect = {.instructionIndex = redirect_.instructionIndex,
                          .dispatched = redirect_.dispatched - entered_,
                          .executed = redirect_.executed - entered_,
                          .resumed = redirect_.resumed - entered_};
  }

  InstructionStream *stream_ = nullptr;
  uint32_t redirectCycles_ = 0;
  InstructionStream::Segment segment_;
  size_t position_ = 0;         ///< in the segment
  bool isRead_ = false;         ///< the segment was read, but not entered
  uint32_t heldBy_ = kNoBranch; ///< position in the body of the mispredicted branch before the segment
  int64_t fetchedBranch_ = TimeWheel::kNever, resume_ = TimeWheel::kNever;
  bool isLast_ = false; ///< the trace ends after the segment

  KnownSegments known_;
  KnownSegments::Segment *running_ = nullptr; ///< entered an idle machine, and its outcome is not known
  int64_t entered_ = 0;                       ///< the cycle of that
  Redirect redirect_;                         ///< the last one
};

} // namespace mca
