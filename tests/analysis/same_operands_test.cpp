// A load waits for the store to the same operand wherever the editor shows numbers: hints, listings, other CPUs,
// budgets, and what the user says of the pointer.
#include "analysis/job/analyzer.h"
#include "lsp/wording/sentences.h"
#include "tests/shown.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

const std::string kCounter = "count:\n\tincl\t(%rdi)\n\tmovl\t%ecx, (%rsi,%rcx,4)\n\tincq\t%rcx\n\tcmpq\t%rcx, %rdx\n"
                             "\tjne\tcount\n";

std::string on(const std::string &cpu, const std::string &text = kCounter) {
  return "# mca: triple=x86_64-linux-gnu cpu=" + cpu + "\n" + text;
}

class SameOperands : public testing::Test {
protected:
  Shown analysed(const std::string &text, wire::Settings settings = {}) {
    settings.listings = true;
    const wire::AnalyzeRequest request{.id = 1, .path = "/a.s", .text = text, .settings = std::move(settings)};
    return shown(analyzer_.run(request, {}, [](const wire::Progress &) {}), text);
  }
  ShownRegion loopOf(const std::string &text, wire::Settings settings = {}) {
    return analysed(text, std::move(settings)).regions.at(0);
  }

private:
  Analyzer analyzer_;
};

TEST_F(SameOperands, AreTheLoopsChain) {
  const Shown result = analysed(on("znver4"));
  const ShownRegion &loop = result.regions.at(0);
  EXPECT_EQ(loop.verdict.kind, wire::Verdict::Kind::Memory);
  EXPECT_EQ(loop.caveats, std::vector<std::string>());
  EXPECT_TRUE(result.hints.at(0).label().ends_with(" · mem")) << result.hints.at(0).label();
  EXPECT_TRUE(loop.bottleneck.starts_with("limited by a loop-carried chain through memory: ")) << loop.bottleneck;
  ASSERT_FALSE(loop.verdict.witnesses.empty());
  EXPECT_EQ(loop.verdict.witnesses[0].text, "incl (%rdi)");
}

TEST_F(SameOperands, TakeWhatAliasSays) {
  for (const char *cpu : {"znver4", "skylake", "atom"}) {
    const double cycles = loopOf(on(cpu)).cyclesPerIteration;
    EXPECT_EQ(cycles, loopOf(on(cpu, "# mca: alias rdi\n" + kCounter)).cyclesPerIteration) << cpu;
    EXPECT_EQ(cycles, loopOf(on(cpu, "# mca: distinct rdi\n" + kCounter)).cyclesPerIteration)
        << cpu << ": one address is not distinct from itself";
    EXPECT_EQ(cycles, loopOf(on(cpu, "# mca: distinct rdi, rsi\n" + kCounter)).cyclesPerIteration) << cpu;
  }
}

TEST_F(SameOperands, AreSaidInTheListing) {
  const ShownRegion loop = loopOf(on("znver4"));
  EXPECT_TRUE(loop.listing.starts_with("# 1 load waits for the store to the same operand: mca knows by the next line, "
                                       "llvm-mca does not\n# mca: same-operands\n"))
      << loop.listing;
  EXPECT_EQ(loopOf(on("znver4", "count:\n\tincl\t%eax\n\tjne\tcount\n")).listing.find("same-operands"),
            std::string::npos);
}

TEST_F(SameOperands, CountOnOtherCpus) {
  const ShownRegion loop = loopOf(on("znver4"), {.cpus = {"skylake"}});
  ASSERT_EQ(loop.otherCpus.size(), 1u);
  EXPECT_EQ(loop.otherCpus[0].cycles, loopOf(on("skylake")).cyclesPerIteration);
}

TEST_F(SameOperands, NeedNoCommentInTheBuffer) {
  const Shown with = analysed(on("znver4", "# mca: same-operands\n" + kCounter));
  EXPECT_EQ(with.regions.at(0).cyclesPerIteration, loopOf(on("znver4")).cyclesPerIteration);
  for (const wire::Finding &finding : with.findings)
    EXPECT_NE(finding.code, "pointer-statement") << lsp::wording::messageOf(finding);
}

TEST_F(SameOperands, ASpillIsOne) {
  const std::string spill = "sum:\n\tmovl\t-4(%rbp), %eax\n\taddl\t(%rdi,%rcx,4), %eax\n\tmovl\t%eax, -4(%rbp)\n"
                            "\tincq\t%rcx\n\tcmpq\t%rcx, %rdx\n\tjne\tsum\n";
  const ShownRegion loop = loopOf(on("skylake", spill));
  EXPECT_EQ(loop.verdict.kind, wire::Verdict::Kind::Memory);
  EXPECT_EQ(loop.verdict.chain.size(), 3u) << "load, add, store";
}

TEST_F(SameOperands, AMacroMayNameEachSymbol) {
  const auto cycles = [&](const std::string &second) {
    return loopOf(on("skylake", ".macro step s\n\tincl\t\\s(%rip)\n.endm\nl:\n\tstep a\n\tstep " + second +
                                    "\n\tdecl\t%ecx\n\tjne\tl\n"))
        .cyclesPerIteration;
  };
  EXPECT_GT(cycles("a"), 1.5 * cycles("b")) << "one counter twice, or two counters";
}

} // namespace
} // namespace analysis
