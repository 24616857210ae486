// The cache of reports: what makes two regions the same, and what goes first.
#include "analysis/simulate/report_cache.h"
#include "tests/mca-core/parsed.h"

#include <numeric>

namespace analysis {
namespace {

using mca::kRiscv;
using mca::kX86;
using mca::Parsed;

std::pair<uint64_t, uint64_t> key(const Parsed &parsed, const mca::SimulationOptions &options = {},
                                  std::vector<uint32_t> region = {}) {
  if (region.empty()) {
    region.resize(parsed.count());
    std::iota(region.begin(), region.end(), 0);
  }
  const ReportCache::Key key = ReportCache::keyOf(*parsed.target, *parsed.program, region, options);
  return {key.low64, key.high64};
}

Parsed skylake(const std::string &text) {
  return {kX86, "skylake", text};
}

TEST(ReportCacheKey, TheSameRegionElsewhere) {
  const Parsed there = skylake("nop\n\n# moved\naddl %eax, %ebx\n");
  EXPECT_EQ(key(skylake("addl %eax, %ebx\n")), key(there, {}, {1}));
}

TEST(ReportCacheKey, LinesEndAtACarriageReturn) {
  EXPECT_EQ(key(skylake("nop\raddl %eax, %ebx\r"), {}, {0}), key(skylake("nop\rsubl %eax, %ebx\r"), {}, {0}));
}

/// The rest of the line after each of them would be 85 GB.
TEST(ReportCacheKey, AnyNumberOfInstructionsOnOneLine) {
  constexpr size_t kCount = 100'000;
  std::string line;
  for (size_t i = 0; i < kCount; ++i)
    line += "addl %eax, %ebx; ";
  std::vector<uint32_t> region(kCount);
  std::iota(region.begin(), region.end(), 1);
  const auto here = key(skylake(line));
  EXPECT_EQ(here, key(skylake("nop\n" + line), {}, region));
  EXPECT_NE(here, key(skylake(line + "# a comment")));
}

TEST(ReportCacheKey, InstructionsOnOneLineAndOnSeveral) {
  const std::string one = "nop; nop; subl $1, %eax\n";
  EXPECT_EQ(key(skylake(one + one)), key(skylake(one + "\n\n" + one)));
  EXPECT_NE(key(skylake(one)), key(skylake("nop;  nop; subl $1, %eax\n")));
  EXPECT_NE(key(skylake(one)), key(skylake("nop\nnop; subl $1, %eax\n")));
}

TEST(ReportCacheKey, EverythingThatChangesAReport) {
  const auto same = key(skylake("addl $1, %eax\n"));
  EXPECT_NE(same, key(skylake("addl $2, %eax\n")));
  EXPECT_NE(same, key(skylake("addl $1, %ebx\n")));
  EXPECT_NE(same, key(skylake("subl $1, %eax\n")));
  EXPECT_NE(same, key(skylake("addl $1, %eax\naddl $1, %eax\n")));
  EXPECT_NE(same, key(Parsed(kX86, "znver4", "addl $1, %eax\n")));
  EXPECT_NE(same, key(Parsed("x86_64-pc-windows-msvc", "skylake", "addl $1, %eax\n")));
  EXPECT_NE(same, key(skylake("addl $1, %eax\n.intel_syntax noprefix\n")));
  EXPECT_NE(same, key(skylake("# LLVM-MCA-LATENCY 9\naddl $1, %eax\n")));
  EXPECT_EQ(same, key(skylake("addl $1, %eax\n")));
}

TEST(ReportCacheKey, StatementsThatHoldForTheRegion) {
  const std::string code = "addl (%rdi), %eax\n";
  const auto same = key(skylake(code)), alias = key(skylake("# mca: alias rdi\n" + code));
  EXPECT_NE(same, alias);
  EXPECT_NE(alias, key(skylake("# mca: distinct rdi\n" + code)));
  EXPECT_NE(alias, key(skylake("# mca: alias rdi, rsi\n" + code)));
  EXPECT_EQ(alias, key(skylake("# moved\n\n# mca: alias rdi\n" + code)));
  const std::string loops = ".L1: addl (%rdi), %eax\njne .L1\n# mca: alias rdi\n.L2: decl %eax\njne .L2\n";
  EXPECT_EQ(same, key(skylake(loops), {}, {0})) << "of another loop";
}

TEST(ReportCacheKey, Options) {
  const Parsed parsed = skylake("nop\n");
  const auto same = key(parsed);
  EXPECT_NE(same, key(parsed, {.iterations = 7}));
  EXPECT_NE(same, key(parsed, {.callLatency = 7}));
  EXPECT_NE(same, key(parsed, {.timeline = true}));
  EXPECT_NE(same, key(parsed, {.timelineMaxIterations = 7}));
  EXPECT_NE(same, key(parsed, {.timelineMaxCycles = 7}));
  EXPECT_NE(same, key(parsed, {.bottlenecks = true}));
  EXPECT_NE(same, key(parsed, {.syntaxVariant = 1}));
  EXPECT_NE(same, key(parsed, {.noAlias = false}));
  EXPECT_NE(same, key(parsed, {.sameOperands = true}));
  EXPECT_NE(same, key(parsed, {.pressure = false}));
  EXPECT_NE(same, key(parsed, {.waitReasons = true}));
}

TEST(ReportCacheKey, WhereAnInstrumentBegins) {
  const std::string add = "vadd.vv v0, v8, v16\n", wide = "# LLVM-MCA-RISCV-LMUL M8\n";
  const auto keyed = [&](const std::string &text) { return key(Parsed(kRiscv, "sifive-x280", text)); };
  EXPECT_NE(keyed(add + add), keyed(add + wide + add));
  EXPECT_NE(keyed(add + wide + add), keyed(wide + add + add));
}

TEST(ReportCacheKey, TheOrderOfTheRegion) {
  const Parsed parsed = skylake("incl %eax\ndecl %eax\n");
  EXPECT_NE(key(parsed, {}, {0, 1}), key(parsed, {}, {1, 0}));
}

TEST(ReportCacheKey, OfInstructionsFromAMacro) {
  const Parsed one = skylake(".macro m\nincl %eax\n.endm\nm\n"), other = skylake(".macro m\ndecl %eax\n.endm\nm\n");
  EXPECT_NE(key(one), key(other));
  const std::string begin = ".macro m\nincl a(%rip)\nincl ", end = "(%rip)\n.endm\nm\n";
  EXPECT_NE(key(skylake(begin + "a" + end)), key(skylake(begin + "b" + end))) << "one address, or two";
}

// ---- keeping -------------------------------------------------------------------------------------------------------

/// Of so many bytes.
ReportCache::Entry entry(size_t bytes = 1) {
  auto made = std::make_shared<ReportCache::CachedSimulation>();
  made->bytes = bytes;
  return made;
}

TEST(ReportCache, FindsWhatWasPut) {
  ReportCache cache(2);
  const ReportCache::Entry kept = entry();
  EXPECT_EQ(cache.find({1, 0}), nullptr);
  cache.insert({1, 0}, kept);
  EXPECT_EQ(cache.find({1, 0}), kept);
  EXPECT_EQ(cache.find({1, 1}), nullptr);
}

class Trimmed : public testing::Test {
protected:
  void insert(uint64_t key, size_t bytes) { cache.insert({key, 0}, entry(bytes)); }
  /// The keys that are left, most recently asked for last.
  std::vector<uint64_t> kept(std::initializer_list<uint64_t> asked) {
    cache.trim();
    std::vector<uint64_t> found;
    for (const uint64_t key : asked)
      if (cache.find({key, 0}))
        found.push_back(key);
    return found;
  }
  ReportCache cache{100};
};

using Keys = std::vector<uint64_t>;

TEST_F(Trimmed, TheLongestUnusedGoesFirst) {
  insert(1, 50);
  insert(2, 50);
  EXPECT_EQ(kept({2, 1}), (Keys{2, 1}));
  insert(3, 50);
  EXPECT_EQ(kept({1, 2, 3}), (Keys{1, 3}));
}

TEST_F(Trimmed, ALargeOneTakesTheRoomOfSeveral) {
  for (uint64_t key = 1; key <= 10; ++key)
    insert(key, 10);
  insert(11, 75);
  EXPECT_EQ(kept({1, 8, 9, 10, 11}), (Keys{9, 10, 11}));
}

TEST_F(Trimmed, OneWithoutRoomCostsNoOther) {
  insert(1, 60);
  insert(2, 101);
  EXPECT_EQ(kept({1, 2}), Keys{1});
}

TEST_F(Trimmed, NothingGoesDuringAJob) {
  for (uint64_t key = 1; key <= 10; ++key)
    insert(key, 60);
  for (uint64_t key = 1; key <= 10; ++key)
    EXPECT_NE(cache.find({key, 0}), nullptr);
  EXPECT_EQ(kept({1, 10}), Keys{10});
}

TEST_F(Trimmed, WhatHasGrownIsMeasuredAgain) {
  ReportCache large(4096);
  const ReportCache::Entry grows = entry(0);
  large.insert({1, 0}, grows);
  large.trim();
  ASSERT_EQ(large.find({1, 0}), grows);
  const size_t before = grows->bytes;
  EXPECT_EQ(before, bytesOf(*grows));
  grows->waits.emplace().instructions.resize(1000);
  grows->bytes = 0;
  large.trim();
  EXPECT_EQ(large.find({1, 0}), nullptr);
}

TEST(ReportCache, TheFirstOfAKeyStays) {
  ReportCache cache(2);
  const ReportCache::Entry first = entry();
  cache.insert({1, 0}, first);
  cache.insert({1, 0}, entry());
  EXPECT_EQ(cache.find({1, 0}), first);
}

// ---- how large an entry is -----------------------------------------------------------------------------------------

TEST(ReportBytes, AllThatGrowsCounts) {
  using Analysis = ReportCache::CachedSimulation;
  constexpr size_t kMany = 1000;
  const std::string text(kMany, 'x');
  const auto simulated = [] {
    Analysis entry;
    entry.simulation = mca::Simulation();
    return entry;
  };
  const auto grown = [&](const auto &grow) {
    Analysis before = simulated(), after = simulated();
    grow(after, *after.simulation, (*after.simulation).report);
    return bytesOf(after) - bytesOf(before);
  };
  using mca::Report;
  using mca::Simulation;
  const auto array = [](size_t one) { return kMany * one + 16; };
  EXPECT_EQ(grown([&](auto &, Simulation &, Report &all) { all.instructions.resize(kMany); }),
            array(sizeof(mca::InstructionInfo)));
  EXPECT_EQ(grown([&](auto &, Simulation &, Report &all) { all.pressure.byInstruction.resize(kMany); }), array(8));
  EXPECT_EQ(grown([&](auto &, Simulation &, Report &all) { all.pressure.perIteration.resize(kMany); }), array(8));
  EXPECT_EQ(grown([&](auto &, Simulation &, Report &all) { all.timeline.emplace().entries.resize(kMany); }),
            array(sizeof(mca::TimelineEntry)));
  EXPECT_EQ(grown([&](auto &, Simulation &, Report &all) { all.timeline.emplace().waits.resize(kMany); }),
            array(sizeof(mca::WaitTimes)));
  EXPECT_EQ(grown([&](auto &, Simulation &one, Report &) { one.instructions.resize(kMany); }), array(4));
  EXPECT_EQ(grown([&](auto &, Simulation &one, Report &) { one.skipped.push_back({0, text}); }),
            sizeof(mca::SkippedInstruction) + 16 + kMany + 1 + 16);
  EXPECT_EQ(grown([&](auto &, Simulation &, Report &all) { all.pressure.units.push_back({text, 0, 0, 1}); }),
            sizeof(mca::ResourceUnit) + 16 + kMany + 1 + 16);
  EXPECT_EQ(grown([&](Analysis &entry, auto &, auto &) { entry.links.resize(kMany); }), array(sizeof(mca::DataLink)));
  EXPECT_EQ(grown([&](Analysis &entry, auto &, auto &) { entry.limit.chain.resize(kMany); }),
            array(sizeof(mca::DataLink)));
  EXPECT_EQ(grown([&](Analysis &entry, auto &, auto &) {
              entry.waits.emplace().instructions.resize(1);
              entry.waits->instructions[0].reasons.resize(1);
              entry.waits->instructions[0].reasons[0].holders.resize(kMany);
            }),
            array(sizeof(mca::WaitReason::Holder)) + sizeof(mca::InstructionWaits) + sizeof(mca::WaitReason) + 32);
}

TEST(ReportBytes, AFailureHasItsMessage) {
  ReportCache::CachedSimulation entry;
  entry.simulation = mca::Failure{std::string(1000, 'x')};
  EXPECT_GT(bytesOf(entry), 1000u);
}

} // namespace
} // namespace analysis
