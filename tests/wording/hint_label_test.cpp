// A hint's label: what fits into its columns, and what goes first when not all does.
#include "lsp/wording/hint_label.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

LoopNumbers numbers(double ipc, double cycles, uint32_t sourceIterations = 1) {
  return {.leastIpc = ipc,
          .mostIpc = ipc,
          .leastCycles = cycles,
          .mostCycles = cycles,
          .sourceIterations = sourceIterations,
          .calls = {}};
}

LoopNumbers doubtful(LoopNumbers numbers) {
  numbers.uncertain = true;
  return numbers;
}

LoopNumbers calling(LoopNumbers numbers, std::vector<std::string> functions) {
  numbers.calls = std::move(functions);
  return numbers;
}

std::string label(const LoopNumbers &numbers, const std::string &limit = "", size_t others = 0) {
  return fitLabel(numbers, limit, others).whole();
}

TEST(HintLabel, AllOfIt) {
  EXPECT_EQ(label(numbers(2.37, 4), "p5"), "IPC 2.37 · 4.0 cyc · p5");
  EXPECT_EQ(label(numbers(2.37, 4)), "IPC 2.37 · 4.0 cyc");
  EXPECT_EQ(label(doubtful(numbers(2.37, 4)), "", 2), "≈ IPC 2.37 · 4.0 cyc +2");
}

LoopNumbers lacking(LoopNumbers numbers, std::vector<wire::Caveat> leftOut) {
  numbers.leftOut = std::move(leftOut);
  return numbers;
}

TEST(HintLabel, SaysWhatALowerBoundLacks) {
  using Kind = wire::Caveat::Kind;
  const auto data = [](uint32_t count, std::vector<std::string> names) {
    return wire::Caveat{.kind = Kind::NoSchedulingData, .count = count, .names = std::move(names)};
  };
  const wire::Caveat lines{.kind = Kind::UnreadLine, .count = 2};
  EXPECT_EQ(label(lacking(numbers(2, 3), {data(3, {"a78", "casb"})}), "p5", 1), "≥ 3.0 cyc · lacks casb +1");
  EXPECT_EQ(label(lacking(numbers(2, 3), {data(3, {"a78", "casb", "cas"})})), "≥ 3.0 cyc · lacks 3 instructions");
  EXPECT_EQ(label(lacking(numbers(2, 3), {data(1, {"a78", "casb"}), lines})), "≥ 3.0 cyc · lacks 2 lines");
  EXPECT_EQ(label(lacking(numbers(2, 3), {data(1, {"a78", "an.instruction.with.a.long.name"})})),
            "≥ 3.0 cyc · lacks 1 instruction");
  EXPECT_EQ(label(calling(lacking(numbers(2, 3), {lines}), {"f"})), "≥ 3.0 cyc · calls f");
  EXPECT_EQ(label(doubtful(lacking(numbers(2, 3), {lines}))), "≥ ≈ 3.0 cyc · lacks 2 lines");
}

TEST(HintLabel, HasRoomForLongCyclesAndAVectorBodyWithTheirLimit) {
  EXPECT_EQ(label(numbers(0.5, 16), "dep"), "IPC 0.50 · 16.0 cyc · dep");
  EXPECT_EQ(label(doubtful(numbers(0.5, 160)), "dispatch"), "≈ IPC 0.50 · 160.0 cyc · dispatch");
  EXPECT_EQ(label(numbers(3.33, 2.1, 32), "p0156"), "IPC 3.33 · 0.07 cyc/iter · p0156");
  EXPECT_EQ(label(numbers(3.33, 2.1, 32), "dispatch"), "IPC 3.33 · 0.07 cyc/iter · dispatch");
  EXPECT_EQ(label(numbers(3.33, 2.1, 32), "p5", 1), "IPC 3.33 · 0.07 cyc/iter · p5 +1");
}

TEST(HintLabel, TheIpcGoesBeforeTheLimit) {
  EXPECT_EQ(label(numbers(3.33, 2.1, 32), "dispatch", 1), "0.07 cyc/iter · dispatch +1");
  EXPECT_EQ(label(numbers(3.33, 2.1, 32), "LSU and 3 more"), "0.07 cyc/iter · LSU and 3 more");
  LoopNumbers paths = numbers(1.9, 3);
  paths.mostIpc = 2.4;
  paths.mostCycles = 5;
  EXPECT_EQ(label(paths, "dep"), "IPC 1.90–2.40 · 3.0–5.0 cyc · dep");
  EXPECT_EQ(label(paths, "dispatch"), "3.0–5.0 cyc · dispatch");
}

TEST(HintLabel, AndTakesItsPlaceWhereTheLimitIsTooLong) {
  EXPECT_EQ(label(numbers(2.37, 4), "a-unit-whose-name-is-too-long"), "IPC 2.37 · 4.0 cyc");
}

