// A hint's label: what fits into its columns, and what goes first when not all does.
#include "analysis/insight/hint_label.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

LoopNumbers numbers(double ipc, double cycles, uint32_t sourceIterations = 1) {
  return {.leastIpc = ipc,
          .mostIpc = ipc,
          .leastCycles = cycles,
          .mostCycles = cycles,
          .sourceIterations = sourceIterations};
}

LoopNumbers doubtful(LoopNumbers numbers) {
  numbers.uncertain = true;
  return numbers;
}

std::string label(const LoopNumbers &numbers, const std::string &limit = "", size_t others = 0) {
  return fitLabel(numbers, limit, others).whole();
}

TEST(HintLabel, AllOfIt) {
  EXPECT_EQ(label(numbers(2.37, 4), "p5"), "IPC 2.37 · 4.0 cyc · p5");
  EXPECT_EQ(label(numbers(2.37, 4)), "IPC 2.37 · 4.0 cyc");
  EXPECT_EQ(label(doubtful(numbers(2.37, 4)), "", 2), "IPC 2.37 · 4.0 cyc ≈ +2");
}

TEST(HintLabel, TheLimitGoesFirst) {
  EXPECT_EQ(label(numbers(2.37, 4), "dispatch"), "IPC 2.37 · 4.0 cyc");
  EXPECT_EQ(label(numbers(2.37, 4), "p5", 2), "IPC 2.37 · 4.0 cyc +2");
}

TEST(HintLabel, ThenTheIpcWhichMayMakeRoomForIt) {
  EXPECT_EQ(label(numbers(2, 4, 4), "p5", 1), "1.00 cyc/iter · p5 +1");
  LoopNumbers paths = numbers(1.9, 3);
  paths.mostIpc = 2.4;
  paths.mostCycles = 5;
  EXPECT_EQ(label(paths, "dep"), "3.0–5.0 cyc · dep");
  EXPECT_EQ(label(doubtful(paths), "a-very-long-unit", 12), "3.0–5.0 cyc ≈ +12");
}

TEST(HintLabel, LongCyclesAreRounded) {
  LoopNumbers paths = numbers(0.1, 123456, 2);
  paths.mostCycles = 7654321;
  EXPECT_EQ(label(doubtful(paths), "p5", 7), "61.7k–3.8M c/iter ≈ +7");
}

TEST(HintLabel, NeverMoreThanItsColumnsAndNeverWithoutTheCycles) {
  const std::vector<double> cycles{0,       0.04,     1,   9.96,      99.95, 101.3, 999.5,
                                   12345.6, 999499.9, 1e6, 123456789, 1e15,  1e300};
  const std::vector<double> ipcs{0, 0.01, 2.37, 12.5, 1000};
  const std::vector<std::string> limits{"", "p5", "p0156", "dispatch", "dep", "mem", "VLEN512SiFive7VL.1,Größe"};
  size_t seen = 0;
  for (const double low : cycles)
    for (const double high : cycles)
      for (const double ipc : ipcs)
        for (const uint32_t several : {0u, 1u, 8u, 4096u})
          for (const std::string &limit : limits)
            for (const size_t others : {size_t(0), size_t(1), size_t(42), size_t(99), size_t(100), size_t(5000)})
              for (const bool uncertain : {false, true}) {
                LoopNumbers made = numbers(ipc, low, several);
                made.mostIpc = ipc * 2;
                made.mostCycles = high;
                made.uncertain = uncertain;
                const HintLabel fitted = fitLabel(made, limit, others);
                ASSERT_LE(columnsOf(fitted.whole()), kHintColumns) << fitted.whole();
                ASSERT_NE(fitted.cycles.find(several > 1 ? "/iter" : " cyc"), std::string::npos) << fitted.whole();
                ASSERT_EQ(!fitted.doubt.empty(), uncertain);
                ASSERT_EQ(!fitted.others.empty(), others > 0);
                ++seen;
              }
  EXPECT_GT(seen, 100'000u);
}

TEST(HintLabel, ColumnsAreCharacters) {
  EXPECT_EQ(columnsOf("≈ ·–"), 4u);
}

} // namespace
} // namespace analysis
