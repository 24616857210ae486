// What has become of a loop since an earlier analysis, as the editor shows it.
#include "analysis/job/analyzer.h"
#include "tests/shown.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace analysis {
namespace {

Shown analyseAfter(double cycles, uint32_t slowerPercent, const std::string &cpu = "skylake") {
  const wire::AnalyzeRequest request{
      .id = 1,
      .path = "/nowhere/a.s",
      .text = "# mca: triple=x86_64-unknown-linux-gnu cpu=skylake\n.Lx:\nimull %ecx, %eax\ndecl %esi\njne .Lx\n"};
  const lsp::Baseline before{
      "the last save", cpu, {{.name = "loop"}}, {{.cycles = cycles, .ipc = 1, .sourceIterations = 1}}};
  return shown(Analyzer().run(request, {}, [](const wire::Progress &) {}), request.text, request.path, {before},
               slowerPercent);
}

/// The message of the finding; empty without one.
std::string slowerFindingOf(const Shown &result) {
  for (const wire::Finding &finding : result.findings)
    if (finding.code == "region-slower")
      return finding.message;
  return {};
}

TEST(Comparison, BecomesAFindingWhenSlowerByMoreThanTheSettingSays) {
  const std::string message = slowerFindingOf(analyseAfter(2, 5));
  EXPECT_TRUE(message.starts_with("loop: slower, 2.0 → 3.0 cyc (+")) << message;
  EXPECT_EQ(slowerFindingOf(analyseAfter(2, 80)), "");
  EXPECT_EQ(slowerFindingOf(analyseAfter(4, 5)), "");
  EXPECT_EQ(slowerFindingOf(analyseAfter(2, 5, "haswell")), "") << "another CPU's numbers mean nothing";
}

TEST(Comparison, StandsInTooltipAndHover) {
  const Shown result = analyseAfter(4, 5);
  const auto tells = [](const lsp::wording::RichText &text) {
    return std::any_of(text.begin(), text.end(), [](const lsp::wording::Block &block) {
      return block.text.starts_with("4.0 → 3.0 cyc (−") && block.text.ends_with("since the last save");
    });
  };
  ASSERT_EQ(result.hints.size(), 1u);
  EXPECT_TRUE(tells(result.hints[0].tooltip));
  EXPECT_TRUE(tells(result.hovers[0].contents));
}

} // namespace
} // namespace analysis
