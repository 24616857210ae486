// The text of profiles: what is written is read again, broken texts are refused with their place, and profiles add up.
#include "analysis/profile/core_clock.h"
#include "analysis/profile/profile_file.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

constexpr const char *kText = R"(mcaprofile 1
event "cpu-clock" ns
samples 12
runs 1
counted-runs 1
clock 2600000000
program "/tmp/a \22b\22" x86_64-- 01ab
function "f" 0x1140 0x3
alias "g"
code 4889c3
at 0x0 250000
at 0x2 500000 17
source "/src/a.c"
line 7 250000 0x1a2b
line 9 500000 0x0 40 5
rest module "/usr/lib/libc.so.6" 5
rest kernel 6
rest unknown 7
end
)";

std::string written(const Profile &profile) {
  std::string text;
  llvm::raw_string_ostream out(text);
  writeProfile(profile, out);
  return text;
}

Profile read(std::string_view text) {
  auto profile = readProfile(text, "p");
  EXPECT_TRUE(profile) << (profile ? "" : profile.message());
  return profile ? *profile : Profile();
}

/// The error of a text in which one piece is replaced.
std::string errorWith(const std::string &from, const std::string &to) {
  std::string text = kText;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const auto profile = readProfile(text, "p");
  return profile ? "" : profile.message();
}

TEST(ProfileFile, IsReadAsItIsWritten) {
  const Profile profile = read(kText);
  EXPECT_EQ(profile.programs.front().path, "/tmp/a \"b\"");
  EXPECT_EQ(profile.functions.front().aliases, std::vector<std::string>{"g"});
  EXPECT_EQ(profile.functions.front().code, "\x48\x89\xc3");
  EXPECT_EQ(profile.functions.front().places[1], (ProfiledPlace{2, 500000}));
  EXPECT_EQ(profile.functions.front().executions, (std::vector<uint64_t>{0, 17}));
  EXPECT_EQ(profile.functions.front().lines[1], (ProfiledLine{9, 0, 500000, 40, 5}));
  EXPECT_EQ(profile.total(), 750018u);
  EXPECT_EQ(written(profile), kText);
}

TEST(ProfileFile, KnowsCyclesOnlyOfTime) {
  Profile profile = read(kText);
  EXPECT_DOUBLE_EQ(*profile.inCycles(10), 26);
  profile.hertz = 0;
  EXPECT_FALSE(profile.inCycles(10));
  profile.unit = ProfileUnit::Cycles;
  EXPECT_DOUBLE_EQ(*profile.inCycles(10), 10);
}

