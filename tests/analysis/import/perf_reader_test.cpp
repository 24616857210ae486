// The texts of `perf script`: branch stacks as the kernel's perf-script documentation describes them, decoded traces as
// its documentation of Intel PT shows them, and lines of a real perf 6.1 about mappings.
#include "analysis/import/perf_reader.h"

#include "analysis/import/perf_trace_reader.h"
#include "tests/analysis/import/recorded.h"

namespace analysis {
namespace {

std::string stacks(std::string_view text) {
  return recorded(createPerfReader, text);
}
std::string traced(std::string_view text) {
  return recorded(createPerfTraceReader, text);
}

constexpr const char *kNoBranches = "no branches: was `perf record` run with -b, and `perf script` with -F ip,brstack?";
constexpr const char *kSample = " 401142 0x401140/0x401120/P/-/-/1 0x40113b/0x40113d/M/-/-/2 \n";
constexpr const char *kEvents = "gap\ntaken 40113b 40113d wrong\ntaken 401140 401120 right\n";

TEST(PerfReader, TheOldestBranchComesFirst) {
  EXPECT_EQ(stacks(kSample), kEvents);
}

TEST(PerfReader, EachSampleStartsAfterAGap) {
  EXPECT_EQ(stacks(std::string(kSample) + "\n" + kSample), std::string(kEvents) + kEvents);
}

TEST(PerfReader, FieldsInFront) {
  const std::string entries = "0x401140/0x401120/P/-/-/1  0x40113b/0x40113d/M/-/-/2\r\n";
  EXPECT_EQ(stacks("            prog 13540 61252.099410:     250000 cycles:u:      401142 " + entries), kEvents);
  EXPECT_EQ(stacks(" 16984 " + entries), kEvents);
  EXPECT_EQ(stacks(entries), kEvents);
}

TEST(PerfReader, FormsOfTheEvent) {
  EXPECT_EQ(stacks(" 0x10/0x20/PN/-/-/11/COND/- 0x11/0x20/MN/-/-/11/COND/- 0x12/0x20/N/-/-/0/-/-"
                   " 0x13/0x20/-/-/-/0/CALL/NON_SPEC_CORRECT_PATH 0x14/0x20/M/X/-/-/N/A/-"),
            "gap\ntaken 14 20 wrong\ntaken 13 20\nnot 12\nnot 11 wrong\nnot 10 right\n");
}

TEST(PerfReader, BranchesThatTheProgramNeverExecuted) {
  EXPECT_EQ(stacks("0x10/0x20/P/-/-/0/COND/SPEC_CORRECT_PATH 0x11/0x20/M/-/-/0/COND/SPEC_WRONG_PATH"),
            "gap\ntaken 10 20 right\n");
}

TEST(PerfReader, TheKernelAndAbortedTransactionsAreGaps) {
  EXPECT_EQ(
      stacks("0x10/0x20/P/-/-/0 0xffffffff81000000/0x30/P/-/-/0 0x40/0x50/P/-/-/0 0x12/0x13/P/X/A/0 0x0/0x9/-/-/-/0"),
      "gap\ngap\ngap\ntaken 40 50 right\ngap\ntaken 10 20 right\n");
}

TEST(PerfReader, Mappings) {
  EXPECT_EQ(stacks("# ========\n"
                   "         swapper     0     0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x12090c8) @ "
                   "0xffffffff81000000]: x [kernel.kallsyms]_text\n"
                   "       perf-exec     0 PERF_RECORD_COMM: perf-exec:13540/13540\n"
                   "            prog 13540 61252.099191: PERF_RECORD_MMAP2 13540/13540: [0x401000(0x1000) @ 0x1000 "
                   "fe:00 11158831 "
                   "3079291730]: r-xp /home/user/my prog\n"
                   "PERF_RECORD_MMAP2 13540/13540: [0x7f64df192000(0x2000) @ 0 00:00 0 0]: r-xp [vdso]\n"
                   "PERF_RECORD_MMAP2 13540/13540: [0x7f64df195000(0x26000) @ 0 <52b3cc4a4d6a2c0bd1b8d0c5>]: r-xp "
                   "/usr/lib/ld.so\n"
                   "PERF_RECORD_MMAP2 13540/13540: [0x7f64df292000(0x2000) @ 0 00:00 0 0]: rwxp //anon\n"
                   "     7f64df1a869e\n" +
                   std::string(kSample)),
            "map 401000 1000 1000 /home/user/my prog\n"
            "map 7f64df195000 26000 0 /usr/lib/ld.so\n" +
                std::string(kEvents));
}

TEST(PerfReader, Errors) {
  EXPECT_EQ(stacks(""), kNoBranches);
  EXPECT_EQ(stacks(" 401142\nprog 12 1.5:\n"), kNoBranches);
  EXPECT_EQ(stacks("\n 401142 main+0x1/main+0x5/P/-/-/1\n"),
            "2:9: expected a branch such as `0x401140/0x401120/P/-/-/1`, found `main+0x1/main+0x5/P/-/-/1`");
  EXPECT_EQ(stacks("0x1/0x2/P/-/-/1 0x1/0x2\n"),
            "1:17: expected a branch such as `0x401140/0x401120/P/-/-/1`, found `0x1/0x2`");
  EXPECT_EQ(stacks("0x1/0x12345678901234567/P/-/-/1\n"),
            "1:1: expected a branch such as `0x401140/0x401120/P/-/-/1`, found `0x1/0x12345678901234567/P/-/-/1`");
  EXPECT_EQ(stacks("0x1/0x2/Q/-/-/1\n"), "1:1: expected a branch such as `0x401140/0x401120/P/-/-/1`, found "
                                         "`0x1/0x2/Q/-/-/1`");
  EXPECT_EQ(stacks("0x1/0x2/P/-/-/1 and more\n"),
            "1:17: expected a branch such as `0x401140/0x401120/P/-/-/1`, found `and`");
  EXPECT_EQ(stacks(" PERF_RECORD_MMAP2 1/1: [0x401000(0x1000) @ ]: r-xp /prog\n"),
            "1:2: expected a mapping such as `[0x401000(0x1000) @ 0x1000 08:01 1 1]: r-xp /path`");
}

TEST(PerfReader, MemoryIsLimited) {
  std::string line;
  for (int i = 0; i < 1025; ++i)
    line += "0x1/0x2/P ";
  EXPECT_EQ(stacks(line), "1:10241: too many branches in a sample");
}

TEST(PerfReader, DamagedTexts) {
  readDamaged(createPerfReader, "PERF_RECORD_MMAP2 1/1: [0x401000(0x1000) @ 0x1000 08:01 1 1]: r-xp /prog\n" +
                                    std::string(kSample) +
                                    "0x10/0x20/PN/-/-/11/COND/SPEC_WRONG_PATH 0x0/0x0/-/-/A/1\n");
}

constexpr const char *kTrace = "            1   branches:u:   tr strt                          0 =>           401000\n"
                               "            1   branches:u:   jcc                         401010 =>           401020\n"
                               "            1   branches:u:   call                        401024 =>           401100\n"
                               "            1   branches:u:   tr end  syscall             401108 =>                0\n";
constexpr const char *kTraceEvents = "visit 401000\ntaken 401010 401020\ntaken 401024 401100\n";

TEST(PerfTraceReader, BranchesInOrder) {
  EXPECT_EQ(traced(kTrace), kTraceEvents);
  EXPECT_EQ(traced("401010 => 401020\r\n"), "taken 401010 401020\n");
  EXPECT_EQ(traced("prog [003] 1062.526977619:  return   558495708188 => 558495708050\n"),
            "taken 558495708188 558495708050\n");
}

TEST(PerfTraceReader, TracesOfOneFunctionEndWithABranch) {
  EXPECT_EQ(traced("  tr strt  0 => 558495708179\n  tr end  call  558495708188 => 558495708050\n"),
            "visit 558495708179\ntaken 558495708188 558495708050\n");
}

TEST(PerfTraceReader, Threads) {
  EXPECT_EQ(
      traced("prog 100/101 1.5: branches:u: jmp 10 => 20\nprog 100/102 1.5: branches:u: jmp 30 => 40\n"
             " instruction trace error type 1 time 4.685 cpu -1 pid 100 tid 101 ip 0x7f5 code 7: Overflow packet\n"),
      "thread 101\ntaken 10 20\nthread 102\ntaken 30 40\nthread 101\ngap\n");
}

TEST(PerfTraceReader, AfterWhatIsNoBranchTheProgramGoesOn) {
  for (const char *flags : {"hw int", "int", "iret", "sysret", "async", "async (x)", "vmexit", "tr end async"})
    EXPECT_EQ(traced(std::string("jmp 10 => 20\n ") + flags + "  401010 => 401020\n"), "taken 10 20\nvisit 401020\n")
        << flags;
  EXPECT_EQ(traced("jmp 10 => 20\n int 401010 => ffffffff81000000\niret ffffffff81000000 => 401010\n"),
            "taken 10 20\nvisit 401010\n");
}

TEST(PerfTraceReader, Gaps) {
  EXPECT_EQ(traced("jmp 10 => 20\n instruction trace error\nPERF_RECORD_LOST lost 12\ntx abrt 30 => 40\n"),
            "taken 10 20\ngap\ngap\ngap\nvisit 40\n");
}

TEST(PerfTraceReader, Events) {
  EXPECT_EQ(traced("jcc/miss/ 10 => 20\njcc/not_taken/ 20 => 22\njcc/miss,not_taken/ 22 => 24\njmp (x) 30 => 40\n"),
            "taken 10 20 wrong\nnot 20\nnot 22 wrong\ntaken 30 40\n");
}

TEST(PerfTraceReader, Errors) {
  EXPECT_EQ(traced(""), "no branches: was the trace recorded with `perf record -e intel_pt//u`?");
  const std::string expected = "expected `ADDRESS => ADDRESS`, as `perf script --itrace=b -F ip,addr,flags` prints it";
  EXPECT_EQ(traced("jmp 10 => 20\n jmp 10 main => 20 main\n"), "taken 10 20\n2:9: " + expected + ", found `main`");
  EXPECT_EQ(traced(" jmp 10 => 20 main\n"), "1:12: " + expected + ", found `20 main`");
  EXPECT_EQ(traced(" jmp 10 20\n"), "1:11: " + expected);
  EXPECT_EQ(traced(" => 20\n"), "1:1: " + expected);
}

TEST(PerfTraceReader, DamagedTexts) {
  readDamaged(createPerfTraceReader, kTrace);
}

} // namespace
} // namespace analysis
