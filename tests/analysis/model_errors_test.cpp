// Known errors of LLVM's models wherever the editor shows numbers: corrected ones are in no number, and the others are
// marked.
#include "analysis/job/analyzer.h"
#include "tests/shown.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

std::string loop(const std::string &cpu, const std::string &body) {
  return "# mca: triple=x86_64-linux-gnu cpu=" + cpu + "\nagain:\n" + body + "\tdecq\t%r15\n\tjne\tagain\n";
}

class ModelErrors : public testing::Test {
protected:
  Shown analysed(const std::string &text, wire::Settings settings = {}) {
    const wire::AnalyzeRequest request{.id = 1, .path = "/a.s", .text = text, .settings = std::move(settings)};
    return shown(analyzer_.run(request, {}, [](const wire::Progress &) {}), text);
  }

private:
  Analyzer analyzer_;
};

const std::string kHash = "\txorq\t(%rdi,%r15,8), %rax\n\timulq\t%rcx, %rax\n";
const std::string kGather = "\tvpgatherqq\t(%rax,%zmm2,4), %zmm0 {%k1}\n";

TEST_F(ModelErrors, CorrectedNumbersAreShownWithoutAMarkAndSayWhatLlvmHas) {
  const Shown result = analysed(loop("skylake", kHash));
  const ShownRegion &region = result.regions.at(0);
  EXPECT_NEAR(region.cyclesPerIteration, 4, 0.05);
  EXPECT_NEAR(region.uncorrectedCycles, 6, 0.05);
  EXPECT_EQ(region.caveats, std::vector<std::string>());
  ASSERT_EQ(region.corrections.size(), 2u);
  EXPECT_EQ(region.corrections[0],
            "corrected: the load of `xorq (%rdi,%r15,8), %rax` need not wait for its other operands, as it does in the "
            "model (Agner Fog's microarchitecture manual, micro-op fusion; measured on an Emerald Rapids)");
  EXPECT_EQ(region.corrections[1], "LLVM's model has 6.00 cycles per iteration without corrections");
  EXPECT_FALSE(result.hints.at(0).label().starts_with("≈")) << result.hints.at(0).label();
}

TEST_F(ModelErrors, UncertainNumbersAreMarked) {
  const Shown result = analysed(loop("znver4", kGather));
  const ShownRegion &region = result.regions.at(0);
  EXPECT_GT(region.cyclesPerIteration, 7.5);
  ASSERT_EQ(region.caveats.size(), 1u);
  EXPECT_TRUE(region.caveats[0].starts_with("the model has the cost of one access for `vpgatherqq "))
      << region.caveats[0];
  EXPECT_TRUE(region.caveats[0].ends_with("(llvm/llvm-project#212997)")) << region.caveats[0];
  EXPECT_TRUE(result.hints.at(0).label().starts_with("≈ ")) << result.hints.at(0).label();
}

TEST_F(ModelErrors, WithoutValuesAreMarkedOnly) {
  const Shown result = analysed(loop("znver2", "\tpclmulqdq\t$0, %xmm1, %xmm0\n"));
  const ShownRegion &region = result.regions.at(0);
  EXPECT_NEAR(region.cyclesPerIteration, 100, 0.05);
  EXPECT_EQ(region.uncorrectedCycles, 0);
  ASSERT_EQ(region.caveats.size(), 1u);
  EXPECT_TRUE(result.hints.at(0).label().starts_with("≈ ")) << result.hints.at(0).label();
}

TEST_F(ModelErrors, ACorrectionThatChangesNothingIsNotShown) {
  const Shown result = analysed(loop("skylake", "\tpopcntq\t%rax, %rcx\n\timulq\t%rdx, %rcx\n\timulq\t%rcx, %rbx\n"
                                                "\timulq\t%rbx, %rbx\n\timulq\t%rbx, %rbx\n"));
  EXPECT_EQ(result.regions.at(0).corrections, std::vector<std::string>());
  EXPECT_EQ(result.regions.at(0).uncorrectedCycles, 0);
}

TEST_F(ModelErrors, OtherCpusAreCorrectedToo) {
  wire::Settings settings;
  settings.cpus = {"haswell", "znver4"};
  const Shown hash = analysed(loop("skylake", kHash), settings);
  ASSERT_EQ(hash.regions.at(0).otherCpus.size(), 2u);
  EXPECT_NEAR(hash.regions.at(0).otherCpus[0].cycles, 4, 0.05);
  const Shown gather = analysed(loop("sapphirerapids", kGather), settings);
  EXPECT_TRUE(gather.regions.at(0).otherCpus.at(1).remark.starts_with("LLVM's model has a known error in `vpgatherqq "))
      << gather.regions.at(0).otherCpus.at(1).remark;
}

} // namespace
} // namespace analysis
