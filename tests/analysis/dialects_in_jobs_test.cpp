// Whole analyses of texts in other dialects and for targets that nobody named.
#include "analysis/job/analyzer.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/wording/sentences.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

using Strings = std::vector<std::string>;

wire::AnalysisResult analysed(const std::string &text, wire::Settings settings = {}) {
  Analyzer analyzer;
  return analyzer.run({.id = 1,
                       .path = "/nowhere/a.s",
                       .language = wire::Language::Assembly,
                       .text = text,
                       .settings = std::move(settings)},
                      {}, [](const wire::Progress &) {});
}

Strings messagesOf(const wire::AnalysisResult &result, const char *code) {
  Strings messages;
  for (const wire::Finding &finding : result.findings)
    if (finding.code == code)
      messages.push_back(lsp::wording::messageOf(finding));
  return messages;
}

constexpr const char *kGo = "TEXT ·addMany(SB), 7, $0-16\n\tMOVQ n+0(FP), CX\n\tMOVQ $0, AX\nnext:\n\tADDQ $3, AX\n"
                            "\tDECQ CX\n\tJNZ  next\n\tRET\n";

TEST(Dialects, OfOtherAssemblersHaveOneFindingAndNoNumbers) {
  for (const char *text :
       {kGo, "%include \"x86inc.asm\"\nSECTION .text\ncglobal sum, 2, 3\n.loop:\n paddd m0, m1\n dec lend\n jg .loop\n",
        "dnl f\n.Ltop:\n add (%rdi), %rax\n dec %rsi\n jnz .Ltop\n",
        "_TEXT SEGMENT\nf PROC\n$LL4@f:\n\tadd eax, DWORD PTR [rcx]\n\tdec edx\n\tjne $LL4@f\nf ENDP\n_TEXT ENDS\n"}) {
    const wire::AnalysisResult result = analysed(std::string("# mca: cpu=skylake\n") + text);
    ASSERT_EQ(result.findings.size(), 1u) << text;
    EXPECT_EQ(result.findings.front().code, wire::codes::kForeignDialect);
    EXPECT_TRUE(result.regions.empty());
  }
}

TEST(Dialects, OfOtherAssemblersAreReadIfACommentNamesTheSyntax) {
  const wire::AnalysisResult result =
      analysed("# mca: triple=x86_64-linux-gnu cpu=skylake syntax=intel\nbits 64\n.Lf:\n dec eax\n jne .Lf\n");
  EXPECT_TRUE(messagesOf(result, wire::codes::kForeignDialect).empty());
  EXPECT_EQ(result.regions.size(), 1u);
}

TEST(Dialects, GiveNoNumberOfARegionThatIsMostlyUnread) {
  const std::string head = "# mca: triple=x86_64-linux-gnu cpu=skylake\n.Lf:\n";
  const std::string tail = "\tdecl %eax\n\tjne .Lf\n";
  const wire::AnalysisResult most = analysed(head + "\tbogus a\n\tbogus b\n\tbogus c\n" + tail);
  EXPECT_TRUE(most.regions.empty());
  EXPECT_EQ(messagesOf(most, wire::codes::kMostlyUnread).size(), 1u);
  EXPECT_EQ(messagesOf(most, wire::codes::kParseError).size(), 3u);
  EXPECT_EQ(analysed(head + "\tbogus a\n" + tail).regions.size(), 1u);
}

TEST(Dialects, ThatAreUnknownHaveOneFinding) {
  std::string text = "# mca: triple=x86_64-linux-gnu cpu=skylake\n.Lf:\n";
  for (int i = 0; i < 40; ++i)
    text += "\tlu12i.w $a0, 5\n";
  const wire::AnalysisResult result = analysed(text + "\tjmp .Lf\n");
  EXPECT_TRUE(messagesOf(result, wire::codes::kParseError).empty());
  const Strings messages = messagesOf(result, wire::codes::kMostlyUnread);
  ASSERT_FALSE(messages.empty());
  EXPECT_NE(messages.front().find("triple="), std::string::npos);
  EXPECT_TRUE(result.regions.empty());
}

TEST(Dialects, OfDisassemblersHaveTheirLoops) {
  const wire::AnalysisResult result = analysed(
      "# mca: cpu=skylake\na.out:     file format elf64-x86-64\n\n0000000000001170 <sum>:\n"
      "    1180:\t03 07                \tadd    (%rdi),%eax\n    1182:\t48 83 c7 04          \tadd    $0x4,%rdi\n"
      "    1186:\t48 39 d7             \tcmp    %rdx,%rdi\n    1189:\t75 f5                \tjne    1180 <sum+0x10>\n"
      "    118b:\tc3                   \tret\n");
  EXPECT_TRUE(messagesOf(result, wire::codes::kParseError).empty());
  ASSERT_EQ(result.regions.size(), 1u);
  EXPECT_EQ(result.regions.front().name, "loop in sum");
}

