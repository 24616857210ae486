// From a program to its regions: kinds, names, places, and what is said about them.
#include "analysis/regions/region.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

using mca::kX86;
using mca::Parsed;
using mca::Strings;

class AssemblyRegions {
public:
  explicit AssemblyRegions(const Parsed &parsed, RegionKinds kinds = {})
      : parsed_(parsed), lines_(parsed.program->text()), map_(SourceMap::ofAssembly(*parsed.program, lines_)),
        regions(findAssemblyRegions(*parsed.target, *parsed.program, map_, kinds).regions) {}

  /// "marker a: 1-4 @1", lines of the range and of the hint, 1-based.
  Strings text() const {
    constexpr const char *kKinds[] = {"marker", "loop", "snippet"};
    Strings result;
    for (const Region &region : regions)
      result.push_back(std::string(kKinds[static_cast<int>(region.kind)]) + " " + region.name + ": " +
                       std::to_string(parsed_.lineOf(region.at.begin)) + "-" +
                       std::to_string(parsed_.lineOf(region.at.end)) + " @" +
                       std::to_string(parsed_.lineOf(region.anchor)));
    return result;
  }

private:
  const Parsed &parsed_;
  TextLines lines_;
  SourceMap map_;

public:
  std::vector<Region> regions;
};

TEST(AssemblyRegions, AreMarkersAndLoops) {
  const Parsed parsed(
      kX86, "skylake",
      ".type f,@function\nf:\nnop\n.La:\nincl %eax\njne .La\n# LLVM-MCA-BEGIN x\nnop\n# LLVM-MCA-END\n");
  EXPECT_EQ(AssemblyRegions(parsed).text(), (Strings{"marker x: 7-9 @7", "loop loop in f: 4-6 @4"}));
  EXPECT_EQ(AssemblyRegions(parsed, {.markers = false}).text(), (Strings{"loop loop in f: 4-6 @4"}));
  EXPECT_EQ(AssemblyRegions(parsed, {.loops = false}).text(), (Strings{"marker x: 7-9 @7"}));
}

TEST(AssemblyRegions, AreTheWholeTextWithoutEither) {
  const Parsed parsed(kX86, "skylake", "# one\n\n  nop\nincl %eax\n\n");
  EXPECT_EQ(AssemblyRegions(parsed).text(), (Strings{"snippet whole text: 3-4 @3"}));
  EXPECT_EQ(AssemblyRegions(parsed, {.snippets = false}).text(), Strings{});
}

TEST(AssemblyRegions, AMarkedLoopIsNotToldTwice) {
  const Parsed parsed(kX86, "skylake", "# LLVM-MCA-BEGIN\na:\nincl %eax\njne a\n# LLVM-MCA-END\n");
  EXPECT_EQ(AssemblyRegions(parsed).text(), (Strings{"marker : 1-5 @1"}));
}

TEST(AssemblyRegions, WithoutABeginHintAtTheFirstInstruction) {
  const Parsed parsed(kX86, "skylake", "# a comment\nnop\n# LLVM-MCA-END\nnop\n");
  EXPECT_EQ(AssemblyRegions(parsed).text(), (Strings{"marker : 1-3 @2"}));
}

TEST(AssemblyRegions, ThatAreEmptyAreNone) {
  const Parsed parsed(kX86, "skylake", "# LLVM-MCA-BEGIN\n# LLVM-MCA-END\nnop\n");
  EXPECT_EQ(AssemblyRegions(parsed).text(), Strings{});
  EXPECT_EQ(AssemblyRegions(Parsed(kX86, "skylake", "# nothing\n")).text(), Strings{});
}

TEST(AssemblyRegions, NamesWithoutDeclaredFunctions) {
  const Parsed parsed(kX86, "skylake", "main:\nnop\n.La:\nincl %eax\njne .La\n");
  EXPECT_EQ(AssemblyRegions(parsed).text(), (Strings{"loop loop in main: 3-5 @3"}));
}