TEST(ProfileFile, RefusesWhatIsBrokenWithItsPlace) {
  EXPECT_EQ(errorWith("mcaprofile", "PERFILE2"),
            "p:1:1: this is no profile: expected `mcaprofile 1`; --import-profile makes one of what a profiler wrote");
  EXPECT_EQ(errorWith("mcaprofile 1", "mcaprofile 2"), "p:1:12: the version `2` of the format is not known");
  EXPECT_EQ(errorWith(" ns", " s"), "p:2:19: expected `ns`, `cycles`, `instructions` or `events`, found `s`");
  EXPECT_EQ(errorWith("samples 12", "samples -1"),
            "p:3:9: expected a number of at most 4611686018427387904, found `-1`");
  EXPECT_EQ(errorWith("01ab", "01ag"), "p:7:35: expected a build id in hexadecimal, found `01ag`");
  EXPECT_EQ(errorWith("\"f\"", "f"), "p:8:10: expected a name in quotes, found `f`");
  EXPECT_EQ(errorWith("\"f\"", "\"f"), "p:8:10: the quote is not closed");
  EXPECT_EQ(errorWith("\\22b", "\\2"), "p:7:17: expected two hexadecimal digits after the backslash");
  EXPECT_EQ(errorWith("0x1140", "1140"), "p:8:14: expected a hexadecimal number such as `0x4f`, found `1140`");
  EXPECT_EQ(errorWith("4889c3", "4889c3c3"), "p:10:6: the function has no more than 3 bytes");
  EXPECT_EQ(errorWith("4889c3", "4889"), "p:8:1: the function's code has 2 bytes, and its size is 3");
  EXPECT_EQ(errorWith("4889c3", "4889c"), "p:10:6: expected bytes in hexadecimal, found `4889c`");
  EXPECT_EQ(errorWith("at 0x2", "at 0x0"), "p:12:4: the offsets must ascend");
  EXPECT_EQ(errorWith("at 0x2", "at 0x3"), "p:12:4: the function has only 3 bytes");
  EXPECT_EQ(errorWith("500000 17", "4611686018427387904 17"), "p:12:8: the weights add up to too much");
  EXPECT_EQ(errorWith("program", "function \"f\" 0x0 0x0\nprogram"),
            "p:7:10: the function's program must come before it");
  EXPECT_EQ(errorWith("rest kernel", "rest user"), "p:17:6: expected `module`, `kernel` or `unknown`, found `user`");
  EXPECT_EQ(errorWith("rest kernel 6", "rest kernel \"k\" 6"), "p:17:17: expected a weight");
  EXPECT_EQ(errorWith("alias", "alia"), "p:9:1: expected a statement such as `function`, found `alia`");
  EXPECT_EQ(errorWith("runs 1", "runs"), "p:4:1: expected `runs COUNT`");
  EXPECT_EQ(errorWith("end\n", ""), "p:19:1: the line `end` is missing: the file is not whole");
  EXPECT_EQ(errorWith("end\n", "end\nmore\n"), "p:20:1: expected nothing after `end`");
  EXPECT_EQ(errorWith("samples", "event \"x\" ns\nsamples"), "p:3:7: there is a second `event`");
  EXPECT_EQ(errorWith("event \"cpu-clock\" ns\n", ""), "p:18:1: the file has no `event` and `runs`");
}

TEST(ProfileFile, RefusesNumbersThatCannotBe) {
  EXPECT_EQ(errorWith("runs 1", "runs 1000001"), "p:4:6: expected a number of at most 1000000, found `1000001`");
  EXPECT_EQ(errorWith("2600000000", "9999999999999"),
            "p:6:7: expected a number of at most 1000000000000, found `9999999999999`");
  EXPECT_EQ(errorWith("0x3\n", "0x100000000\n"),
            "p:8:21: expected a hexadecimal number such as `0x4f`, found `0x100000000`");
  EXPECT_EQ(errorWith("0x1140", "0xffffffffffffffff"),
            "p:8:14: expected a hexadecimal number such as `0x4f`, found `0xffffffffffffffff`");
  EXPECT_EQ(errorWith("500000 17", "500000 4611686018427387905"),
            "p:12:15: expected a number of at most 4611686018427387904, found `4611686018427387905`");
  EXPECT_EQ(errorWith("0x0 40 5", "0x0 40 -5"),
            "p:15:22: expected a number of at most 4611686018427387904, found `-5`");
}

TEST(ProfileFile, IsBoundedInMemory) {
  std::string names = "mcaprofile 1\nprogram \"/p\" x86_64--\nfunction \"f\" 0x0 0x1\n";
  for (size_t i = 0; i < size_t{1} << 20; ++i)
    names += "alias \"a\"\n";
  const auto many = readProfile(names, "p");
  ASSERT_FALSE(many);
  EXPECT_EQ(many.message(), "p:1048578:7: there are too many names");
  const auto long_ = readProfile(std::string((size_t{256} << 20) + 1, '\n'), "p");
  ASSERT_FALSE(long_);
  EXPECT_EQ(long_.message(), "p: the file is longer than 256 MiB");
}