TEST(InferredTargets, AreThoseOfTheText) {
  const wire::AnalysisResult result =
      analysed("\t.syntax unified\n\t.cpu cortex-m4\n\t.thumb\nsum_next:\n\tldrb r3, [r0], #1\n\tadd r2, r2, r3\n"
               "\tsubs r1, r1, #1\n\tbne sum_next\n");
  EXPECT_EQ(result.target.cpu, "cortex-m4");
  EXPECT_EQ(result.target.triple, "thumbv7em-none-eabi");
  EXPECT_EQ(result.regions.size(), 1u);
  EXPECT_EQ(messagesOf(result, wire::codes::kInferredTarget),
            (Strings{"read as thumbv7em, as only it has the directive `.syntax unified`: name another target with a "
                     "comment `# mca: triple=…`"}));
}

TEST(InferredTargets, AreThoseOfTheCpu) {
  const std::string loop = ".Lf:\n\tsubs x0, x0, #1\n\tb.ne .Lf\n";
  const wire::AnalysisResult result = analysed("# mca: cpu=neoverse-v2\n" + loop);
  EXPECT_EQ(result.regions.size(), 1u);
  if (!llvm::StringRef(::mca::hostTriple()).starts_with("aarch64"))
    EXPECT_EQ(messagesOf(result, wire::codes::kInferredTarget).size(), 1u);
  wire::Settings settings;
  settings.cpu = "neoverse-v2";
  EXPECT_EQ(analysed(loop, settings).regions.size(), 1u);
}

TEST(InferredTargets, GiveWayToNames) {
  const std::string text = "\t.syntax unified\n\t.cpu cortex-m4\n.Lf:\n\tsubs r1, r1, #1\n\tbne .Lf\n";
  const wire::AnalysisResult result = analysed("# mca: triple=armv7a-linux-gnueabihf cpu=cortex-a9\n" + text);
  EXPECT_EQ(result.target.cpu, "cortex-a9");
  EXPECT_TRUE(messagesOf(result, wire::codes::kInferredTarget).empty());
  wire::Settings settings;
  settings.triple = "armv7a-linux-gnueabihf";
  EXPECT_EQ(analysed(text, settings).target.triple, settings.triple);
}

TEST(InferredTargets, OfRiscvHaveADefaultCpu) {
  const wire::AnalysisResult result =
      analysed("\t.option arch, +v\n.Lf:\n\tlw a3, 0(a0)\n\taddi a0, a0, 4\n\tbnez a1, .Lf\n");
  EXPECT_EQ(result.target.cpu, "sifive-p670");
  EXPECT_EQ(result.regions.size(), 1u);
  const Strings assumed = messagesOf(result, wire::codes::kAssumedCpu);
  ASSERT_EQ(assumed.size(), 1u);
  EXPECT_NE(assumed.front().find("such as sifive-u74, sifive-x280 or spacemit-x60"), std::string::npos);
}

TEST(MissingFeatureFindings, ReplaceErrors) {
  const wire::AnalysisResult result = analysed(
      "# mca: triple=aarch64-linux-gnu cpu=cortex-a57\n.Lf:\n\tld1w z0.s, p0/z, [x0]\n\tfadd z0.s, z0.s, z1.s\n"
      "\tsubs x0, x0, #1\n\tb.ne .Lf\n");
  EXPECT_TRUE(messagesOf(result, wire::codes::kParseError).empty());
  const Strings missing = messagesOf(result, wire::codes::kMissingFeature);
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing.front().find("2 lines need sve, which cortex-a57 lacks; "), 0u);
  const wire::AnalysisResult x86 =
      analysed("# mca: triple=x86_64-linux-gnu cpu=znver3\n.Lf:\n\tvaddps %zmm0, %zmm1, %zmm2\n"
               "\tdecl %eax\n\tjne .Lf\n");
  EXPECT_EQ(messagesOf(x86, wire::codes::kMissingFeature),
            (Strings{"1 line needs avx512f, which znver3 lacks; znver4 has it"}));
  EXPECT_TRUE(messagesOf(x86, wire::codes::kNoSchedulingData).empty());
}

} // namespace
} // namespace analysis
