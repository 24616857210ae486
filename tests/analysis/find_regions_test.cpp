// From a program to its regions: kinds, names, places, and what is said about them.
#include "analysis/regions/region_limits.h"
#include "analysis/source_map/inline_scopes.h"
#include "tests/analysis/compile/temp_folder.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

using mca::kX86;
using mca::Parsed;
using mca::Strings;
using Kind = wire::Caveat::Kind;
using Kinds = std::vector<Kind>;

Kinds caveatsOf(const Region &region) {
  Kinds kinds;
  for (const wire::Caveat &caveat : region.caveats)
    kinds.push_back(caveat.kind);
  return kinds;
}

class AssemblyRegions {
public:
  explicit AssemblyRegions(const Parsed &parsed, RegionKinds kinds = {})
      : parsed_(parsed), lines_(parsed.program->text()), map_(SourceMap::ofAssembly(*parsed.program, lines_)),
        found_(findAssemblyRegions({*parsed.target, *parsed.program}, map_, kinds)), regions(found_.regions),
        beyond(found_.beyond) {}

  /// "marker a: 1-4 @1", lines of the range and of the hint, 1-based.
  Strings text() const {
    constexpr const char *kKinds[] = {"marker", "loop", "snippet", "path"};
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
  Regions found_;

public:
  const std::vector<Region> &regions;
  const RegionsBeyond &beyond;
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

// ---- texts with neither markers nor loops --------------------------------------------------------------------------

Strings snippets(const std::string &text, const std::string &triple = kX86, const std::string &cpu = "skylake") {
  const Parsed parsed(triple, cpu, text);
  EXPECT_EQ(parsed.diagnostics(), Strings{});
  return AssemblyRegions(parsed).text();
}

TEST(AssemblySnippets, AreOneAFunction) {
  EXPECT_EQ(snippets("a:\tnop\nret\nb:\nnop\nret\n"),
            (Strings{"snippet function a: 1-2 @1", "snippet function b: 3-5 @3"}));
  EXPECT_EQ(
      snippets(".type a,@function\na:\nnop\nret\n.size a, .-a\n.type _ZN1n1fEi,@function\n_ZN1n1fEi:\nnop\nret\n"),
      (Strings{"snippet function a: 2-4 @2", "snippet function n::f: 7-9 @7"}));
  EXPECT_EQ(snippets("nop\nret\nb:\nnop\nret\n"),
            (Strings{"snippet before the first function: 1-2 @1", "snippet function b: 3-5 @3"}));
}

TEST(AssemblySnippets, OfOneFunctionOrNoneAreTheWholeText) {
  EXPECT_EQ(snippets("nop\nret\nnop\n"), (Strings{"snippet whole text: 1-3 @1"}));
  EXPECT_EQ(snippets("a:\nnop\n.Lb:\nnop\n1:\nret\n"), (Strings{"snippet whole text: 2-6 @2"}));
  EXPECT_EQ(snippets("nop\n.section .init,\"ax\"\nnop\n"), (Strings{"snippet whole text: 1-3 @1"}));
}

TEST(AssemblySnippets, ALabelThatControlReachesIsInsideAFunction) {
  EXPECT_EQ(snippets("a:\nje end\nnop\nret\nend:\nnop\nret\nb:\nret\n"),
            (Strings{"snippet function a: 1-7 @1", "snippet function b: 8-9 @8"}))
      << "it is jumped to";
  EXPECT_EQ(snippets("a:\nnop\nentry:\nnop\nret\nb:\nret\n"),
            (Strings{"snippet function a: 1-5 @1", "snippet function b: 6-7 @6"}))
      << "the code before it goes on there";
  EXPECT_EQ(snippets("a:\ncall c\nb:\nret\n"), (Strings{"snippet function a: 1-2 @1", "snippet function b: 3-4 @3"}))
      << "a call may not return";
}

TEST(AssemblySnippets, KnowDataFromCode) {
  EXPECT_EQ(snippets("a:\nnop\nret\n.data\nx:\n.long 1\n.text\nb:\nret\n.section .rodata\ny:\n.long 2\n"),
            (Strings{"snippet function a: 1-3 @1", "snippet function b: 8-9 @8"}));
  EXPECT_EQ(snippets("a:\nnop\n.section .text.b,\"ax\"\nb:\nret\n.text\nret\n"),
            (Strings{"snippet function a: 1-7 @1", "snippet function b: 4-5 @4"}))
      << "a text may come back to a function's section";
}

TEST(AssemblySnippets, PaddingIsOfNoFunction) {
  const Parsed parsed(kX86, "skylake", "a:\nnop\nret\nnop\nnop\nb:\nret\nint3\n");
  const AssemblyRegions found(parsed);
  EXPECT_EQ(found.text(), (Strings{"snippet function a: 1-3 @1", "snippet function b: 6-7 @6"}));
  ASSERT_EQ(found.regions.size(), 2u);
  EXPECT_EQ(caveatsOf(found.regions[0]), Kinds{});
}

TEST(AssemblySnippets, TwoNamesOfAFunctionAreOne) {
  EXPECT_EQ(snippets("a:\nret\nb:\nc:\nret\n"), (Strings{"snippet function a: 1-2 @1", "snippet function b: 3-5 @3"}));
}

TEST(AssemblySnippets, AColdPartIsNoFunction) {
  EXPECT_EQ(snippets(".type f,@function\n.type f.cold,@function\n.type g,@function\nf:\nret\nf.cold:\nud2\ng:\nret\n"),
            (Strings{"snippet function f: 4-5 @4", "snippet function g: 8-9 @8"}));
}

TEST(AssemblySnippets, OfOtherTargets) {
  EXPECT_EQ(snippets("_a:\n  nop\n  ret\nL1:\n  nop\n  ret\n_b:\n  ret\n", "arm64-apple-macos", "apple-m1"),
            (Strings{"snippet function _a: 1-6 @1", "snippet function _b: 7-8 @7"}));
  EXPECT_EQ(snippets(".def f; .scl 2; .type 32; .endef\nf:\nret\n.def g; .scl 2; .type 32; .endef\ng:\nret\n",
                     "x86_64-pc-windows-msvc"),
            (Strings{"snippet function f: 2-3 @2", "snippet function g: 5-6 @5"}));
  EXPECT_EQ(snippets("a:\n  nop\n.La:\n  ret\nb:\n  ret\n", "riscv64-linux-gnu", "sifive-u74"),
            (Strings{"snippet function a: 1-4 @1", "snippet function b: 5-6 @5"}));
  EXPECT_EQ(snippets(".set noreorder\na:\njr $ra\naddiu $4, $4, 1\nb:\njr $ra\nnop\n", "mipsel-linux-gnu", "p5600"),
            (Strings{"snippet function a: 2-4 @2", "snippet function b: 5-7 @5"}))
      << "with a delay slot";
}

TEST(AssemblySnippets, OfAFunctionThatBranchesSaySo) {
  const Parsed parsed(kX86, "skylake", "a:\nje .Lb\nnop\n.Lb:\nret\nb:\nret\n.Lc:\nnop\nret\nc:\nnop\nret\n");
  const AssemblyRegions found(parsed);
  ASSERT_EQ(found.regions.size(), 3u);
  EXPECT_EQ(caveatsOf(found.regions[0]), Kinds{Kind::BranchingText});
  EXPECT_EQ(caveatsOf(found.regions[1]), Kinds{Kind::BranchingText}) << "code after a return";
  EXPECT_EQ(caveatsOf(found.regions[2]), Kinds{});
}

TEST(AssemblySnippets, WithCallsAreALowerBound) {
  const Parsed parsed(kX86, "skylake", "a:\ncall x\nret\nb:\nnop\njmp y\nc:\njmp *%rax\nd:\nnop\nret\n");
  const AssemblyRegions found(parsed);
  ASSERT_EQ(found.regions.size(), 4u);
  EXPECT_EQ(found.regions[0].calls, Strings{"x"});
  EXPECT_EQ(found.regions[1].calls, Strings{"y"}) << "a tail call";
  EXPECT_EQ(found.regions[2].calls, Strings{"through a pointer"});
  EXPECT_EQ(found.regions[3].calls, Strings{});
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

std::string repeated(size_t count, const std::string &text) {
  std::string all;
  for (size_t i = 0; i < count; ++i) {
    std::string one = text;
    for (size_t at = one.find('#'); at != std::string::npos; at = one.find('#', at))
      one.replace(at, 1, std::to_string(i));
    all += one;
  }
  return all;
}

const std::string kMarked = "/*LLVM-MCA-BEGIN #*/\nnop\n/*LLVM-MCA-END #*/\n";
const std::string kLooping = ".L#: incl %eax\njne .L#\n";

TEST(RegionLimits, KeepTheFirstRegionsOfTheText) {
  const Parsed full(kX86, "skylake", repeated(kMaxRegions, kMarked));
  EXPECT_EQ(AssemblyRegions(full).regions.size(), kMaxRegions);
  EXPECT_FALSE(AssemblyRegions(full).beyond.anchor);
  const Parsed over(kX86, "skylake", repeated(kMaxRegions + 2, kMarked));
  const AssemblyRegions found(over);
  EXPECT_EQ(found.regions.size(), kMaxRegions);
  EXPECT_EQ(over.lineOf(found.beyond.anchor.value()), 3 * kMaxRegions + 1);
}

TEST(RegionLimits, HoldForMarkersAndLoopsTogether) {
  const Parsed parsed(kX86, "skylake",
                      repeated(1, kLooping) + repeated(kMaxRegions - 1, kMarked) + ".Llast: decl %eax\njne .Llast\n" +
                          "nop\n");
  const AssemblyRegions found(parsed);
  EXPECT_EQ(found.regions.size(), kMaxRegions);
  EXPECT_EQ(found.regions.back().kind, wire::RegionKind::Loop) << "the first of the text, the last of the list";
  EXPECT_EQ(found.beyond.loops.size(), 1u);
  EXPECT_EQ(parsed.lineOf(found.beyond.anchor.value()), 2 + 3 * (kMaxRegions - 1) + 1);
}

TEST(RegionLimits, HoldForInstructionsInRegionsThatNeverEnd) {
  constexpr size_t kMarkers = 2000; // instructions in all regions: half of the square
  const Parsed parsed(kX86, "skylake", repeated(kMarkers, "/*LLVM-MCA-BEGIN #*/\nnop\n"));
  const AssemblyRegions found(parsed, {.loops = false});
  size_t instructions = 0;
  for (const Region &region : found.regions)
    instructions += region.instructions.size();
  EXPECT_LE(instructions, kMaxRegionInstructions);
  EXPECT_GT(instructions + kMarkers, kMaxRegionInstructions);
  EXPECT_EQ(parsed.lineOf(found.beyond.anchor.value()), 2 * found.regions.size() + 1);
}

TEST(RegionLimits, KeepOneRegionOfAnyLength) {
  const Parsed parsed(kX86, "skylake", repeated(kMaxRegionInstructions + 1, "nop\n"));
  const AssemblyRegions found(parsed);
  EXPECT_EQ(found.regions.size(), 1u);
  EXPECT_FALSE(found.beyond.anchor);
}

TEST(RegionLimits, KeepThePathsOfALoopTogether) {
  std::vector<Region> regions;
  for (uint32_t i = 0; i <= kMaxRegions; ++i) {
    Region &region = regions.emplace_back();
    region.instructions = {i};
    region.anchor = region.loop = i;
  }
  regions[kMaxRegions - 1].kind = regions[kMaxRegions].kind = wire::RegionKind::Path;
  regions[kMaxRegions].anchor = regions[kMaxRegions].loop = kMaxRegions - 1;
  EXPECT_EQ(removeBeyondLimits(regions).anchor, kMaxRegions - 1);
  EXPECT_EQ(regions.size(), kMaxRegions - 1);
}

TEST(AssemblyRegions, NamesWithoutDeclaredFunctions) {
  const Parsed parsed(kX86, "skylake", "main:\nnop\n.La:\nincl %eax\njne .La\n");
  EXPECT_EQ(AssemblyRegions(parsed).text(), (Strings{"loop loop in main: 3-5 @3"}));
}

TEST(AssemblyRegions, NamesOfCxx) {
  const Parsed parsed(kX86, "skylake", ".type _ZN2ns3addIiEEvPT_,@function\n_ZN2ns3addIiEEvPT_:\nnop\n.La:\njmp .La\n");
  EXPECT_EQ(AssemblyRegions(parsed).text(), (Strings{"loop loop in ns::add<int>: 4-5 @4"}));
}

TEST(AssemblyRegions, NameWhatTheyCall) {
  const auto callsOf = [](const char *triple, const char *cpu, const std::string &body) {
    const Parsed parsed(triple, cpu, body);
    const AssemblyRegions found(parsed);
    EXPECT_EQ(caveatsOf(found.regions.at(0)), Kinds{});
    return found.regions.at(0).calls;
  };
  const auto ofX86 = [&](const std::string &calls) {
    return callsOf(kX86, "skylake", "a:\n" + calls + "incl %eax\njne a\n");
  };
  EXPECT_EQ(ofX86("callq _Z5visiti@PLT\ncall f\ncall _Z5visiti\n"), (Strings{"visit", "f"})) << "each once";
  EXPECT_EQ(ofX86("callq _ZN2ns4listISt4pairIicEE4pushIiEEvT_\n"), Strings{"ns::list::push"});
  EXPECT_EQ(ofX86("callq _ZlsRSoi\n"), Strings{"operator<<"});
  EXPECT_EQ(ofX86("callq _ZN15binary_operatorIiE3runEv\n"), Strings{"binary_operator::run"});
  EXPECT_EQ(ofX86("call work.isra.0\ncall _ZN1aC2Ev.constprop.3\n"), (Strings{"work", "a::a"}));
  EXPECT_EQ(ofX86("call *f@GOTPCREL(%rip)\n"), Strings{"f"}) << "-fno-plt";
  EXPECT_EQ(ofX86("call *table(,%rax,8)\ncall *%rax\ncall *hook(%rip)\n"), Strings{"through a pointer"});
  EXPECT_EQ(ofX86(""), Strings{});
  EXPECT_EQ(callsOf("aarch64-linux-gnu", "neoverse-n1", "a:\nbl memcpy\nblr x8\nsubs x0, x0, #1\nb.ne a\n"),
            (Strings{"memcpy", "through a pointer"}));
  EXPECT_EQ(callsOf(mca::kRiscv, "sifive-u74", "a:\ncall _Z1fv\njalr a5\naddi s0, s0, 8\nbne s0, s1, a\n"),
            (Strings{"f", "through a pointer"}));
}

TEST(AssemblyRegions, WithRepeatedInstructionsSaySo) {
  for (const char *repeated : {"rep movsq", "rep stosb", "repne scasb"}) {
    const Parsed parsed(kX86, "skylake", "a:\n" + std::string(repeated) + "\ndecl %eax\njne a\n");
    EXPECT_EQ(caveatsOf(AssemblyRegions(parsed).regions.at(0)), Kinds{Kind::RepeatPrefix}) << repeated;
  }
  const Parsed others(kX86, "skylake", "a:\nmovsq\nrep bsfl %eax, %ecx\nlock incl (%rdi)\ndecl %eax\njne a\n");
  EXPECT_EQ(caveatsOf(AssemblyRegions(others).regions.at(0)), Kinds{});
}

TEST(AssemblyRegions, WithBranchesInsideAreOneAPath) {
  const Parsed parsed(kX86, "skylake", "a:\ncmpb $1, (%rdi)\nje b\nincl %eax\nb:\nincq %rdi\njne a\n");
  const AssemblyRegions found(parsed);
  EXPECT_EQ(found.text(), (Strings{"path loop: 1-7 @1", "path loop: 1-7 @1"}));
  ASSERT_EQ(found.regions.size(), 2u);
  EXPECT_EQ(found.regions[0].lines, (mca::Lines{2, 3, 4, 6, 7}));
  EXPECT_EQ(found.regions[0].path, "through line 4");
  EXPECT_EQ(found.regions[1].lines, (mca::Lines{2, 3, 6, 7}));
  EXPECT_EQ(found.regions[1].path, "not through line 4");
  for (const Region &region : found.regions) {
    EXPECT_EQ(caveatsOf(region), Kinds{});
    EXPECT_EQ(region.loop, found.regions[0].loop);
    EXPECT_EQ(region.share, -1) << "nobody has said";
  }
}

// It does not matter where a loop is entered that has one way around, or several that all pass one block.
TEST(AssemblyRegions, EnteredInTheMiddleAreExactUnlessAWayMissesTheHeader) {
  const auto of = [](const std::string &text) {
    return caveatsOf(
        AssemblyRegions(Parsed(kX86, "skylake", ".type f,@function\nf:\n" + text + "ret\n")).regions.at(0));
  };
  const std::string straight = "top:\nincl %eax\nmiddle:\nincl %ebx\nend:\ndecl %ecx\njne top\n";
  EXPECT_EQ(of("je middle\n" + straight), Kinds{});
  EXPECT_EQ(of("je middle\njs end\n" + straight), Kinds{});
  EXPECT_EQ(of("jmp *.Lt(,%rdx,8)\n.section .rodata\n.Lt:\n.quad top, middle, end\n.text\n" + straight), Kinds{});
  const std::string diamond = "top:\nincl %eax\nje right\nleft:\nincl %ebx\njmp end\nright:\nincl %ecx\nend:\ndecl "
                              "%edx\njne top\n";
  EXPECT_EQ(of("je end\n" + diamond), Kinds{});
  EXPECT_EQ(of("je left\njmp right\n" + diamond), Kinds{});
  EXPECT_EQ(of("je b\na:\nincl %eax\nje c\nb:\nincl %ebx\nje a\nc:\nincl %ecx\njne b\njs a\n"),
            Kinds{Kind::SeveralEntries})
      << "a and b, b and c";
}

TEST(AssemblyRegions, BranchesInAStraightOneAreNone) {
  const Parsed straight(kX86, "skylake", "a:\nincl %eax\njne a\n");
  EXPECT_EQ(caveatsOf(AssemblyRegions(straight).regions.at(0)), Kinds{});
}

TEST(AssemblyRegions, WithAnAssumedVectorTypeSaySo) {
  const auto caveatsIn = [](const std::string &text) {
    return caveatsOf(AssemblyRegions(Parsed(mca::kRiscv, "sifive-x280", text)).regions.at(0));
  };
  EXPECT_EQ(caveatsIn("vadd.vv v0, v1, v2\n"), Kinds{Kind::VectorTypeNotSet});
  EXPECT_EQ(caveatsIn("vsetvl t0, a0, a1\nvadd.vv v0, v1, v2\n"), Kinds{Kind::VectorTypeByRegister});
  EXPECT_EQ(caveatsIn("vsetvl t0, a0, a1\n"), Kinds{}) << "nothing works with it";
  EXPECT_EQ(caveatsIn("vsetvli t0, a0, e32, m1, ta, ma\nvadd.vv v0, v1, v2\n"), Kinds{});
  EXPECT_EQ(caveatsIn("# LLVM-MCA-RISCV-LMUL M1\nvadd.vv v0, v1, v2\n"), Kinds{});
}

// A branch is the last instruction of its loop but for the delay slot, which belongs to it.
TEST(AssemblyRegions, ADelaySlotIsNoBranchInside) {
  const Parsed parsed("mipsel-linux-gnu", "p5600", ".set noreorder\na:\nsubu $2, $2, $3\nbnez $2, a\nnop\n");
  EXPECT_EQ(caveatsOf(AssemblyRegions(parsed).regions.at(0)), Kinds{});
}

// The label that the loop jumps to, not the function's own above it.
TEST(AssemblyRegions, HintAtTheLoopsOwnLabel) {
  const Parsed parsed(kX86, "skylake", ".type f,@function\nf:\n.La:\nincl %eax\njne .La\n");
  EXPECT_EQ(AssemblyRegions(parsed).text(), (Strings{"loop loop in f: 3-5 @3"}));
}

TEST(AssemblyRegions, PathsOfTheSameLinesAreNumbered) {
  const Parsed parsed(kX86, "skylake", "a: je b; incl %eax; b: incq %rdi; jne a\n");
  const AssemblyRegions found(parsed);
  ASSERT_EQ(found.regions.size(), 2u);
  EXPECT_EQ(found.regions[0].path, "path 1 of 2");
  EXPECT_EQ(found.regions[1].path, "path 2 of 2");
}

TEST(AssemblyRegions, PathsOfOneNameAreNumbered) {
  const Parsed parsed(kX86, "skylake", "a:\nje b; nop; jp b; incl %eax; jmp c\nb:\nincq %rdi\nc:\ndecl %ebx\njne a\n");
  const AssemblyRegions found(parsed);
  std::vector<std::string> names;
  for (const Region &region : found.regions)
    names.push_back(region.path);
  EXPECT_EQ(names, (Strings{"through line 4 (1 of 2)", "not through line 4", "through line 4 (2 of 2)"}));
}

TEST(AssemblyRegions, PathsThroughManyLinesNameTheFirstFew) {
  const Parsed parsed(kX86, "skylake", "a:\nje b\nnop\nnop\nnop\nnop\nnop\nb:\nincq %rdi\njne a\n");
  const AssemblyRegions found(parsed);
  ASSERT_EQ(found.regions.size(), 2u);
  EXPECT_EQ(found.regions[0].path, "through lines 3, 4, 5, 6 and 1 more");
  EXPECT_EQ(found.regions[1].path, "not through lines 3, 4, 5, 6 and 1 more");
}

TEST(AssemblyRegions, OfMorePathsThanAreSimulatedSaySo) {
  std::string text = "a:\n";
  for (int i = 0; i < 30; ++i)
    text += "je l" + std::to_string(i) + "\nincl %eax\nl" + std::to_string(i) + ":\n";
  const Parsed parsed(kX86, "skylake", text + "decl %ebx\njne a\n");
  const AssemblyRegions found(parsed);
  ASSERT_EQ(found.regions.size(), 8u);
  for (const Region &region : found.regions) {
    EXPECT_EQ(region.kind, wire::RegionKind::Path);
    EXPECT_EQ(caveatsOf(region), Kinds{Kind::MorePaths});
    EXPECT_EQ(region.caveats.at(0).count, 8u);
  }
}

TEST(AssemblyRegions, EachLoopHasItsNumber) {
  const Parsed parsed(kX86, "skylake", "# LLVM-MCA-BEGIN\nnop\n# LLVM-MCA-END\na:\nje b\nnop\nb:\njne a\nc:\njne c\n");
  mca::Lines numbers;
  for (const Region &region : AssemblyRegions(parsed).regions)
    numbers.push_back(region.loop);
  EXPECT_EQ(numbers, (mca::Lines{0, 1, 1, 2}));
}

// ---- C and C++ -----------------------------------------------------------------------------------------------------

/// A buffer and what a compiler made of it.
class SourceRegions {
public:
  SourceRegions(const std::string &buffer, const std::string &assembly, BranchProbability probability = nullptr)
      : parsed_(kX86, "skylake", ".type f,@function\nf:\n.file 0 \"/d\" \"a.cpp\"\n" + assembly), lines_(buffer),
        map_(SourceMap::ofSource(*parsed_.program, lines_, "/d/a.cpp", "/d", {})),
        statements_(buffer, wire::Language::Cxx) {
    EXPECT_EQ(parsed_.diagnostics(), Strings{});
    SourceFacts facts{.statements = &statements_, .language = wire::Language::Cxx};
    facts.probability = probability ? std::move(probability) : [](uint32_t, uint32_t) { return std::nullopt; };
    found_ = findSourceRegions({*parsed_.target, *parsed_.program}, map_, facts, {});
  }

  /// "loop in f @3 1,2": name, path, line of the hint, lines of the instructions.
  Strings text() const {
    Strings result;
    for (const Region &region : found_.regions) {
      std::string one = region.name + (region.path.empty() ? "" : ", " + region.path) + " @" +
                        std::to_string(lines_.lineOf(region.anchor) + 1);
      for (const uint32_t line : region.lines)
        one += " " + std::to_string(line);
      result.push_back(one);
    }
    return result;
  }
  const std::vector<Region> &regions() const { return found_.regions; }
  /// "/usr/include/vector:12 in f".
  Strings elsewhere() const {
    Strings result;
    for (const LoopElsewhere &loop : found_.elsewhere)
      result.push_back(loop.file + ":" + std::to_string(loop.line) + " in " + loop.function);
    return result;
  }

private:
  Parsed parsed_;
  TextLines lines_;
  SourceMap map_;
  LoopStatements statements_;
  Regions found_;
};

std::string at(int line, const std::string &instruction) {
  return ".loc 0 " + std::to_string(line) + " 3\n" + instruction + "\n";
}

const std::string kBranchy = "void f() {\n  for (;;) {\n    if (a)\n      b();\n    else\n      c();\n  }\n}\n";
const std::string kBranchyCode = ".La:\n" + at(3, "je .Lelse") + at(4, "incl %eax") + at(2, "jmp .Lend") + ".Lelse:\n" +
                                 at(6, "decl %eax") + ".Lend:\n" + at(2, "jne .La");

TEST(SourceRegions, APathIsNamedByItsLines) {
  EXPECT_EQ(SourceRegions(kBranchy, kBranchyCode).text(),
            (Strings{"loop in f, through line 4 @2 3 4 2 2", "loop in f, through line 6 @2 3 6 2"}));
}

TEST(SourceRegions, PathsHaveTheCompilersShares) {
  const SourceRegions found(kBranchy, kBranchyCode, [](uint32_t last, uint32_t to) -> std::optional<double> {
    return last == 0 ? (to == 1 ? 0.25 : 0.75) : 1;
  });
  ASSERT_EQ(found.regions().size(), 2u);
  EXPECT_EQ(found.regions()[0].path, "through line 6") << "the most frequent first";
  EXPECT_EQ(found.regions()[0].share, 0.75);
  EXPECT_EQ(found.regions()[1].share, 0.25);
}

TEST(SourceRegions, KnowTheLinesOfTheLoopsHead) {
  const SourceRegions found("void f() {\n#pragma unroll\n  for (;;)\n    a();\n}\n",
                            ".La:\n" + at(4, "incl %eax") + at(3, "jne .La"));
  ASSERT_EQ(found.regions().size(), 1u);
  EXPECT_EQ(found.regions()[0].code.file, "/d/a.cpp");
  EXPECT_EQ(found.regions()[0].code.firstLine, 2u);
  EXPECT_EQ(found.regions()[0].code.lastLine, 3u);
}

TEST(SourceRegions, NameTheCallThatALoopWasInlinedAt) {
  const std::string buffer = "void g() {\n  for (;;)\n    a();\n}\nvoid f() {\n  g();\n  g();\n}\n";
  const auto inlined = [](const std::string &line, const std::string &label) {
    return label + ":\n.loc 0 3 5 # a.cpp:3:5 @[ a.cpp:" + line +
           ":3 ]\nincl %eax\n.loc 0 2 3 # a.cpp:2:3 @[ a.cpp:" + line + ":3 ]\njne " + label + "\n";
  };
  EXPECT_EQ(SourceRegions(buffer, inlined("6", ".La") + inlined("7", ".Lb")).text(),
            (Strings{"loop inlined into f at line 6 @2 3 2", "loop inlined into f at line 7 @2 3 2"}));
}

TEST(SourceRegions, OfACallBelongToItsLine) {
  EXPECT_EQ(SourceRegions("void f() {\n  sort();\n}\n",
                          ".La:\n.loc 0 1 1 # /nowhere/sort:3:5 @[ a.cpp:2:3 ]\nincl %eax\njne .La\n")
                .text(),
            (Strings{"inlined loop in f @2 2 2"}));
}

TEST(SourceRegions, ThatBelongToNoLineAreTold) {
  const SourceRegions found("void f() {\n}\n",
                            ".La:\n.loc 0 1 1 # /nowhere/sort:3:5\nincl %eax\njne .La\n.Lb:\n.loc 0 0 0\njne .Lb\n");
  EXPECT_EQ(found.text(), Strings{});
  EXPECT_EQ(found.elsewhere(), (Strings{"/nowhere/sort:3 in f", ":0 in f"}));
}

TEST(SourceRegions, AStatementThatSharesItsHeaderIsALoopOfItsOwn) {
  const std::string buffer = "void f() {\n for (;;) {\n  while (a)\n   b();\n  c();\n }\n}\n";
  const std::string inner = ".La:\n" + at(4, "incl %eax") + at(3, "jne .La");
  EXPECT_EQ(SourceRegions(buffer, inner + at(5, "decl %ebx") + at(2, "jne .La") + at(7, "ret")).text(),
            (Strings{"loop in f @3 4 3"}));
  const std::string another = ".Lb:\n" + at(5, "incl %ecx") + at(5, "jne .Lb");
  EXPECT_EQ(SourceRegions(buffer, inner + at(5, "decl %ebx") + another + at(2, "jne .La") + at(7, "ret")).text()[0],
            "loop in f @3 4 3");
}

TEST(SourceRegions, AContinueIsNoLoopOfItsOwn) {
  const std::string buffer = "void f() {\n for (;;) {\n  if (a)\n   continue;\n  while (b)\n   c();\n }\n}\n";
  EXPECT_EQ(SourceRegions(buffer, ".La:\n" + at(3, "incl %eax") + at(4, "jne .La") + ".Lb:\n" + at(6, "decl %ebx") +
                                      at(5, "jne .Lb") + at(2, "jmp .La"))
                .text(),
            (Strings{"loop in f @5 6 5"}));
}

// clang compiles an outer loop twice: with its inner loop, and for the case that that does nothing.
const std::string kNested = "void f() {\n for (;;) {\n  s = 0;\n  for (;;)\n   b();\n  d();\n }\n}\n";
const std::string kWithInner = ".La:\n" + at(3, "incl %eax") + ".Lb:\n" + at(5, "incl %ecx") + at(4, "jne .Lb") +
                               at(6, "decl %edx") + at(2, "jne .La") + at(8, "ret");

TEST(SourceRegions, ACopyOfAnOuterLoopWithoutItsInnerOneIsNone) {
  const std::string copy = ".Lc:\n" + at(6, "decl %edx") + at(2, "jne .Lc") + at(8, "ret");
  EXPECT_EQ(SourceRegions(kNested, at(2, "je .Lc") + kWithInner + copy).text(), (Strings{"loop in f @4 5 4"}));
  EXPECT_EQ(SourceRegions(kNested, at(2, "je .La") + copy + kWithInner).text(), (Strings{"loop in f @4 5 4"}));
  const std::string tests = ".Lc:\n" + at(4, "testl %edi, %edi") + at(6, "decl %edx") + at(2, "jne .Lc") + at(8, "ret");
  EXPECT_EQ(SourceRegions(kNested, at(2, "je .Lc") + kWithInner + tests).text(), (Strings{"loop in f @4 5 4"}))
      << "the inner head's test is no iteration of it";
  const std::string twice = copy + ".Ld:\n" + at(6, "subl $2, %edx") + at(2, "jne .Ld") + at(8, "ret");
  EXPECT_EQ(SourceRegions(kNested, at(2, "je .Lc") + at(2, "js .Ld") + kWithInner + twice).text(),
            (Strings{"loop in f @4 5 4"}))
      << "unrolled, with a remainder";
}

TEST(SourceRegions, AnOuterLoopWithItsInnerOneUnrolledIsInnermost) {
  const std::string unrolled =
      ".Lc:\n" + at(5, "incl %ecx") + at(5, "incl %ecx") + at(6, "decl %edx") + at(2, "jne .Lc");
  EXPECT_EQ(SourceRegions(kNested, unrolled + at(8, "ret")).text(), (Strings{"loop in f @2 5 5 6 2"}));
  EXPECT_EQ(SourceRegions(kNested, at(2, "je .Lc") + kWithInner + unrolled + at(8, "ret")).text(),
            (Strings{"loop in f @4 5 4", "loop in f @2 5 5 6 2"}))
      << "one version of two";
  const std::string set = ".Lc:\n" + at(5, "call memset") + at(2, "jne .Lc");
  EXPECT_EQ(SourceRegions(kNested, at(2, "je .Lc") + kWithInner + set + at(8, "ret")).text()[1], "loop in f @2 5 2");
  const std::string copy = ".Ld:\n" + at(6, "decl %edx") + at(2, "jne .Ld") + at(8, "ret");
  EXPECT_EQ(SourceRegions(kNested, at(2, "je .Ld") + set + at(8, "ret") + copy).text(), (Strings{"loop in f @2 5 2"}))
      << "the inner loop has become a call";
  const std::string evaluated = ".Lc:\n" + at(3, "incl %ecx") + at(2, "jne .Lc");
  EXPECT_EQ(SourceRegions(kNested, evaluated + at(8, "ret")).text(), (Strings{"loop in f @2 3 2"}))
      << "nothing is left of the inner loop";
}

// Work on what a search found is in its statement, but not in its loop.
TEST(SourceRegions, ALoopOnTheWayOutOfAnotherIsNotInIt) {
  const std::string buffer = "void f() {\n for (;;) {\n  if (a) {\n  for (;;)\n    b();\n   return;\n  }\n }\n}\n";
  EXPECT_EQ(SourceRegions(buffer, ".La:\n" + at(3, "decl %eax") + at(3, "je .Lb") + at(2, "jmp .La") + ".Lb:\n" +
                                      at(5, "incl %ecx") + at(4, "jne .Lb") + at(6, "ret"))
                .text(),
            (Strings{"loop in f, without its inner loop @2 3 3 2", "loop in f @4 5 4"}));
}

TEST(SourceRegions, ASkippingLoopInAnotherIsInnermost) {
  const std::string buffer = "void f() {\n for (;;) {\n  if (a)\n   continue;\n  while (b)\n   c();\n }\n}\n";
  EXPECT_EQ(SourceRegions(buffer, ".Lo:\n" + at(7, "incl %edx") + ".La:\n" + at(3, "incl %eax") + at(4, "jne .La") +
                                      ".Lb:\n" + at(6, "decl %ebx") + at(5, "jne .Lb") + at(2, "jmp .Lo"))
                .text(),
            (Strings{"loop in f, without its inner loop @2 3 4", "loop in f @5 6 5"}));
}

TEST(SourceRegions, ALoopThatAHeadCallsIsNotInItsStatement) {
  const std::string buffer = "int g() {\n for (;;)\n  a();\n}\nvoid f() {\n for (i = g(); i; ++i)\n  b();\n}\n";
  const auto inlined = [](int line, const std::string &code) {
    return ".loc 0 " + std::to_string(line) + " 3 # a.cpp:" + std::to_string(line) + ":3 @[ a.cpp:6:11 ]\n" + code +
           "\n";
  };
  EXPECT_EQ(SourceRegions(buffer, ".Lb:\n" + inlined(3, "incl %ecx") + inlined(2, "jne .Lb") + ".Lc:\n" +
                                      at(7, "decl %edx") + at(6, "jne .Lc") + at(8, "ret"))
                .text(),
            (Strings{"loop inlined into f at line 6 @2 3 2", "loop in f @6 7 6"}));
}

TEST(SourceRegions, ACopyWithoutALoopThatWasInlinedIsNone) {
  const std::string buffer = "int g() {\n for (;;)\n  a();\n}\nvoid f() {\n for (;;) {\n  s = g();\n  t();\n }\n}\n";
  const auto inlined = [](int line, const std::string &code) {
    return ".loc 0 " + std::to_string(line) + " 3 # a.cpp:" + std::to_string(line) + ":3 @[ a.cpp:7:7 ]\n" + code +
           "\n";
  };
  const std::string whole = ".La:\n" + inlined(3, ".Lb:\nincl %ecx") + inlined(2, "jne .Lb") + at(8, "decl %edx") +
                            at(6, "jne .La") + at(10, "ret");
  const std::string copy = ".Lc:\n" + at(8, "decl %edx") + at(6, "jne .Lc") + at(10, "ret");
  EXPECT_EQ(SourceRegions(buffer, at(6, "je .Lc") + whole + copy).text(),
            (Strings{"loop inlined into f at line 7 @2 3 2"}));
  const std::string other = ".type g,@function\ng:\n.Ld:\n" + at(3, "incl %ecx") + at(2, "jne .Ld") + at(4, "ret");
  EXPECT_EQ(SourceRegions(buffer, ".Lc:\n" + at(7, "call g") + at(6, "jne .Lc") + at(10, "ret") + other).text(),
            (Strings{"loop in f @6 7 6", "loop in g @2 3 2"}))
      << "it was called";
}

// ---- called functions of other files -------------------------------------------------------------------------------

/// A function with a loop of /nowhere/sort's line 3; `before` stands above the loop.
std::string inHeader(const std::string &name, const std::string &before = "") {
  return ".type " + name + ",@function\n" + name + ":\n.loc 0 1 1 # /nowhere/sort:2:5\n" + before + ".L" + name +
         ":\n.loc 0 1 1 # /nowhere/sort:3:5\nincl %eax\njne .L" + name + "\nret\n";
}

const std::string kSorts = "void f() {\n  sort(a);\n  sort(b);\n  other();\n}\n";

TEST(SourceRegions, OfACalledFunctionStandAtEachCall) {
  const SourceRegions found(kSorts, at(2, "call _Z4sortIiEvT_") + at(3, "call _Z4sortIiEvT_@PLT") +
                                        at(3, "call _Z4sortIiEvT_") + "ret\n" + inHeader("_Z4sortIiEvT_"));
  EXPECT_EQ(found.text(), (Strings{"loop of sort, called here @2 2 2", "loop of sort, called here @3 3 3"}));
  EXPECT_EQ(found.elsewhere(), Strings{});
  EXPECT_TRUE(found.regions()[0].isCalled);
}

TEST(SourceRegions, OfAFunctionThatOtherFilesCallStandAtTheBuffersCall) {
  const std::string code = at(2, "call outer") + "ret\n" + inHeader("outer", "call inner\njmp tail\n") +
                           inHeader("inner", "call outer\n") + inHeader("tail") + inHeader("unknown");
  const SourceRegions found(kSorts, code);
  EXPECT_EQ(found.text(), (Strings{"loop of outer, called here @2 2 2", "loop of inner, called here @2 2 2",
                                   "loop of tail, called here @2 2 2"}));
  EXPECT_EQ(found.elsewhere(), (Strings{"/nowhere/sort:3 in unknown"}));
}

TEST(SourceRegions, ACallOfAnotherFilesFunctionStandsAtNoLineByMistake) {
  const SourceRegions found(kSorts, at(2, "call outer") + "ret\n" + inHeader("outer", "nop\n" + at(4, "call inner")) +
                                        inHeader("inner"));
  EXPECT_EQ(found.text(), (Strings{"loop of outer, called here @2 2 2", "loop of inner, called here @2 2 2"}))
      << "gcc does not say what was inlined at line 4";
}

TEST(SourceRegions, OfAFunctionWithTooManyCallsAreTold) {
  std::string buffer, code;
  for (int line = 1; line <= 17; ++line) {
    buffer += "sort();\n";
    code += at(line, "call sort");
  }
  const SourceRegions found(buffer, code + "ret\n" + inHeader("sort"));
  EXPECT_EQ(found.text(), Strings{});
  EXPECT_EQ(found.elsewhere(), (Strings{"/nowhere/sort:3 in sort"}));
}

// ---- one file that a function includes several times ---------------------------------------------------------------

class RepeatedIncludes : public testing::Test {
protected:
  /// Of the file's loop, on its first two lines.
  std::string code(const std::string &instruction) const {
    return ".loc 0 1 1 # " + file_ + ":1:3\n" + instruction + "\n";
  }
  std::string loop(const std::string &label) const { return label + ":\n" + code("incl %eax\njne " + label); }

  TempFolder folder_;
  std::string file_ = folder_.write("loop.inc", "for (;;)\n  a();\n");
  const std::string buffer_ = "void f() {\n  x();\n#include \"loop.inc\"\n\n#include \"loop.inc\"\n}\n";
};

TEST_F(RepeatedIncludes, AreToldApartByTheOrderOfTheCode) {
  EXPECT_EQ(SourceRegions(buffer_, at(2, "nop") + loop(".La") + code("nop") + loop(".Lb") + at(6, "ret")).text(),
            (Strings{"inlined loop in f @3 3 3", "inlined loop in f @5 5 5"}));
}

TEST_F(RepeatedIncludes, KeepABodyWithItsRemainder) {
  const auto both = [&](const std::string &name) {
    return code("je .Lr" + name) + loop(".Lv" + name) + code("je .Lend" + name) + ".Lr" + name + ":\n" + code("nop") +
           loop(".Ll" + name) + ".Lend" + name + ":\n";
  };
  EXPECT_EQ(SourceRegions(buffer_, at(2, "nop") + both("a") + both("b") + at(6, "ret")).text(),
            (Strings{"inlined loop in f @3 3 3", "inlined loop in f @3 3 3", "inlined loop in f @5 5 5",
                     "inlined loop in f @5 5 5"}));
}

TEST_F(RepeatedIncludes, ThatCannotBeToldApartAreInDoubt) {
  const SourceRegions found(buffer_, at(2, "nop") + loop(".La") + at(6, "ret"));
  EXPECT_EQ(found.text(), (Strings{"inlined loop in f @3 3 3"}));
  EXPECT_EQ(found.regions()[0].caveats,
            (std::vector<wire::Caveat>{{.kind = Kind::OtherInclusion, .count = 2, .names = {"loop.inc"}}}));
}

TEST(SourceRegions, OfAnEmptyProgramAreNone) {
  EXPECT_EQ(SourceRegions("void f();\n", "").text(), Strings{});
}

} // namespace
} // namespace analysis
