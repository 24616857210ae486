// The compiler's block frequencies: clang's section, gcc's comments, and what neither would write.
#include "analysis/compile/compile.h"
#include "analysis/regions/block_profile.h"
#include "tests/analysis/compile/temp_folder.h"
#include "tests/analysis/compiled_samples.h"
#include "tests/mca-core/parsed.h"

#include <cstdio>
#include <random>

namespace analysis {
namespace {

using mca::kX86;
using mca::Parsed;
using mca::Strings;

Parsed parse(const std::string &text, const std::string &triple = kX86, const std::string &cpu = "skylake") {
  return {triple, cpu, text, {.keepData = blockProfileSections()}};
}

/// "2-6 0.625 ->6 1.000": instructions, runs per entry (with a star when measured), successors.
Strings profile(const Parsed &parsed) {
  Strings result;
  char number[32];
  for (const ProfiledBlock &block : readBlockProfiles(*parsed.program)) {
    std::snprintf(number, sizeof(number), " %.3f", block.frequency);
    std::string text = std::to_string(block.first) + "-" + std::to_string(block.last) + number;
    text += block.measured ? "*" : "";
    for (const ProfiledBlock::Edge &edge : block.successors) {
      std::snprintf(number, sizeof(number), " %.3f", edge.probability);
      text += " ->" + std::to_string(edge.to) + number;
    }
    result.push_back(text);
  }
  return result;
}

TEST(BlockProfile, OfClang) {
  EXPECT_EQ(profile(parse(kClangAddressMap)),
            (Strings{"0-2 1.000 ->2 0.625 ->14 0.375", "2-6 0.625 ->6 1.000", "6-13 20.000 ->13 0.031 ->6 0.969",
                     "13-14 0.625", "14-16 0.375"}));
}

/// A clang that writes another version of the section would leave every path without its share.
TEST(BlockProfile, OfTheDefaultCompiler) {
  const TempFolder folder;
  const std::string file = folder.write("a.c", "int f(const int *p, int n) {\n"
                                               "  int sum = 0;\n"
                                               "  for (int i = 0; i < n; ++i) if (p[i] > 0) sum += p[i] / n;\n"
                                               "  return sum;\n"
                                               "}\n");
  folder.write("compile_flags.txt", "--target=x86_64-linux-gnu\n-O1\n");
  const CompileResult compiled = compile(findCompileCommand(file, wire::Language::C, {}), {});
  ASSERT_TRUE(compiled.succeeded) << compiled.failure;
  const Parsed parsed = parse(compiled.assembly);
  EXPECT_GT(profile(parsed).size(), 3u);
}

TEST(BlockProfile, NoneUnlessKept) {
  EXPECT_EQ(profile(Parsed(kX86, "skylake", kClangAddressMap)), Strings{});
  EXPECT_EQ(profile(parse("nop\n# BLOCK\n# PRED: 2 [always]\n")), Strings{});
}

/// One function of two blocks, at the label `f`.
std::string addressMap(const std::string &version, const std::string &features, const std::string &blocks) {
  return "nop\nf: nop\nnop\n.Lb: nop\n.section .llvm_bb_addr_map,\"o\",@llvm_bb_addr_map,.text\n" + version + features +
         ".quad f\n" + blocks;
}

TEST(BlockProfile, OfAMeasuredFunction) {
  const std::string blocks = ".byte 2, 0, 0, 2, 8, 5, 0, 1, 1\n.uleb128 1000\n.byte 16, 1, 5\n.uleb128 0x40000000\n"
                             ".byte 8, 0\n";
  const Strings expected{"1-3 1.000* ->3 0.500", "3-4 0.500*"};
  EXPECT_EQ(profile(parse(addressMap(".byte 5\n", ".short 7\n", blocks))), expected);
  EXPECT_EQ(profile(parse(addressMap(".byte 2\n", ".byte 7\n", blocks))), expected) << "an older version";
}

TEST(BlockProfile, WithOtherFeatures) {
  EXPECT_EQ(profile(parse(addressMap(".byte 5\n", ".short 0x63\n", // call sites, hashes
                                     ".byte 2, 0, 0, 1, 1, 1, 8\n.quad 7\n.byte 5, 0, 0, 1, 1\n.quad 8\n"
                                     ".byte 0, 16, 8\n"))),
            (Strings{"1-3 1.000", "3-4 0.500"}));
  EXPECT_EQ(profile(parse("nop\nf: nop\nnop\n.Lb: nop\n.section .llvm_bb_addr_map,\"o\",@llvm_bb_addr_map,.text\n"
                          ".byte 5\n.short 0xb\n.byte 2\n.quad .Lb\n.byte 1, 0, 0, 1, 8\n.quad f\n.byte 1, 1, 0, 2, 1\n"
                          ".byte 0, 4, 8\n")),
            (Strings{"1-3 2.000", "3-4 1.000"}))
      << "two ranges, the entry behind";
  EXPECT_EQ(profile(parse(addressMap(".byte 5\n", ".short 0\n", ".byte 1, 0, 0, 2, 8\n"))), Strings{})
      << "no frequencies";
}

TEST(BlockProfile, OfBrokenSections) {
  const std::string good = ".byte 1, 0, 0, 2, 8\n.byte 0, 9\n";
  ASSERT_EQ(profile(parse(addressMap(".byte 5\n", ".short 3\n", good))).size(), 1u);
  EXPECT_EQ(profile(parse(addressMap(".byte 99\n", ".short 3\n", good))), Strings{});
  EXPECT_EQ(profile(parse(addressMap(".byte 5\n", ".short 0x103\n", good))), Strings{});
  EXPECT_EQ(profile(parse(addressMap(".byte 5\n", ".short 3\n", ".byte 1, 0, 0, 4, 8\n.byte 0, 9\n"))), Strings{})
      << "beyond the text";
  EXPECT_EQ(profile(parse(addressMap(".byte 5\n", ".short 3\n", ".byte 1, 0, 0, 2, 8\n.byte 0\n"))), Strings{});
  EXPECT_EQ(profile(parse(addressMap(".byte 5\n", ".short 3\n", ".uleb128 0xffffffffffff\n.byte 0\n"))), Strings{});

  const Parsed whole = parse(kClangAddressMap);
  const std::string bytes(whole.program->data(".llvm_bb_addr_map"));
  std::mt19937 random(3);
  for (int round = 0; round < 1000; ++round) {
    std::string flipped = bytes.substr(0, round % 5 ? bytes.size() : random() % bytes.size() + 1);
    for (int flips = round % 4; flips; --flips)
      flipped[random() % flipped.size()] ^= static_cast<char>(1 << random() % 8);
    std::string text = "nop\nnop\nnop\n.section .llvm_bb_addr_map,\"\",@progbits\n";
    for (const unsigned char byte : flipped)
      text += ".byte " + std::to_string(byte) + "\n";
    for (const ProfiledBlock &block : readBlockProfiles(*parse(text).program))
      EXPECT_TRUE(block.first <= block.last && block.last <= 3);
  }
}

// ---- gcc -----------------------------------------------------------------------------------------------------------

const std::string kGcc = R"(
	.type	g, @function
g:
# BLOCK 2, count:118111600 (estimated locally) seq:0
# PRED: ENTRY [always]  count:118111600 (estimated locally) (FALLTHRU)
	testl	%esi, %esi
# SUCC: 3 [89.0% (guessed)]  count:105119324 (estimated locally) (FALLTHRU,CAN_FALLTHRU) 6 [11.0% (guessed)]  count:12992276 (estimated locally) (CAN_FALLTHRU)
	jle	.L5
# BLOCK 3, count:105119324 (estimated locally) seq:1
# PRED: 2 [89.0% (guessed)]  count:105119324 (estimated locally) (FALLTHRU,CAN_FALLTHRU)
# SUCC: 4 [always]  count:105119324 (estimated locally) (FALLTHRU,CAN_FALLTHRU)
	leaq	(%rdi,%rsi,4), %rsi
# BLOCK 4, count:955630225 (estimated locally) seq:2
# PRED: 3 [always]  count:105119324 (estimated locally) (FALLTHRU,CAN_FALLTHRU) 4 [89.0% (guessed)]  count:850510901 (estimated locally) (DFS_BACK,CAN_FALLTHRU) a b.c:4:26
.L4:
	addl	(%rdi), %eax
	cmpq	%rsi, %rdi
	jne	.L4
# BLOCK 5, count:105119324 (estimated locally) seq:3
# PRED: 4 [11.0% (guessed)]  count:105119324 (estimated locally) (FALLTHRU,CAN_FALLTHRU,LOOP_EXIT)
	ret
# BLOCK 6, count:12992276 (estimated locally) seq:4
# PRED: 2 [11.0% (guessed)]  count:12992276 (estimated locally) (CAN_FALLTHRU)
.L5:
	ret
)";

TEST(BlockProfile, OfGcc) {
  EXPECT_EQ(profile(parse(kGcc)), (Strings{"0-2 1.000 ->2 0.890 ->7 0.110", "2-3 0.890 ->3 1.000",
                                           "3-6 8.091 ->3 0.890 ->6 0.110", "6-7 0.890", "7-8 0.110"}));
}

TEST(BlockProfile, OfGccsNextFunction) {
  EXPECT_EQ(profile(parse(kGcc + ".type thunk, @function\nthunk: nop\n" + kGcc.substr(0, 4) +
                          ".type h, @function\nh:\n# BLOCK 2, count:12 (precise, freq 1.0) seq:0\n"
                          "# PRED: ENTRY [always]  count:3 (precise) (FALLTHRU) 2 [75.00% (adjusted)]  count:9 "
                          "(adjusted) (DFS_BACK)\nnop\nnop\n")),
            (Strings{"0-2 1.000 ->2 0.890 ->7 0.110", "2-3 0.890 ->3 1.000", "3-6 8.091 ->3 0.890 ->6 0.110",
                     "6-7 0.890", "7-8 0.110", "9-11 4.000* ->9 0.750"}))
      << "numbers start anew, a function without blocks is in none";
}

TEST(BlockProfile, OfGccOnOtherTargets) {
  EXPECT_EQ(profile(parse("// BLOCK 2, count:100 (guessed) seq:0\n// PRED: ENTRY [always]  count:100 (guessed)\n"
                          "nop\n// BLOCK 3, count:25 (guessed) seq:1\n// PRED: 2 [25.0% (guessed)]  count:25\nnop\n",
                          mca::kAArch64, "cortex-a72")),
            (Strings{"0-1 1.000 ->1 0.250", "1-2 0.250"}));
  EXPECT_EQ(profile(parse("\t@ BLOCK 2, count:100 (guessed) seq:0\n\t@ PRED: ENTRY [always]  count:50 (guessed)\nnop\n",
                          "armv7-linux-gnueabihf", "cortex-a9")),
            (Strings{"0-1 2.000"}));
}

TEST(BlockProfile, OfGccWithoutNumbers) {
  EXPECT_EQ(profile(parse("# BLOCK 2 seq:0\n# PRED: ENTRY [always]  (FALLTHRU)\nnop\n# BLOCK 3, count:0 (precise) "
                          "seq:1\n# PRED: 2 [never]  count:0 (precise) 2 [x 9 [ 99999999999999999999 [always]\nnop\n")),
            (Strings{"0-1 0.000 ->1 0.000 ->1 0.000", "1-2 0.000"}));
}

// ---- branches ------------------------------------------------------------------------------------------------------

TEST(BranchProbabilities, OfAProfile) {
  const BranchProbability told = branchProbabilities(readBlockProfiles(*parse(kClangAddressMap).program));
  EXPECT_NEAR(told(12, 6).value(), 0.969, 0.001);
  EXPECT_NEAR(told(12, 13).value(), 0.031, 0.001);
  EXPECT_NEAR(told(1, 14).value(), 0.375, 0.001);
  EXPECT_EQ(told(12, 2), 0) << "no way leads there";
}

TEST(BranchProbabilities, NoneWhereNothingIsSaid) {
  EXPECT_EQ(branchProbabilities({})(3, 4), std::nullopt);
  const BranchProbability told = branchProbabilities(
      {{.first = 2, .last = 4, .frequency = 1, .successors = {{4, 1}}}, {.first = 4, .last = 6, .frequency = 1}});
  EXPECT_EQ(told(1, 2), std::nullopt) << "before the first block";
  EXPECT_EQ(told(5, 6), std::nullopt) << "a block that says nothing of its branches";
  EXPECT_EQ(told(9, 4), std::nullopt) << "behind the last block";
  EXPECT_EQ(told(3, 4), 1);
}

TEST(BranchProbabilities, InTheMiddleOfACompilersBlock) {
  const BranchProbability told =
      branchProbabilities({{.first = 0, .last = 6, .frequency = 1, .successors = {{0, 0.9}, {6, 0.1}}}});
  EXPECT_EQ(told(2, 3), 1) << "what the compiler does not call a branch goes on";
  EXPECT_EQ(told(5, 6), 0.1);
  EXPECT_EQ(told(5, 0), 0.9);
}

TEST(RunsPerCall, AreThoseOfTheBlockAround) {
  const std::vector<ProfiledBlock> blocks = {{.first = 2, .last = 4, .frequency = 1},
                                             {.first = 4, .last = 4, .frequency = 7},
                                             {.first = 4, .last = 6, .frequency = 31.5},
                                             {.first = 9, .last = 10, .frequency = 2}};
  const double expected[] = {0, 0, 1, 1, 31.5, 31.5, 0, 0, 0, 2, 0};
  for (uint32_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(runsPerCall(blocks, i), expected[i]) << i;
  EXPECT_EQ(runsPerCall({}, 3), 0);
}

TEST(BranchProbabilities, EmptyBlocksAreStartedByNothing) {
  const BranchProbability told =
      branchProbabilities({{.first = 0, .last = 0, .frequency = 1, .successors = {{2, 1}}},
                           {.first = 0, .last = 2, .frequency = 1, .successors = {{2, 0.5}}}});
  EXPECT_EQ(told(1, 2), 0.5);
}

} // namespace
} // namespace analysis
