// Listings become assembly, by edits whose program has the places of the listing.
#include "analysis/dialect/disassembly.h"
#include "analysis/dialect/read_assembly.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

using mca::Strings;

std::string assemblyOf(std::string_view text, const char *triple = mca::kX86) {
  return mca::RewrittenText(text, editsOfDisassembly(text, llvm::Triple(triple))).text();
}

constexpr const char *kObjdump = R"(
a.out:     file format elf64-x86-64

Disassembly of section .text:

0000000000001170 <sum>:
    1170:	48 85 f6             	test   %rsi,%rsi
    1173:	7e 1b                	jle    1190 <sum+0x20>
    1180:	03 07                	add    (%rdi),%eax
    1186:	48 39 d7             	cmp    %rdx,%rdi        # 4010 <x>
    1189:	75 f5                	jne    1180 <sum+0x10>
    118b:	e8 e7 fe ff ff       	call   1030 <puts@plt>
    1190:	c3                   	ret
    1193:	66 66 2e 0f 1f 84 00 	data16 cs nopw 0x0(%rax,%rax,1)
    119a:	00 00 00 00 
)";

TEST(Disassembly, OfBinutilsBecomesAssembly) {
  EXPECT_TRUE(isDisassembly(kObjdump));
  EXPECT_EQ(assemblyOf(kObjdump), "\n\n\n\n\n.type \"sum\",%function\n\"sum\":\n"
                                  "test   %rsi,%rsi\njle    .L0\n.L1: add    (%rdi),%eax\ncmp    %rdx,%rdi\n"
                                  "jne    .L1\ncall   \"puts@plt\"\n.L0: ret\ndata16 cs nopw 0x0(%rax,%rax,1)\n\n");
}

TEST(Disassembly, HasThePlacesOfTheListing) {
  const auto target = mca::targetOf(mca::kX86, "skylake");
  const std::string text = kObjdump;
  const auto program = readAssembly(text, *target, dialectOf(text, *target, ""), {});
  EXPECT_FALSE(program->hasErrors());
  EXPECT_EQ(program->text(), text);
  Strings mnemonics;
  for (const mca::Instruction &instruction : program->instructions())
    mnemonics.push_back(
        text.substr(instruction.offset, text.find_first_of(" \n", instruction.offset) - instruction.offset));
  EXPECT_EQ(mnemonics, (Strings{"test", "jle", "add", "cmp", "jne", "call", "ret", "data16", "cs", "nopw"}));
}

TEST(Disassembly, OfLlvmBecomesAssembly) {
  constexpr const char *kText = "0000000000001170 <sum>:\n"
                                "    1180: 03 07                        \taddl\t(%rdi), %eax\n"
                                "    1189: 75 f5                        \tjne\t0x1180 <sum+0x10>\n"
                                "    118b: e8 00 00 00 00               \tcallq\t0x1030 <std::f<int>(long)>\n";
  EXPECT_EQ(assemblyOf(kText),
            ".type \"sum\",%function\n\"sum\":\n.L0: addl\t(%rdi), %eax\njne\t.L0\ncallq\t\"std::f<int>(long)\"\n");
}

TEST(Disassembly, OfPerfBecomesAssembly) {
  constexpr const char *kText = " Percent |\tSource code & Disassembly of spin for cpu-clock (12624 samples)\n"
                                "-----------------------------------------\n"
                                "         : 5    0000000000001140 <spin>:\n"
                                "         : 6    spin():\n"
                                "         : 7    for (int i = 0; i < n; i++) x ^= x << 13;\n"
                                "    0.00 :   1150:   mov    %rax,%rdx\n"
                                "   16.43 :   115b:   xor    %rdx,%rax\n"
                                "    0.02 :   1175:   jne    1150 <spin+0x10>\n";
  EXPECT_TRUE(isDisassembly(kText));
  EXPECT_EQ(assemblyOf(kText),
            "\n\n.type \"spin\",%function\n\"spin\":\n\n\n.L0: mov    %rax,%rdx\nxor    %rdx,%rax\njne    .L0\n");
}

TEST(Disassembly, KeepsSectionsAndFunctionsOfOneNameApart) {
  constexpr const char *kText = "Disassembly of section .text.a:\n0000000000000000 <f>:\n"
                                "   0:\t90 \tnop\n   1:\teb fd \tjmp 0 <f>\n"
                                "Disassembly of section .text.b:\n0000000000000000 <f>:\n"
                                "   0:\t90 \tnop\n   1:\teb fd \tjmp 0 <f>\n";
  EXPECT_EQ(assemblyOf(kText), "\n.type \"f\",%function\n\"f\":\n.L0: nop\njmp .L0\n\n.type \"f (2)\",%function\n\"f "
                               "(2)\":\n.L1: nop\njmp .L1\n");
}

TEST(Disassembly, OfOtherTargetsLosesItsComments) {
  constexpr const char *kText = "0000000000000000 <f>:\n"
                                "   0:\t52800000 \tmov\tw0, #0x0                   \t// #0\n"
                                "   4:\t54ffffe1 \tb.ne\t0 <f>  // b.any\n"
                                "   8:\t94000000 \tbl\t0 <g>\n";
  EXPECT_EQ(assemblyOf(kText, mca::kAArch64),
            ".type \"f\",%function\n\"f\":\n.L0: mov\tw0, #0x0\nb.ne\t.L0\nbl\t\"g\"\n");
}

TEST(Disassembly, KeepsCommentsOfOurs) {
  constexpr const char *kText = "# mca: cpu=znver4\n0000000000000000 <f>:\n   0:\t90 \tnop\n";
  EXPECT_EQ(assemblyOf(kText), "# mca: cpu=znver4\n.type \"f\",%function\n\"f\":\nnop\n");
}

TEST(Disassembly, IsNoGnuAssembly) {
  EXPECT_FALSE(isDisassembly("f:\n\tnop\n1:\tpush %rbp\n2:\tadd %eax, %eax\n\tjne 1b\n"));
  EXPECT_FALSE(isDisassembly("1: bc 12,4\n2: dec %eax\n3: fadd %st\n"));
  EXPECT_FALSE(isDisassembly("# 0000000000000000 <f>:\n#   0:\t90 \tnop\n#   1:\t90 \tnop\nf: nop\n"));
  EXPECT_FALSE(isDisassembly(""));
  // Without bytes only beside a listing's own lines.
  EXPECT_TRUE(isDisassembly("0000000000001170 <sum>:\n    1170:\ttest %rsi,%rsi\n"));
  EXPECT_TRUE(isDisassembly("    1170:\t48 85 f6 \ttest %rsi,%rsi\n    1173:\t7e 1b \tjle 1190 <f>\n"));
}

} // namespace
} // namespace analysis