TEST(HintLabel, LongCyclesAreRounded) {
  LoopNumbers paths = numbers(0.1, 1234567, 2);
  paths.mostCycles = 7654321987;
  EXPECT_EQ(label(doubtful(paths), "p5", 123456), "≈ 617k–3.8G c/iter · p5 +123456");
}

TEST(HintLabel, CallsMakeALowerBound) {
  EXPECT_EQ(label(calling(numbers(0.76, 6.6), {"visit"}), "p5"), "≥ 6.6 cyc · calls visit");
  EXPECT_EQ(label(calling(numbers(0.76, 6.6), {"visit", "work"}), "", 1), "≥ 6.6 cyc · calls visit and work +1");
  EXPECT_EQ(label(calling(numbers(0.76, 13.2, 2), {"visit"})), "≥ 6.60 cyc/iter · calls visit");
  EXPECT_EQ(label(doubtful(calling(numbers(0.76, 6.6), {"visit"}))), "≥ ≈ 6.6 cyc · calls visit");
  LoopNumbers paths = calling(numbers(1, 2.9), {"visit"});
  paths.mostCycles = 5;
  EXPECT_EQ(label(paths), "≥ 2.9 cyc · calls visit") << "how long the longest path takes is not known";
}

TEST(HintLabel, CalleesAreNamedAsFarAsThereIsRoom) {
  const LoopNumbers bound = numbers(1, 6.6);
  EXPECT_EQ(label(calling(bound, {"std::list::push"})), "≥ 6.6 cyc · calls std::list::push");
  EXPECT_EQ(label(calling(bound, {"std::ostream_iterator::operator="})), "≥ 6.6 cyc · calls operator=");
  EXPECT_EQ(label(calling(bound, {"a_name_that_is_longer_than_any_hint"})), "≥ 6.6 cyc · calls a_name_that_is_lo…");
  EXPECT_EQ(label(calling(bound, {"größer_als_das_was_hineinpasst"})), "≥ 6.6 cyc · calls größer_als_das_wa…");
  EXPECT_EQ(label(calling(bound, {"first::one", "second::two", "third::three"})),
            "≥ 6.6 cyc · calls one, two and three");
  EXPECT_EQ(label(calling(bound, {"number_one", "number_two", "number_three"})), "≥ 6.6 cyc · calls 3 functions");
  EXPECT_EQ(label(calling(bound, {"through a pointer"})), "≥ 6.6 cyc · calls through a pointer");
}

TEST(HintLabel, NeverMoreThanItsColumnsAndNeverWithoutTheCycles) {
  const std::vector<double> cycles{0, 0.04, 9.96, 99.95, 999.5, 12345.6, 999499.9, 123456789, 1e300};
  const std::vector<double> ipcs{0, 0.01, 2.37, 12.5, 1000};
  const std::vector<std::string> limits{"", "p5", "p0156", "dispatch", "dep", "mem", "VLEN512SiFive7VL.1,Größe"};
  const std::vector<std::vector<std::string>> callees{
      {}, {"a_name_that_is_longer_than_any_hint"}, {"one", "another_one"}};
  size_t seen = 0;
  for (const double low : cycles)
    for (const double high : cycles)
      for (const double ipc : ipcs)
        for (const uint32_t several : {0u, 1u, 8u, 4096u})
          for (const std::string &limit : limits)
            for (const size_t others : {size_t(0), size_t(1), size_t(5000)})
              for (const bool uncertain : {false, true})
                for (const auto &calls : callees) {
                  LoopNumbers made = calling(numbers(ipc, low, several), calls);
                  made.mostIpc = ipc * 2;
                  made.mostCycles = high;
                  made.uncertain = uncertain;
                  const HintLabel fitted = fitLabel(made, limit, others);
                  ASSERT_LE(columnsOf(fitted.whole()), kHintColumns) << fitted.whole();
                  ASSERT_NE(fitted.cycles.find(several > 1 ? "/iter" : " cyc"), std::string::npos) << fitted.whole();
                  ASSERT_EQ(fitted.mark, markOf(made));
                  ASSERT_EQ(fitted.mark.find("≈") != std::string::npos, uncertain);
                  ASSERT_EQ(fitted.mark.find("≥") != std::string::npos, !calls.empty());
                  ASSERT_EQ(!fitted.others.empty(), others > 0);
                  ++seen;
                }
  EXPECT_GT(seen, 100'000u);
}

TEST(HintLabel, ColumnsAreCharacters) {
  EXPECT_EQ(columnsOf("≈ ·–"), 4u);
}

} // namespace
} // namespace lsp::wording
