// Callgrind's files: hand-written ones after the grammar in Valgrind's manual, and a real one whose program counted its
// branches itself.
#include "analysis/import/callgrind_reader.h"

#include "tests/analysis/import/recorded.h"

namespace analysis {
namespace {

std::string read(std::string_view text) {
  return recorded(createCallgrindReader, text);
}

constexpr std::string_view kHeader = "positions: instr line\nevents: Ir\n";
std::string readBody(std::string_view body) {
  return read(std::string(kHeader) + std::string(body));
}

// The program's loop, 900 times over the numbers of a linear congruential generator:
//
//     unsigned v = next();
//     if (v & 1) { sum += v; ++odd; }
//     switch (v % 5) {
//     case 0: sum ^= 7; ++calls[0]; break;
//     case 1: sum *= 3; ++calls[1]; break;
//     default: ++calls[2];
//     }
//
// It was compiled by gcc 12 with -O1 -no-pie and printed `odd 443 cases 152 182 566`. The file is valgrind 3.19's, with
// --dump-instr=yes --collect-jumps=yes --branch-sim=yes, without most of the other functions.
const std::string kReal = R"(# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 13520
cmd:  ./prog
part: 1
positions: instr line
events: Ir Bc Bcm Bi Bim
summary: 146606 29118 4083 336 168
ob=(5) /home/user/prog
fl=(146) /home/user/prog.c
fn=(538) kern
0x401126 5 1
+3 +2 1
+2 * 1 1
+6 -2 1
+2 * 1
+2 * 1
+2 * 1
+2 * 1
+1 * 1
+1 * 1
+6 * 1
+7 * 1
+7 * 1
+7 * 1
+7 +2 1
+6 * 1
+6 * 1
+5 * 1
+5 * 1
+5 -1 1
+6 +3 1
+6 +1 1
+5 * 1
jump=1 +23 -7 
* * 
+2 +1 152
+4 * 152
+4 * 152
+5 -4 152
+3 * 152
+3 * 152 152 2
-6 * 748
+3 * 748
+3 * 748 748 3
jcnd=1/748 +85 +5 
* * 
+2 -4 900
+6 * 900
+6 * 900
+2 * 900
+3 +6 900
+6 * 900 900 460
jcnd=457/900 +14 +1 
* * 
+2 * 443
+3 * 443
+4 * 443
+5 +1 443
+2 * 443
+4 * 443
+4 * 443
+3 * 443
+2 * 443
+2 * 443 443 90
jcnd=71/443 -75 +1 
* * 
-17 * 457
+2 * 457
+4 * 457
+4 * 457
+3 * 457
+2 * 457
+2 * 457 457 96
jcnd=81/457 -75 +1 
* * 
+2 * 748
+3 * 748 748 207
jcnd=182/748 +11 +2 
* * 
+2 +3 566
+4 * 566
+3 * 566
jump=566 -76 -6 
* * 
+2 -1 182
+4 * 182
+4 * 182
+3 * 182
jump=182 -89 -5 
* * 
+2 * 1
+6 * 1
+3 * 1 1
+2 * 1
+7 * 1
+3 * 1 1
+2 * 1
+7 * 1
+5 * 1 1
+2 * 1
+7 * 1
+5 * 1 1
+2 * 1
+7 +5 1
+3 * 1
+1 * 1
+1 * 1
+2 * 1
+2 * 1
+2 * 1
+2 * 1

fn=(536) main
0x40123e 18 1
+4 +1 1
+5 * 1
cfn=(538)
calls=1 0x401126 -14 
* * 20151 3453 858
+5 * 1
+2 +1 1
+7 * 1
+7 * 1
+7 * 1
+7 * 1
+7 * 1
+5 * 1
cob=(3)
cfi=(147) ./stdio-common/./stdio-common/printf.c
cfn=(546) printf
calls=1 0x525b0 +8 
* * 4272 698 151 51 12
cob=(1) /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
cfi=(130) ./elf/../sysdeps/x86_64/dl-trampoline.h
cfn=(458) _dl_runtime_resolve_xsave
calls=1 0x121c0 +56 
* * 635 82 9 2 2
* * 5 0 0 2 2
+5 +1 1
+5 * 1
+4 * 1

ob=(1)
fl=(173) ./elf/./elf/dl-call_fini.c
fn=(634) _dl_call_fini
0x10e0 24 4
+2 * 4
+1 * 4
+3 * 4
+1 +4 4
+7 * 4 4
+2 +6 4
+7 -2 4
+7 +3 4
+3 * 4 4 2
jcnd=2/4 +53 +12 
* * 
+2 +3 2

totals: 146606 29118 4083 336 168
)";

// Addresses are those that objdump shows. gcc keeps the counters in registers and sets flags that they were used.
TEST(CallgrindReader, CountsOfARealFileAreThoseOfTheProgram) {
  EXPECT_EQ(read(kReal), "edge 40112b 401131 1 m 0\n" // n != 0
                         "edge 401189 4011a0 1 m 0\n"
                         "edge 40119e 4011f3 1 m 1\n" // i < n: 5 mispredictions
                         "edge 40119e 4011a0 899 m 4\n"
                         "edge 4011b7 4011c5 457 m 457\n" // v & 1: 460
                         "edge 4011b7 4011b9 443 m 3\n"
                         "edge 4011d6 40118b 152 m 152\n" // case 0: 90 and 96
                         "edge 4011d6 4011d8 748 m 34\n"
                         "edge 4011db 4011e6 182 m 182\n" // case 1: 207
                         "edge 4011db 4011dd 566 m 25\n"
                         "edge 4011e4 401198 566 m 0\n"
                         "edge 4011f1 401198 182 m 0\n"
                         "edge 4011fc 4011fe 1 m 0\n"
                         "edge 401208 40120a 1 m 0\n"
                         "edge 401216 401218 1 m 0\n"
                         "edge 401224 401226 1 m 0\n"
                         "edge 401247 401126 1 m 0\n"); // the call
}

TEST(CallgrindReader, WithoutBranchSimulation) {
  EXPECT_EQ(readBody("0x10 1 5\n+2 * 5\njcnd=3/5 0x40 9\n* *\n+2 * 2\njump=2 -4 1\n* *\n"),
            "edge 12 40 3\nedge 12 14 2\nedge 14 10 2\n");
}

TEST(CallgrindReader, ABlockWhereABranchWasNeverTaken) {
  EXPECT_EQ(readBody("0x12 1 5\njcnd=3/5 0x40 9\n* *\n+2 * 2\n0x12 1 100\n+2 * 100\n"),
            "edge 12 40 3\nedge 12 14 102\n");
}

TEST(CallgrindReader, IndirectJumpsAndCalls) {
  EXPECT_EQ(readBody("0x10 1 5\njump=3 0x40 9\n* *\njump=2 0x30 8\n* *\ncfn=(1) f\ncalls=5 0x100 1\n+8 +1 1000\n"),
            "edge 10 30 2\nedge 10 40 3\nedge 18 100 5\n");
}

TEST(CallgrindReader, NumbersAndLines) {
  EXPECT_EQ(read("# callgrind format\r\n"
                 "version: 1\r\n"
                 "positions: instr\r\n"
                 "events: Ir\r\n"
                 "\r\n"
                 "fl=a.c\r\n"
                 "fn=operator:=(int)\r\n"
                 "16 5\r\n"
                 "jump=0x3 +0x10\r\n"
                 "*\r\n"
                 "jfi=(3)\r\n"
                 "jump=3 -0x10\r\n"
                 "*\r\n"),
            "edge 10 0 3\nedge 10 20 3\n");
}

TEST(CallgrindReader, OtherObjectsAreLeftOut) {
  const std::string body = "ob=(1) /lib/libc.so\n0x10 1 5\njump=3 0x40 9\n* *\n"
                           "ob=(2) /opt/prog\n0x20 1 5\njump=4 0x50 9\n* *\n"
                           "cob=(1)\ncfn=(1)\ncalls=1 0x60 1\n* * 10\n"
                           "cob=(2)\ncfn=(1)\ncalls=2 0x70 1\n* * 10\n"
                           "calls=3 0x80 1\n* * 10\n"
                           "ob=(1)\n0x30 1 5\njump=3 0x40 9\n* *\n"
                           "cob=(2)\ncfn=(1)\ncalls=2 0x70 1\n* * 10\n"
                           "ob=(2)\n0x32 1 5\njump=6 0x40 9\n* *\n";
  EXPECT_EQ(readBody("cmd: bin/prog -v\n" + body), "edge 20 50 4\nedge 20 70 2\nedge 20 80 3\nedge 32 40 6\n");
  EXPECT_EQ(readBody("cmd: other\n" + body), "no jumps of `other`: was valgrind run with --tool=callgrind "
                                             "--dump-instr=yes --collect-jumps=yes?");
}

TEST(CallgrindReader, Errors) {
  EXPECT_EQ(read(""), "no jumps: was valgrind run with --tool=callgrind --dump-instr=yes --collect-jumps=yes?");
  EXPECT_EQ(read("events: Ir\n5 3\n"),
            "the file has no addresses: run valgrind with --dump-instr=yes --collect-jumps=yes");
  EXPECT_EQ(readBody("what\n"), "3:1: expected a line of callgrind's format, found `what`");
  EXPECT_EQ(readBody("gn=(1) f\n"), "3:1: expected a line of callgrind's format, found `gn=(1) f`");
  EXPECT_EQ(readBody("ob=(x) f\n"), "3:4: expected the number of an object, such as `(5)`, found `(x) f`");
  EXPECT_EQ(readBody("-1 1 5\n"), "3:1: expected an address, found `-1`");
  EXPECT_EQ(readBody("0xffffffffffffffff 1 5\n+1 1 5\n"), "4:1: expected an address, found `+1`");
  EXPECT_EQ(readBody("0x10\n"), "3:5: expected a position");
  EXPECT_EQ(readBody("0x10 1 x\n"), "3:8: expected a count, found `x`");
  EXPECT_EQ(readBody("0x10 1 5 5\n"), "3:10: expected the end of the line, found `5`");
  EXPECT_EQ(readBody("jcnd=3 0x10 1\n"), "3:6: expected how often it was taken, found `3`");
  EXPECT_EQ(readBody("jcnd=4/3 0x10 1\n"), "3:6: expected how often it was taken, found `4/3`");
  EXPECT_EQ(readBody("jump=4/3 0x10 1\n"), "3:6: expected how often it was taken, found `4/3`");
  EXPECT_EQ(readBody("jump=\n"), "3:6: expected how often it was taken");
  EXPECT_EQ(readBody("jump=1\n"), "3:7: expected an address");
  EXPECT_EQ(readBody("jump=1 0x10 1\nfn=(1)\n"), "4:1: expected the line with the place of the jump, found `fn=(1)`");
}

TEST(CallgrindReader, MemoryIsLimited) {
  const auto reader = createCallgrindReader();
  RecordingSink sink;
  for (const char *line : {"positions: instr", "events: Ir"})
    ASSERT_FALSE(reader->read(line, sink));
  std::optional<ImportError> error;
  int lines = 0;
  for (; !error && lines < 10'000'000; ++lines)
    error = reader->read("+1 1", sink);
  ASSERT_TRUE(error);
  EXPECT_EQ(lines, (1 << 21) + 1);
  EXPECT_EQ(error->message, "the program executed too many different instructions: use --toggle-collect=FUNCTION");
}

TEST(CallgrindReader, DamagedTexts) {
  readDamaged(createCallgrindReader, kReal);
}

} // namespace
} // namespace analysis
