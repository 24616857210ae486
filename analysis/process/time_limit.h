// The one rule for time limits, of compilers in the worker and of jobs in the server.
//
// A limit counts processor time, because on a busy machine a process takes longer by the clock without doing more.
// - Parallel threads use processor time faster than the clock runs. The limit is reached only when the clock has
//   reached it, too.
// - A process that sleeps for ever uses none. It is idle if it uses less than a hundredth of a processor for as long as
//   the limit.
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

  /// `used` is the processor time so far: only what is used after this counts.
  TimeLimit(Milliseconds limit, Clock::time_point now, Milliseconds used)
      : limit_(limit), begin_{now, used}, window_{now, used}, next_(now + limit) {}

  /// No limit can be reached earlier than this.
  Clock::time_point nextCheck() const { return next_; }

  /// With `mayIdle` it is never idle: what it waits for has a limit of its own.
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
  static constexpr int kIdleShare = 100;            ///< less than 1 / kIdleShare of one processor is idle
  static constexpr int kMostParallel = 4;           ///< with more threads, a reached limit is noticed late
  static constexpr Milliseconds kShortestPause{50}; ///< between two checks

  Milliseconds limit_;
  Sample begin_, window_;
  Clock::time_point next_;
};

/// The end of a message about a reached limit: "it used 60 s of processor time, the limit of --job-timeout-ms".
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
/// The default limit of one run of the compiler.
inline constexpr std::chrono::milliseconds kCompileTime{120'000};

inline constexpr const char *kJobMemoryOption = "--worker-memory-limit-mb";
inline constexpr const char *kCompileMemoryOption = "--compiler-memory-limit-mb";
/// The default limits of memory, in bytes: what a laptop can spare.
inline constexpr uint64_t kJobMemory = uint64_t{1} << 30, kCompileMemory = uint64_t{3} << 29;

/// The limits of one run of the compiler.
struct CompileLimits {
  std::chrono::milliseconds time = kCompileTime; ///< as TimeLimit counts
  uint64_t memoryBytes = kCompileMemory;         ///< of it and all that it starts
  bool confined = true; ///< whether the kernel restricts what it reads (compiler_confinement.h)
};

} // namespace analysis::wire
