// The bytes of data directives: every directive that compilers use, both byte orders, and labels whose addresses count
// instructions.
#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

constexpr const char *kMips = "mips-linux-gnu"; // big endian, addresses of four bytes

/// The bytes of `.debug_x`, in hexadecimal.
std::string bytesOf(const std::string &text, const std::string &triple = kX86, const std::string &cpu = "skylake") {
  const Parsed parsed(triple, cpu, text, {.keepData = {".debug_"}});
  EXPECT_EQ(parsed.diagnostics(), Strings{});
  std::string hex;
  for (const unsigned char byte : parsed.program->data(".debug_x")) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += hex.empty() ? "" : " ";
    hex += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return hex;
}

const std::string kSection = ".section .debug_x,\"\",@progbits\n";

TEST(DataSections, NoneUnlessAsked) {
  const std::string text = kSection + ".byte 1\n.data\n.byte 2\n";
  EXPECT_EQ(Parsed(kX86, "skylake", text).program->data(".debug_x"), "");
  const Parsed parsed(kX86, "skylake", text, {.keepData = {".llvm", ".debug_"}});
  EXPECT_EQ(parsed.program->data(".debug_x"), "\1");
  EXPECT_EQ(parsed.program->data(".data"), "");
  EXPECT_EQ(parsed.program->data(".debug_"), "");
}

TEST(DataSections, EveryDirective) {
  EXPECT_EQ(
      bytesOf(kSection + ".byte 1, 0x80\n.short 0x203\n.value 2\n.2byte 3\n.long 0x4050607\n.4byte -2\n.quad 8\n"),
      "01 80 03 02 02 00 03 00 07 06 05 04 fe ff ff ff 08 00 00 00 00 00 00 00");
  EXPECT_EQ(bytesOf(kSection + ".ascii \"ab\"\n.string \"c\"\n.asciz \"\\200\"\n"), "61 62 63 00 80 00");
  EXPECT_EQ(bytesOf(kSection + ".uleb128 0x80, 5\n.sleb128 -1\n.sleb128 -129\n"), "80 01 05 7f ff 7e");
  EXPECT_EQ(bytesOf(kSection + ".byte 1\n.p2align 2\n.byte 2\n.zero 2\n.fill 2, 2, 0x304\n.skip 1, 9\n"),
            "01 00 00 00 02 00 00 04 03 04 03 09");
  EXPECT_EQ(bytesOf(".section .debug_x,\"\",@progbits\n.hword 1\n.word 2\n.xword 3\n", kAArch64, "cortex-a72"),
            "01 00 02 00 00 00 03 00 00 00 00 00 00 00");
  EXPECT_EQ(bytesOf(".section .debug_x,\"\",@progbits\n.half 1\n.word 2\n.dword 3\n", kRiscv, "sifive-u74"),
            "01 00 02 00 00 00 03 00 00 00 00 00 00 00");
}

TEST(DataSections, BigEndian) {
  EXPECT_EQ(bytesOf(kSection + ".2byte 0x102\n.4byte 0x3040506\n.uleb128 0x80\n.fill 1, 2, 7\n", kMips, "mips32r2"),
            "01 02 03 04 05 06 80 01 00 07");
  EXPECT_EQ(bytesOf("nop\n$L1 = .\nnop\n" + kSection + ".4byte $L1, $L2-1\n$L2:\n", kMips, "mips32r2"),
            "00 00 00 01 00 00 00 07");
}

TEST(DataSections, CodeHasOneByteForAnInstruction) {
  EXPECT_EQ(bytesOf("nop\n.L1: incl %eax\nincl %eax\n.L2:\n" + kSection +
                    ".quad .L1\n.long .L2-.L1\n.uleb128 .L2-.L1\n.sleb128 .L1-.L2\n.byte .L2\n"),
            "01 00 00 00 00 00 00 00 02 00 00 00 02 7e 03");
  std::string many;
  for (int i = 0; i < 200; ++i)
    many += "nop\n";
  EXPECT_EQ(bytesOf(".L1:\n" + many + ".L2:\n" + kSection + ".uleb128 .L2-.L1, 3\n"), "c8 01 03");
}

