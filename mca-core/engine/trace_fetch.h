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
    fetchedBranch_ = resume_ = TimeWheel::kNever;
  }

  /// Whether a trace is followed, and more of it may come.
  bool isOpen() const { return stream_; }
  /// Whether the current segment has more instructions.
  bool hasNext() const { return position_ < segment_.instructions.size(); }
  uint32_t takeNext() { return segment_.instructions[position_++]; }

  /// All of the segment was fetched: whether that was a mispredicted branch, which has to execute first.
  /// `branchExecuted`: the cycle in which it ends, kNever as long as that is not known. Reports the redirect when it is
  /// over.
  template <typename Events>
  bool isHeld(int64_t now, int64_t branchExecuted, Events &events) {
    if (!segment_.endsMispredicted)
      return false;
    fetchedBranch_ = std::min(fetchedBranch_, now);
    if (branchExecuted == TimeWheel::kNever)
      return true;
    resume_ = branchExecuted + redirectCycles_;
    if (now < resume_)
      return true;
    events.onRedirect(Redirect{segment_.instructions.back(), fetchedBranch_, branchExecuted, now});
    fetchedBranch_ = resume_ = TimeWheel::kNever;
    return false;
  }
  /// The cycle in which fetching continues; kNever if nothing is held, or if that is not known.
  int64_t resumesAt() const { return resume_; }

  /// Reads the next segment and returns its length; 0 at the end of the trace.
  uint64_t readSegment() {
    segment_ = stream_->next();
    position_ = 0;
    if (segment_.instructions.empty())
      stream_ = nullptr;
    return segment_.instructions.size();
  }

private:
  InstructionStream *stream_ = nullptr;
  uint32_t redirectCycles_ = 0;
  InstructionStream::Segment segment_;
  size_t position_ = 0; ///< in the segment
  int64_t fetchedBranch_ = TimeWheel::kNever, resume_ = TimeWheel::kNever;
};

} // namespace mca
