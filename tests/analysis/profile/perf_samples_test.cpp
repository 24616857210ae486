// What perf script prints, in the forms that its options and versions have.
#include "analysis/profile/perf_samples.h"

#include "tests/analysis/profile/recorded_samples.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

std::string readPerf(std::string_view text) {
  return recordedIn(text, createPerfSampleReader());
}

TEST(PerfSamples, AddsUpPeriodsOfEachPlace) {
  EXPECT_EQ(readPerf(R"(
        prog     250000 cpu-clock:      55ed7d3be263 scale+0x43 (/tmp/prog)
   Web Content     250000 cpu-clock:      55ed7d3be263 scale+0x43 (/tmp/prog)
        prog     100000 cpu-clock:      55ed7d3be000 [unknown] (/tmp/prog)
        prog     250000 cpu-clock:  ffffffff815e2f55 do_wp_page+0x1c5 ([kernel.kallsyms])
        prog     250000 cpu-clock:  ffffffffc15e2f55 nft_do_chain+0x1c5 ([nf_tables])
        prog     250000 cpu-clock:      7ffc7d3be263 __vdso_gettimeofday+0x43 ([vdso])
        prog     250000 cpu-clock:             12345 [unknown] ([unknown])
)"),
            "cpu-clock in ns\n"
            "/tmp/prog @0 = 100000 in 1\n"
            "/tmp/prog: scale+67 @611 = 500000 in 2\n"
            "kernel = 500000 in 2\n"
            "unknown @611 = 250000 in 1\n"
            "unknown @837 = 250000 in 1\n");
}

TEST(PerfSamples, ToleratesOtherFields) {
  EXPECT_EQ(
      readPerf("# a header\n"
               "abc 23489 27018.232463:     250000 cpu-clock:pppH:  7ff9c3b033e0 f+0x270 (/tmp/prog)\n"
               "abc 23489/23490 [001] 27018.232463:  250000 cpu-clock:pppH:  7ff9c3b033e0 f+0x270 (/tmp/prog)\n"
               "  prog.c:12\n"
               "abc PERF_RECORD_MMAP2 23489/23489: [0x55ed7d3be000(0x1000) @ 0x1000 fe:00 1 2]: r-xp /tmp/prog\n"
               "prog 5 cpu-clock:pppH: 7ff9c3b033e0 f+0x270 (/tmp/prog) 0x1/0x2/P/-/-/1 0x3/0x4/M/-/-/1\n"
               "prog 5 cpu-clock:pppH: 7ff9c3b033e0 a<b, c>(int*, d (*)(e))+0x2 (/tmp/my prog (1)/a b (deleted))\n"),
      "cpu-clock in ns\n"
      "/tmp/my prog (1)/a b: a<b, c>(int*, d (*)(e))+2 @992 = 5 in 1\n"
      "/tmp/prog: f+624 @992 = 500005 in 3\n");
}

TEST(PerfSamples, CountsTheInnermostFrameOfACallChain) {
  EXPECT_EQ(readPerf("prog 250000 cycles:u: \n\t 153e0 f+0x1 (/p)\n\t 153f0 g+0x1 (/p)\n\n"
                     "prog 250000 cycles:u: \n\t 153e0 f+0x1 (/p)\n\n"),
            "cycles:u in cycles\n/p: f+1 @992 = 500000 in 2\n");
}

TEST(PerfSamples, OfSeveralEventsTheFirstCounts) {
  EXPECT_EQ(readPerf("prog 7 cpu_core/cycles/: 401000 f+0x1 (/p)\n"
                     "prog 9 cpu_atom/cycles/: 401000 f+0x1 (/p)\n"
                     "prog 5 instructions: 401000 f+0x1 (/p)\n"),
            "cpu_core/cycles/ in cycles\n"
            "/p: f+1 @0 = 16 in 2\n"
            "note: only the samples of cpu_core/cycles/ are used: the recording has those of instructions, too\n");
}

TEST(PerfSamples, WithoutAPeriodOrAnEventCountSamples) {
  EXPECT_EQ(readPerf("prog cycles: 401000 f+0x1 (/p)\n"), "cycles in events\n/p: f+1 @0 = 1 in 1\n");
  EXPECT_EQ(readPerf(" 401000 f+0x1 (/p)\n 401000 f+0x1 (/p)\n"), "samples in events\n/p: f+1 @0 = 2 in 2\n");
}

TEST(PerfSamples, RefusesWhatIsBroken) {
  EXPECT_EQ(readPerf("PERFILE2\x01\x02"), "0:0: this is perf's own file: give the output of `perf script` instead");
  EXPECT_EQ(readPerf(""), "0:0: no samples: was it written by `perf script -F comm,ip,sym,symoff,dso,event,period`?");
  EXPECT_EQ(readPerf("\nhello world\n"), "2:1: expected a sample such as `prog 250000 cpu-clock: 401263 f+0x43 "
                                         "(/tmp/prog)`, found `hello world`");
  EXPECT_EQ(readPerf("prog 5 cycles: 401000\n"),
            "1:16: the symbol and the module of the address are missing: use `perf script -F "
            "comm,ip,sym,symoff,dso,event,period`");
  EXPECT_EQ(readPerf("prog 4611686018427387904 cycles: 401000 f+0x1 (/p)\nprog 1 cycles: 401000 f+0x1 (/p)\n"),
            "2:16: the periods add up to too much");
}

} // namespace
} // namespace analysis