TEST(DataSections, CodeMayComeLater) {
  EXPECT_EQ(bytesOf(kSection + ".uleb128 .L2-.L1\n.byte .L2\n.text\nnop\n.L1: nop\nnop\n.L2:\n"), "02 03");
}

TEST(DataSections, LabelsInDataAreOffsets) {
  EXPECT_EQ(bytesOf(kSection + ".long .Lend-.Lstart\n.Lstart: .byte 1\n.uleb128 .L1\n.Lend: .byte .Lend, .Lother\n" +
                    ".section .debug_y,\"\",@progbits\n.long 0\n.Lother: .byte 0\n.text\nnop\n.L1:\n"),
            "02 00 00 00 01 01 06 04");
  EXPECT_EQ(bytesOf(kSection + ".byte 9\n.long .debug_x, .debug_y+3\n.section .debug_y,\"\",@progbits\n.byte 1\n"),
            "09 00 00 00 00 03 00 00 00")
      << "a section's name is its start";
}

TEST(DataSections, OneNameIsOneSection) {
  const std::string group = ".section .debug_x,\"G\",@progbits,";
  EXPECT_EQ(bytesOf(kSection + ".byte 1\n" + group + "a,comdat\n.La: .byte 2\n" + group + "b,comdat\n.Lb: .byte .La\n" +
                    kSection + ".byte .Lb\n.pushsection .text\nnop\n.popsection\n.byte 5\n"),
            "01 02 01 02 05");
}

TEST(DataSections, AssignedSymbols) {
  EXPECT_EQ(bytesOf(".L1: nop\n.L2:\n.Ldiff = .L2-.L1\n.Lagain = .Ldiff\n" + kSection + ".byte .Lagain, .Ldiff+4\n"),
            "01 05");
}

TEST(DataSections, WhatDoesNotResolve) {
  EXPECT_EQ(bytesOf(kSection + ".byte .LVU1, .LVU2-.LVU1, .LVU1+1\n.uleb128 .LVU1\n.quad nowhere\n"),
            "ff 00 00 00 ff ff ff ff ff ff ff ff");
}

TEST(DataSections, OfWindows) {
  EXPECT_EQ(bytesOf(".section .debug_x,\"dr\"\n.byte 1\n.Lhere: .secrel32 .Lhere\n.secrel32 .Lhere+2\n",
                    "x86_64-w64-windows-gnu"),
            "01 01 00 00 00 03 00 00 00");
}

TEST(DataSections, OfMacOs) {
  const Parsed parsed("arm64-apple-macos", "apple-m1",
                      "nop\nL1:\n.section __DWARF,__debug_info,regular,debug\n.set Lset0, L1-Lnone\n.quad L1\n"
                      ".long Lset0\n",
                      {.keepData = {"__debug_"}});
  EXPECT_EQ(parsed.program->data("__debug_info"), std::string_view("\1\0\0\0\0\0\0\0\0\0\0\0", 12));
}

// ---- what no compiler writes ---------------------------------------------------------------------------------------

TEST(DataSections, FillsAreBounded) {
  const Parsed parsed(kX86, "skylake",
                      kSection + ".zero 0x7fffffffffffff\n.fill 0x7fffffff, 8, 1\n.p2align 30\n.zero -1\n.byte 1\n",
                      {.keepData = {".debug_"}});
  EXPECT_LE(parsed.program->data(".debug_x").size(), 1u << 21);
}

TEST(DataSections, SumsOfSumsEnd) {
  std::string text = ".La0: nop\n";
  for (int i = 1; i <= 60; ++i)
    text += ".La" + std::to_string(i) + " = .La" + std::to_string(i - 1) + "+.La" + std::to_string(i - 1) + "\n";
  EXPECT_EQ(bytesOf(text + kSection + ".byte .La60-.La59\n"), "00");
}

} // namespace
} // namespace mca
