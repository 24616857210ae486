// A result is the same however many threads make it, and whatever was given up on before.
#include "analysis/job/analyzer.h"
#include "analysis/wire/codec.h"
#include "tests/shown.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace analysis {
namespace {

using wire::AnalysisResult;
using wire::AnalyzeRequest;

/// Functions of all kinds: loops that repeat others to the letter, with branches, tables of jumps, calls, markers and
/// errors in them. More than are needed for the loops of the first to be simulated while the last are parsed.
std::string largeText() {
  const std::vector<std::string> lines = {
      "addl %eax, %ecx", "imull %ecx, %edx",   "movl 4(%rdi), %eax", "movl %eax, 8(%rsi)", "vaddps %ymm0, %ymm1, %ymm1",
      "call puts",       "addl g(%rip), %eax", "nonsense",           "divl %ecx"};
  std::mt19937 random(5);
  std::string text = "# mca: triple=x86_64-linux-gnu cpu=skylake\n";
  for (int f = 0; f < 700; ++f) {
    const std::string name = "f" + std::to_string(f);
    text += "  .text\n  .type " + name + ",@function\n" + name + ":\n  pushq %rbx\n";
    const bool marked = f % 50 == 0, switches = f % 10 == 3;
    if (marked)
      text += "# LLVM-MCA-BEGIN " + name + "\n";
    text += ".L" + name + ":\n";
    const size_t body = 3 + random() % 30;
    for (size_t i = 0; i < body; ++i) {
      text += "  " + lines[random() % (f % 7 ? lines.size() - 3 : lines.size())] + "\n";
      if (i == body / 2 && f % 3 == 0)
        text += "  je .Lskip" + name + "\n";
    }
    if (switches)
      text += "  jmp *.Ltable" + name + "(,%rax,8)\n.Lcase" + name + ":\n  incl %eax\n";
    text += ".Lskip" + name + ":\n  decl %ebx\n  jne .L" + name + "\n";
    if (marked)
      text += "# LLVM-MCA-END " + name + "\n";
    text += "  popq %rbx\n  ret\n";
    if (switches)
      text += "  .section .rodata\n.Ltable" + name + ":\n  .quad .Lcase" + name + "\n  .quad .Lskip" + name + "\n";
  }
  return text;
}

AnalyzeRequest requestOf(const std::string &text) {
  return {.id = 1, .path = "/a.s", .text = text};
}

std::string told(AnalysisResult result) {
  result.compileMicros = result.analysisMicros = 0;
  return wire::encode(result);
}

TEST(Threads, SayWhatOneSays) {
  const AnalyzeRequest request = requestOf(largeText());
  const auto quiet = [](const wire::Progress &) {};
  Analyzer one(1);
  const AnalysisResult alone = one.run(request, {}, quiet);
  ASSERT_GT(alone.regions.size(), 700u);
  for (const size_t threads : {2, 5}) {
    Analyzer several(threads);
    size_t ahead = 0;
    const AnalysisResult result = several.run(request, {}, [&](const wire::Progress &progress) {
      ahead += progress.stage == wire::Stage::Parsing && progress.at.end != 0;
    });
    EXPECT_GT(ahead, 100u) << "loops simulated while the text is parsed";
    EXPECT_EQ(told(result), told(alone)) << threads;
    EXPECT_EQ(told(several.run(request, {}, quiet)), told(alone)) << "once more, with " << threads;
  }
}

TEST(Threads, NothingIsSimulatedTwice) {
  // More than those of which it is told why they wait, which is simulated once more.
  std::string text = "# mca: triple=x86_64-linux-gnu cpu=skylake\n  .intel_syntax noprefix\n";
  for (int f = 0; f < 3000; ++f) {
    const std::string name = "f" + std::to_string(f);
    text += "  .type " + name + ",@function\n" + name + ":\n.L" + name + ":\n  add eax, " + std::to_string(f) +
            "\n  imul eax, edx\n  imul eax, edx\n  dec ecx\n  jne .L" + name + "\n  ret\n";
  }
  Analyzer analyzer(2);
  size_t ahead = 0, later = 0;
  const AnalysisResult result = analyzer.run(requestOf(text), {}, [&](const wire::Progress &progress) {
    ahead += progress.stage == wire::Stage::Parsing && progress.at.end != 0 && later == 0;
    later += progress.stage == wire::Stage::Simulating;
  });
  EXPECT_EQ(result.regions.size(), 3000u);
  EXPECT_GE(ahead, 2000u);
  EXPECT_LE(later, 1000u);
}

TEST(Threads, WhatWasGivenUpIsNotKept) {
  const AnalyzeRequest request = requestOf(largeText());
  Analyzer fresh(1);
  const std::string whole = told(fresh.run(request, {}, [](const wire::Progress &) {}));
  Analyzer analyzer(3);
  for (const size_t steps : {20, 200, 400}) { // what was finished is not done again, which leaves more than 400
    std::stop_source stop;
    size_t seen = 0;
    const AnalysisResult result = analyzer.run(request, stop.get_token(), [&](const wire::Progress &) {
      if (++seen == steps)
        stop.request_stop();
    });
    EXPECT_EQ(result.status, wire::Status::Cancelled);
  }
  EXPECT_EQ(told(analyzer.run(request, {}, [](const wire::Progress &) {})), whole);
}

/// A target whose own rules LLVM knows, which looks at its instructions for that: each region with others of other
/// latencies before and behind it.
TEST(Threads, RulesOfTheTargetAreThoseOfTheRegion) {
  const std::string settings = "# mca: triple=amdgcn-amd-amdhsa cpu=gfx900\n";
  std::vector<std::string> regions;
  for (int i = 0; i < 24; ++i) {
    std::string &text = regions.emplace_back("# LLVM-MCA-BEGIN\n");
    for (int k = 0; k <= i % 3; ++k)
      text += "s_load_dwordx2 s[" + std::to_string(2 * k) + ":" + std::to_string(2 * k + 1) + "], s[8:9], 0x0\n";
    if (i % 2)
      text += "global_load_dword v1, v[2:3], off\n";
    if (i % 5 == 0)
      text += "v_fma_f64 v[4:5], v[4:5], v[6:7], v[8:9]\n";
    text += "s_waitcnt vmcnt(0) lgkmcnt(0)\nv_add_u32_e32 v" + std::to_string(i) + ", v2, v3\n# LLVM-MCA-END\n";
  }
  const auto quiet = [](const wire::Progress &) {};
  std::string all = settings;
  std::vector<uint64_t> alone;
  for (const std::string &region : regions) {
    all += region;
    Analyzer analyzer(1);
    const AnalysisResult result = analyzer.run(requestOf(settings + region), {}, quiet);
    ASSERT_EQ(result.simulations.size(), 1u);
    alone.push_back(result.simulations[0].cycles);
  }
  EXPECT_EQ(alone[1], 8401u) << "llvm-mca 22.1's";
  for (const size_t threads : {1, 4}) {
    Analyzer analyzer(threads);
    std::vector<uint64_t> together;
    for (const ShownRegion &region : shown(analyzer.run(requestOf(all), {}, quiet), all).regions)
      together.push_back(region.cycles);
    EXPECT_EQ(together, alone) << threads;
  }
}

} // namespace
} // namespace analysis
