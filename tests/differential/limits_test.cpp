// Every loop says what limits it: over the corpus, each region whose cycles are no lower bound has a verdict, on its
// own CPU and on others of the same target, and only one that takes nearly all cycles is called a limit.
#include "analysis/job/analyzer.h"
#include "tests/differential/corpus.h"
#include "tests/shown.h"

#include "llvm/TargetParser/Triple.h"

#include <gtest/gtest.h>

namespace differential {
namespace {

using analysis::Shown;
using analysis::ShownRegion;
using Kind = analysis::wire::Verdict::Kind;

std::vector<std::string> otherCpusFor(const llvm::Triple &triple) {
  if (triple.getArch() == llvm::Triple::x86_64)
    return {"skylake", "znver4", "btver2", "atom"};
  if (triple.isAArch64())
    return {"neoverse-n1", "neoverse-v2", "cortex-a55", "cortex-a510"};
  if (triple.isRISCV64())
    return {"sifive-x280", "sifive-p670", "sifive-u74"};
  return {};
}

/// The text with another CPU in its comment, and without the features of its own one.
std::string onCpu(std::string text, const std::string &cpu) {
  const size_t begin = text.find("cpu="), end = text.find_first_of(" \n", begin);
  return begin == std::string::npos ? text : text.replace(begin, end - begin, "cpu=" + cpu);
}

/// What is wrong with a region's limit; empty if nothing is.
std::string complaintAbout(const ShownRegion &region) {
  constexpr uint32_t kLeastIterations = 10; // that give a verdict
  if (region.isLowerBound || region.iterations < kLeastIterations)
    return "";
  const analysis::wire::Verdict &verdict = region.verdict;
  if (verdict.kind == Kind::None || region.bottleneck.empty())
    return "no limit is named";
  if (verdict.busy <= 0)
    return "a limit that takes no time: " + region.bottleneck;
  const bool isInOrders = verdict.kind == Kind::Stall || verdict.kind == Kind::IssueWidth;
  const double least = isInOrders ? 0.5 : 0.9;
  if (verdict.kind == Kind::Buffer && verdict.roomyCycles > 0.9 * verdict.cycles)
    return "larger buffers hardly help: " + region.bottleneck;
  const bool isEnough = verdict.busy >= least * 0.999 * verdict.cycles;
  if (!verdict.isLargest)
    return isEnough ? "" : "it is no limit: " + region.bottleneck;
  if (isEnough)
    return "it is a limit: " + region.bottleneck;
  return region.bottleneck.find(" %: ") == std::string::npos ? "its share is missing: " + region.bottleneck : "";
}

class Limits : public testing::TestWithParam<Case> {};

TEST_P(Limits, EveryRegionNamesOne) {
  const std::string text = readFile(GetParam().path);
  std::vector<std::string> cpus = otherCpusFor(llvm::Triple(settingsOf(text).triple));
  cpus.insert(cpus.begin(), settingsOf(text).cpu);
  analysis::Analyzer analyzer;
  for (const std::string &cpu : cpus) {
    const analysis::wire::AnalyzeRequest request{.id = 1, .path = GetParam().path, .text = onCpu(text, cpu)};
    const Shown result =
        analysis::shown(analyzer.run(request, {}, [](const analysis::wire::Progress &) {}), request.text, request.path);
    for (const ShownRegion &region : result.regions)
      EXPECT_EQ(complaintAbout(region), "")
          << cpu << ": " << region.name << " at line " << region.line << ", " << region.cyclesPerIteration << " cycles";
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Limits, testing::ValuesIn(comparedCases()),
                         [](const testing::TestParamInfo<Case> &info) { return identifier(info.param.name); });

/// Two loops whose dispatch groups cannot be filled, and one that no single limit explains.
TEST(Limits, AreThoseOfDispatchGroups) {
  analysis::Analyzer analyzer;
  const analysis::wire::AnalyzeRequest request{
      .id = 1, .path = "/a.s", .text = R"(// mca: triple=aarch64 cpu=neoverse-n1
copy:
1:	ldr	q0, [x0], #16
	add	v0.4s, v0.4s, v1.4s
	subs	x1, x1, #4
	b.ne	1b
	ret
stores:
1:	st1	{v3.s}[1], [x4], x5
	st1	{v3.s}[2], [x6], x5
	subs	x1, x1, #1
	b.ne	1b
	ret
)"};
  const Shown result =
      analysis::shown(analyzer.run(request, {}, [](const analysis::wire::Progress &) {}), request.text);
  ASSERT_EQ(result.hints.size(), 2u);
  for (const analysis::ShownHint &hint : result.hints)
    EXPECT_TRUE(hint.label().ends_with(" · dispatch")) << hint.label();
  EXPECT_EQ(result.regions[0].bottleneck,
            "limited by dispatch: 5.0 micro-ops, at most 3 per cycle and some only together, "
            "take 2.0 of 2.0 cycles per iteration");
}

} // namespace
} // namespace differential
