// The one rule for time limits, of compilers in the worker and of jobs in the server.
//
// A limit counts processor time: on a machine that does other work, too, a process takes longer by the clock and yet
// does no more. Threads side by side use up processor time faster than the clock goes; they get the limit by the clock
// at least. A process that sleeps for ever uses up nothing: one that gets by with next to no processor time for as long
// as the limit waits for something that does not come.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

namespace analysis::wire {

class TimeLimit {
public:
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::milliseconds;
  enum class Reached : uint8_t { No, ProcessorTime, Idle };

  /// `used`: the processor time so far; what was used before does not count.
  TimeLimit(Milliseconds limit, Clock::time_point now, Milliseconds used)
      : limit_(limit), begin_{now, used}, window_{now, used}, next_(now + limit) {}

  /// Earlier than this nothing can be reached.
  Clock::time_point nextCheck() const { return next_; }

  /// `mayIdle`: what it waits for has a limit of its own.
  Reached check(Clock::time_point now, Milliseconds used, bool mayIdle = false) {
    const Milliseconds left = limit_ - (used - begin_.used);
    if (left.count() <= 0 && now - begin_.at >= limit_)
      return Reached::ProcessorTime;
    if (now - window_.at >= limit_) {
      if (!mayIdle && (used - window_.used) * kIdleShare < now - window_.at)
        return Reached::Idle;
      window_ = {now, used};
    }
    next_ = std::min<Clock::time_point>(now + std::max(left / kMostParallel, kShortestPause), window_.at + limit_);
    return Reached::No;
  }

private:
  struct Sample {
    Clock::time_point at;
    Milliseconds used;
  };
  static constexpr int kIdleShare = 100;            ///< less than a hundredth of one processor is idle
  static constexpr int kMostParallel = 4;           ///< more threads than this are seen to be over their limit late
  static constexpr Milliseconds kShortestPause{50}; ///< between two looks at the clock

  Milliseconds limit_;
  Sample begin_, window_;
  Clock::time_point next_;
};

/// How a process ended that had reached its limit, for the reader: "it used 60 s of processor time, the limit of
/// --job-timeout-ms".
inline std::string describeLimit(TimeLimit::Reached reached, std::chrono::milliseconds limit, const char *option) {
  const int64_t ms = limit.count();
  const std::string time = ms % 1000 ? std::to_string(ms) + " ms" : std::to_string(ms / 1000) + " s";
  if (reached == TimeLimit::Reached::Idle)
    return "it used less than 1 % of a processor for " + time + ", the limit of " + option +
           ", as if it waited for something that does not come";
  return "it used " + time + " of processor time, the limit of " + option;
}

inline constexpr const char *kJobTimeOption = "--job-timeout-ms";
inline constexpr const char *kCompileTimeOption = "--compile-timeout-ms";
/// Of one run of the compiler, where the option does not say otherwise.
inline constexpr std::chrono::milliseconds kCompileTime{120'000};

} // namespace analysis::wire
