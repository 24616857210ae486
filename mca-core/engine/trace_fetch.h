// What the two machines share when they follow a trace: the position in the trace, and the wait after a mispredicted
// branch.
//
// The model is that of ChampSim: fetch stops at a mispredicted branch, and continues on the correct path a fixed number
// of cycles after the branch has executed. The cost of a misprediction then follows from the simulation: a branch whose
// condition depends on a chain of loads costs more than one whose condition is a counter.
#pragma once

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
    isRead_ = false;
    heldBy_ = kNoBranch;
    fetchedBranch_ = resume_ = TimeWheel::kNever;
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
    segment_ = stream_->next();
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
    events.onRedirect(Redirect{heldBy_, fetchedBranch_, branchExecuted, now});
    fetchedBranch_ = resume_ = TimeWheel::kNever;
    return false;
  }
  /// The cycle in which fetching continues; kNever if nothing is held, or if that is not known.
  int64_t resumesAt() const { return resume_; }
  /// Makes the segment that was read the current one, and returns its length.
  uint64_t enterSegment() {
    isRead_ = false;
    return segment_.instructions.size();
  }

private:
  static constexpr uint32_t kNoBranch = ~0u;

  InstructionStream *stream_ = nullptr;
  uint32_t redirectCycles_ = 0;
  InstructionStream::Segment segment_;
  size_t position_ = 0;         ///< in the segment
  bool isRead_ = false;         ///< the segment was read, but not entered
  uint32_t heldBy_ = kNoBranch; ///< position in the body of the mispredicted branch before the segment
  int64_t fetchedBranch_ = TimeWheel::kNever, resume_ = TimeWheel::kNever;
};

} // namespace mca
