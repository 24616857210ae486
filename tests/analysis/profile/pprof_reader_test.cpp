// Profiles in pprof's format: which values count, where samples are, and files that cannot be used.
#include "analysis/profile/pprof_reader.h"

#include "tests/analysis/profile/pprof_samples.h"
#include "tests/analysis/profile/recorded_samples.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

std::string readPprof(const std::string &bytes) {
  return recordedIn(bytes, createPprofReader());
}

PprofText cpuProfile() {
  PprofText text({{"samples", "count"}, {"cpu", "nanoseconds"}});
  text.mapping(1, 0x400000, 0x500000, 0x1000, "/bin/prog", "0a1b").location(1, 1, 0x400010);
  return text;
}

TEST(PprofReader, AddsUpValuesOfTheInnermostLocation) {
  PprofText text = cpuProfile();
  text.location(2, 1, 0x400020, {{7, 3}, {8, 12}}).function(7, "inlined", "/k.h").function(8, "outer", "/k.c");
  text.sample({1, 2}, {1, 250000}).sample({1}, {2, 500000}).sample({2, 1}, {1, 250000}, /*isPacked=*/false);
  const std::string expected = "cpu in ns\n/bin/prog[4112] = 750000 in 3\n/bin/prog[4128] in outer = 250000 in 1\n"
                               "build /bin/prog 0a1b\n";
  EXPECT_EQ(readPprof(text.bytes()), expected);
  EXPECT_EQ(readPprof(gzipped(text.bytes())), expected);
  const size_t half = text.bytes().size() / 2;
  EXPECT_EQ(readPprof(gzipped(text.bytes().substr(0, half)) + gzipped(text.bytes().substr(half))), expected)
      << "gzip's members follow each other";
}

TEST(PprofReader, WithoutAddressesThereAreLines) {
  PprofText text({{"cpu", "milliseconds"}});
  text.location(1, 0, 0, {{7, 3}, {8, 12}}).function(7, "inlined", "/k.h").function(8, "outer", "/k.c");
  text.sample({1}, {2}).sample({}, {1});
  EXPECT_EQ(readPprof(text.bytes()), "cpu in ns\n: outer at /k.c:12 = 2000000 in 1\nunknown = 1000000 in 1\n");
}

TEST(PprofReader, TheKernelIsOne) {
  PprofText text = cpuProfile();
  text.mapping(2, 0xffffffff80000000, ~uint64_t{0}, 0, "[kernel.kallsyms]").location(2, 2, 0xffffffff80000010);
  text.mapping(3, 0x7000, 0x8000, 0, "[vdso]").location(3, 3, 0x7010).location(4, 0, 0x400030);
  text.sample({2}, {1, 10}).sample({3}, {1, 20}).sample({4}, {1, 30});
  EXPECT_EQ(readPprof(text.bytes()), "cpu in ns\n/bin/prog[4144] = 30 in 1\nbuild /bin/prog 0a1b\n"
                                     "build [kernel.kallsyms] \nbuild [vdso] \nkernel = 10 in 1\nunknown = 20 in 1\n");
}

TEST(PprofReader, TheDefaultValueCounts) {
  PprofText text({{"cycles", "count"}, {"delay", "nanoseconds"}});
  text.mapping(1, 0, 0x1000, 0, "/p").location(1, 1, 0x10).sample({1}, {5, 7});
  EXPECT_EQ(readPprof(text.bytes()), "delay in events\n/p[16] = 7 in 1\nbuild /p \n") << "waiting is no processor time";
  EXPECT_EQ(readPprof(text.defaultType("cycles").bytes()), "cycles in cycles\n/p[16] = 5 in 1\nbuild /p \n");
}

TEST(PprofReader, WhatIsBrokenHasAPlace) {
  PprofText text = cpuProfile();
  const size_t before = text.bytes().size();
  text.sample({1}, {1, 250000});
  EXPECT_EQ(readPprof(text.bytes().substr(0, text.bytes().size() - 1)),
            "0:0: at byte " + std::to_string(before + 1) + ": this is no profile of pprof, or not a whole one");
  const std::string packed = gzipped(text.bytes());
  EXPECT_EQ(readPprof(packed.substr(0, packed.size() - 9)),
            "0:0: gzip's data are not whole: they end at byte " + std::to_string(packed.size() - 9));
  std::string damaged = packed;
  damaged[packed.size() - 5] ^= 1; // of the check sum
  EXPECT_NE(readPprof(damaged).find("gzip's data are damaged at byte "), std::string::npos);
  EXPECT_EQ(readPprof(""), "0:0: this is no profile of pprof: it says nothing of its values");
  EXPECT_EQ(readPprof(cpuProfile().bytes()), "0:0: no samples");
  EXPECT_NE(readPprof("PERFILE2").find("this is no profile of pprof"), std::string::npos);
}

TEST(PprofReader, ValuesThatCannotBeAreRefused) {
  const auto errorOf = [](std::vector<uint64_t> locations, std::vector<int64_t> values) {
    PprofText text = cpuProfile();
    const std::string error = readPprof(text.sample(std::move(locations), std::move(values)).bytes());
    return error.substr(error.rfind(": ") + 2);
  };
  EXPECT_EQ(errorOf({1}, {1}), "a sample has fewer values than the profile has kinds of them");
  EXPECT_EQ(errorOf({1}, {1, -1}), "the difference of two profiles is no profile");
  EXPECT_EQ(errorOf({1}, {1, INT64_MAX}), "the values add up to too much");
  EXPECT_EQ(errorOf({9}, {1, 1}), "a sample's location, number 9, is missing");
}

} // namespace
} // namespace analysis
