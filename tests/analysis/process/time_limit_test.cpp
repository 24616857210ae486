// What counts against a limit of time, over a clock and a processor that the test moves.
#include "analysis/process/time_limit.h"

#include <gtest/gtest.h>

namespace analysis::wire {
namespace {

using namespace std::chrono_literals;
using Reached = TimeLimit::Reached;
using Milliseconds = std::chrono::milliseconds;

/// A process of which is known how much of a processor it gets.
class Process {
public:
  /// What the limit says first, within `longest` on the clock, of one that gets `share` processors from now on.
  Reached run(Milliseconds longest, double share, bool mayIdle = false) {
    const TimeLimit::Clock::time_point end = now + longest;
    const TimeLimit::Clock::time_point begin = now;
    const Milliseconds before = used;
    while (limit.nextCheck() <= end) {
      now = std::max(now, limit.nextCheck());
      used = before + Milliseconds(static_cast<int64_t>(static_cast<double>((now - begin) / 1ms) * share));
      ++checks;
      if (const Reached reached = limit.check(now, used, mayIdle); reached != Reached::No)
        return reached;
    }
    now = end;
    used = before + Milliseconds(static_cast<int64_t>(static_cast<double>(longest / 1ms) * share));
    return Reached::No;
  }

  TimeLimit::Clock::time_point now{1h};
  Milliseconds used{7000}; // before it
  TimeLimit limit{60s, now, used};
  int checks = 0;
};

TEST(TimeLimit, CountsProcessorTimeAndNotTheClock) {
  Process alone;
  EXPECT_EQ(alone.run(10min, 1), Reached::ProcessorTime);
  EXPECT_EQ(alone.now - TimeLimit::Clock::time_point(1h), 60s);
  Process amongOthers;
  EXPECT_EQ(amongOthers.run(10min, 0.05), Reached::No) << "30 s used";
  EXPECT_EQ(amongOthers.run(11min, 0.05), Reached::ProcessorTime);
  EXPECT_GE(amongOthers.used, 67s);
  EXPECT_LT(amongOthers.used, 68s);
  EXPECT_LT(amongOthers.checks, 21 * 60) << "less than once a second";
}

TEST(TimeLimit, SeveralThreadsHaveItByTheClock) {
  Process process;
  EXPECT_EQ(process.run(59s, 8), Reached::No);
  EXPECT_EQ(process.run(2s, 8), Reached::ProcessorTime);
}

TEST(TimeLimit, OneThatSleepsForEverIsIdle) {
  Process process;
  EXPECT_EQ(process.run(10min, 0), Reached::Idle);
  EXPECT_EQ(process.now - TimeLimit::Clock::time_point(1h), 60s);
  Process later;
  EXPECT_EQ(later.run(30s, 1), Reached::No);
  EXPECT_EQ(later.run(2min, 0), Reached::Idle);
  Process busy;
  EXPECT_EQ(busy.run(10min, 0.011), Reached::No) << "more than a hundredth";
}

TEST(TimeLimit, OneThatWaitsForALimitedOneMaySleep) {
  Process process;
  EXPECT_EQ(process.run(10min, 0, /*mayIdle=*/true), Reached::No);
  EXPECT_EQ(process.run(59s, 0), Reached::No) << "its own sleep counts from now on";
  EXPECT_EQ(process.run(1min, 0), Reached::Idle);
}

TEST(TimeLimit, SaysWhichItWas) {
  EXPECT_EQ(describeLimit(Reached::ProcessorTime, 60s, kJobTimeOption),
            "it used 60 s of processor time, the limit of --job-timeout-ms");
  EXPECT_EQ(describeLimit(Reached::Idle, 1500ms, kCompileTimeOption),
            "it used less than 1 % of a processor for 1500 ms, the limit of --compile-timeout-ms, as if it waited for "
            "something that does not come");
}

} // namespace
} // namespace analysis::wire
