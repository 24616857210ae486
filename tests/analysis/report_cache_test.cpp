// The cache of reports: what makes two regions the same, and what goes first.
#include "analysis/report_cache.h"
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
}

// ---- keeping -------------------------------------------------------------------------------------------------------

ReportCache::Entry entry() {
  return std::make_shared<ReportCache::Analysis>();
}

TEST(ReportCache, FindsWhatWasPut) {
  ReportCache cache(2);
  const ReportCache::Entry kept = entry();
  EXPECT_EQ(cache.find({1, 0}), nullptr);
  cache.insert({1, 0}, kept);
  EXPECT_EQ(cache.find({1, 0}), kept);
  EXPECT_EQ(cache.find({1, 1}), nullptr);
}

TEST(ReportCache, TheLongestUnusedGoesFirst) {
  ReportCache cache(2);
  cache.insert({1, 0}, entry());
  cache.insert({2, 0}, entry());
  EXPECT_NE(cache.find({1, 0}), nullptr);
  cache.insert({3, 0}, entry());
  EXPECT_NE(cache.find({1, 0}), nullptr);
  EXPECT_EQ(cache.find({2, 0}), nullptr);
  EXPECT_NE(cache.find({3, 0}), nullptr);
}

TEST(ReportCache, TheFirstOfAKeyStays) {
  ReportCache cache(2);
  const ReportCache::Entry first = entry();
  cache.insert({1, 0}, first);
  cache.insert({1, 0}, entry());
  EXPECT_EQ(cache.find({1, 0}), first);
}

} // namespace
} // namespace analysis