TEST(CoreClock, IsTheMedianIfMostSamplesAgree) {
  const auto clockOf = [](std::initializer_list<double> samples) {
    CoreClock clock;
    for (const double one : samples)
      clock.add(one);
    return clock.hertz();
  };
  EXPECT_EQ(clockOf({}), 0u);
  EXPECT_EQ(clockOf({3.0021e9}), 3'000'000'000u) << "to 10 MHz";
  EXPECT_EQ(clockOf({1.0e9, 2.99e9, 3.01e9, 2.98e9, 3.02e9}), 2'990'000'000u) << "an idle core was slow";
  EXPECT_EQ(clockOf({2.0e9, 2.4e9, 2.8e9, 3.2e9}), 0u);
}

TEST(CoreClock, MeasuresThisMachine) {
  CoreClock clock;
  clock.sample();
#if defined(__x86_64__) || defined(__aarch64__)
  EXPECT_GT(clock.hertz(), 100'000'000u);
  EXPECT_LT(clock.hertz(), 10'000'000'000u);
#else
  EXPECT_EQ(clock.hertz(), 0u);
#endif
}

TEST(ProfileFile, RefusesBrokenLinesOfTheSource) {
  EXPECT_EQ(errorWith("line 9", "line 7"), "p:15:6: the lines must ascend");
  EXPECT_EQ(errorWith("line 7", "line 0"), "p:14:6: the lines must ascend");
  EXPECT_EQ(errorWith("source \"/src/a.c\"\n", ""), "p:13:6: expected the function's `source` before it");
  EXPECT_EQ(errorWith("line 9 500000", "line 9 4611686018427387904"), "p:15:8: the weights add up to too much");
  EXPECT_EQ(errorWith("0x1a2b", "1a2b"), "p:14:15: expected a hexadecimal number such as `0x4f`, found `1a2b`");
}

TEST(ProfileFile, AddsUpFunctionsOfTheSameBuild) {
  Profile sum = read(kText);
  ASSERT_EQ(merge(sum, read(kText)), "");
  EXPECT_EQ(sum.functions.size(), 1u);
  EXPECT_EQ(sum.functions.front().places[1], (ProfiledPlace{2, 1000000}));
  EXPECT_EQ(sum.functions.front().executions, (std::vector<uint64_t>{0, 34}));
  EXPECT_EQ(sum.functions.front().lines, (std::vector<ProfiledLine>{{7, 0x1a2b, 500000}, {9, 0, 1000000, 80, 10}}));
  EXPECT_EQ(sum.rest.size(), 3u);
  EXPECT_EQ(sum.total(), 2 * 750018u);
  EXPECT_EQ(sum.runs, 2u);

  Profile other = read(kText);
  other.programs.front().buildId = "02";
  ASSERT_EQ(merge(sum, other), "");
  EXPECT_EQ(sum.functions.size(), 2u) << "its code is another one";
}

TEST(ProfileFile, OfTwoUnitsTimeStaysAndExecutionsAdd) {
  const Profile time = read(kText);
  Profile counts = time;
  counts.event = "Ir";
  counts.unit = ProfileUnit::Instructions;
  counts.functions.front().places = {{0, 40}, {2, 30}};
  counts.functions.front().executions = {40, 30};
  counts.functions.front().lines = {{7, 0x1a2b, 70}};
  Profile both = time, reverse = counts;
  ASSERT_EQ(merge(both, counts), "");
  ASSERT_EQ(merge(reverse, time), "");
  EXPECT_EQ(both.functions.front().places, (std::vector<ProfiledPlace>{{0, 250000}, {2, 500000}}));
  EXPECT_EQ(both.functions.front().executions, (std::vector<uint64_t>{40, 47}));
  EXPECT_EQ(both.functions.front().lines, time.functions.front().lines);
  EXPECT_EQ(both, reverse);
  EXPECT_EQ(both.event, "cpu-clock");
  EXPECT_EQ(both.runs, 1u);
  EXPECT_EQ(both.countedRuns, 2u);

  Profile task = time;
  task.event = "task-clock";
  EXPECT_EQ(merge(task, time), "one profile counts task-clock, the other cpu-clock");
}

TEST(ProfileFile, OfTwoMeasuredClocksTheMeanCounts) {
  Profile sum = read(kText), other = read(kText), fast = read(kText);
  other.hertz = 2'700'000'000;
  ASSERT_EQ(merge(sum, other), "");
  EXPECT_EQ(sum.hertz, 2'650'000'000u);
  fast.hertz = 3'000'000'000;
  EXPECT_EQ(merge(sum, fast), "the clocks of the two profiles differ by more than 5 %");
}

} // namespace
} // namespace analysis