TEST(AssemblyRegions, NamesOfCxx) {
  const Parsed parsed(kX86, "skylake", ".type _ZN2ns3addIiEEvPT_,@function\n_ZN2ns3addIiEEvPT_:\nnop\n.La:\njmp .La\n");
  EXPECT_EQ(AssemblyRegions(parsed).text(), (Strings{"loop loop in ns::add<int>: 4-5 @4"}));
}

TEST(AssemblyRegions, WithCallsSaySo) {
  const Parsed parsed(kX86, "skylake", "a:\ncall f\nincl %eax\njne a\n");
  const AssemblyRegions found(parsed);
  ASSERT_EQ(found.regions.size(), 1u);
  ASSERT_EQ(found.regions[0].caveats.size(), 1u);
  EXPECT_NE(found.regions[0].caveats[0].find("a call"), std::string::npos);
}

TEST(AssemblyRegions, WithRepeatedInstructionsSaySo) {
  for (const char *repeated : {"rep movsq", "rep stosb", "repne scasb"}) {
    const Parsed parsed(kX86, "skylake", "a:\n" + std::string(repeated) + "\ndecl %eax\njne a\n");
    const Strings caveats = AssemblyRegions(parsed).regions.at(0).caveats;
    ASSERT_EQ(caveats.size(), 1u) << repeated;
    EXPECT_NE(caveats[0].find("a rep prefix"), std::string::npos) << caveats[0];
  }
  const Parsed others(kX86, "skylake", "a:\nmovsq\nrep bsfl %eax, %ecx\nlock incl (%rdi)\ndecl %eax\njne a\n");
  EXPECT_EQ(AssemblyRegions(others).regions.at(0).caveats, Strings{});
}

TEST(AssemblyRegions, WithBranchesInsideSaySo) {
  const Parsed parsed(kX86, "skylake", "a:\ncmpb $1, (%rdi)\nje b\nincl %eax\nb:\nincq %rdi\njne a\n");
  EXPECT_EQ(AssemblyRegions(parsed).regions.at(0).caveats.size(), 1u);
  const Parsed straight(kX86, "skylake", "a:\nincl %eax\njne a\n");
  EXPECT_EQ(AssemblyRegions(straight).regions.at(0).caveats, Strings{});
}

TEST(AssemblyRegions, WithAnAssumedVectorTypeSaySo) {
  const char *cpu = "sifive-x280";
  EXPECT_EQ(AssemblyRegions(Parsed(mca::kRiscv, cpu, "vadd.vv v0, v1, v2\n")).regions.at(0).caveats.size(), 1u);
  EXPECT_EQ(AssemblyRegions(Parsed(mca::kRiscv, cpu, "vsetvl t0, a0, a1\n")).regions.at(0).caveats.size(), 1u);
  EXPECT_EQ(AssemblyRegions(Parsed(mca::kRiscv, cpu, "vsetvli t0, a0, e32, m1, ta, ma\nvadd.vv v0, v1, v2\n"))
                .regions.at(0)
                .caveats.size(),
            0u);
  EXPECT_EQ(AssemblyRegions(Parsed(mca::kRiscv, cpu, "# LLVM-MCA-RISCV-LMUL M1\nvadd.vv v0, v1, v2\n"))
                .regions.at(0)
                .caveats.size(),
            0u);
}

// A branch is the last instruction of its loop but for the delay slot, which belongs to it.
TEST(AssemblyRegions, ADelaySlotIsNoBranchInside) {
  const Parsed parsed("mipsel-linux-gnu", "p5600", ".set noreorder\na:\nsubu $2, $2, $3\nbnez $2, a\nnop\n");
  EXPECT_EQ(AssemblyRegions(parsed).regions.at(0).caveats, Strings{});
}

// The label that the loop jumps to, not the function's own above it.
TEST(AssemblyRegions, HintAtTheLoopsOwnLabel) {
  const Parsed parsed(kX86, "skylake", ".type f,@function\nf:\n.La:\nincl %eax\njne .La\n");
  EXPECT_EQ(AssemblyRegions(parsed).text(), (Strings{"loop loop in f: 3-5 @3"}));
}

} // namespace
} // namespace analysis
