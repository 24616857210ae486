// What one line gets wrong costs that line; and texts that no one would write by hand.
#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

TEST(ParseErrors, KeepTheRest) {
  const Parsed parsed(kX86, "skylake", "nop\nfoo\nincl %eax\nmovl %eax, %zz\ndecl %eax\n.long\n.unknown\nnop\n");
  EXPECT_EQ(parsed.lines(), (Lines{1, 3, 5, 8}));
  EXPECT_EQ(parsed.program->diagnostics().size(), 3u);
  EXPECT_EQ(parsed.diagnostics()[0], "2: invalid instruction mnemonic 'foo'");
  EXPECT_EQ(parsed.diagnostics()[1], "4: invalid register name");
  EXPECT_EQ(parsed.diagnostics()[2], "7: unknown directive");
  EXPECT_TRUE(parsed.program->hasErrors());
}

TEST(ParseErrors, EndOfAnErrorIsTheEndOfItsLine) {
  const Parsed parsed(kX86, "skylake", "nop\n  foo %eax\r\nnop\n");
  ASSERT_EQ(parsed.program->diagnostics().size(), 1u);
  const Diagnostic &error = parsed.program->diagnostics()[0];
  EXPECT_EQ(error.begin, 6u);
  EXPECT_EQ(error.end, 14u);
  EXPECT_EQ(error.severity, Diagnostic::Severity::Error);
  EXPECT_FALSE(error.fromMarker);
}

TEST(ParseErrors, InEveryBackend) {
  struct Case {
    const char *triple, *cpu, *good;
  };
  for (const Case &c :
       {Case{kAArch64, "cortex-a55", "add x0, x1, x2"}, Case{kRiscv, "sifive-u74", "add a0, a1, a2"},
        Case{"armv7-linux-gnueabihf", "cortex-a9", "add r0, r1, r2"},
        Case{"powerpc64le-linux-gnu", "pwr9", "add 3, 4, 5"}, Case{"s390x-linux-gnu", "z14", "agr %r1, %r2"},
        Case{"mipsel-linux-gnu", "p5600", "subu $2, $3, $4"},
        Case{"loongarch64-linux-gnu", "la464", "add.d $a0, $a1, $a2"},
        Case{"sparcv9-linux-gnu", "niagara4", "add %o0, %o1, %o2"}}) {
    SCOPED_TRACE(c.triple);
    const Parsed parsed(c.triple, c.cpu, std::string(c.good) + "\n  notaninstruction 1, 2\n" + c.good + "\n");
    EXPECT_EQ(parsed.lines(), (Lines{1, 3}));
    ASSERT_EQ(parsed.program->diagnostics().size(), 1u);
    EXPECT_EQ(parsed.lineOf(parsed.program->diagnostics()[0].begin), 2u);
  }
}

TEST(ParseErrors, AnInstructionOfAMissingFeature) {
  const Parsed parsed(kRiscv, "sifive-u74", "vadd.vv v0, v1, v2\nadd a0, a1, a2\n");
  EXPECT_EQ(parsed.count(), 1u);
  ASSERT_EQ(parsed.diagnostics().size(), 1u);
  EXPECT_TRUE(parsed.diagnostics()[0].starts_with("1: instruction requires the following:"));
}

TEST(ParseErrors, ALabelTwice) {
  const Parsed parsed(kX86, "skylake", "a:\nnop\na:\nnop\n");
  EXPECT_EQ(parsed.diagnostics(), (Strings{"3: symbol 'a' is already defined"}));
  EXPECT_EQ(parsed.count(), 2u);
}

TEST(ParseErrors, WarningsAreNoErrors) {
  const Parsed parsed(kX86, "skylake", ".warning \"careful\"\nnop\n");
  ASSERT_EQ(parsed.program->diagnostics().size(), 1u);
  EXPECT_EQ(parsed.program->diagnostics()[0].severity, Diagnostic::Severity::Warning);
  EXPECT_FALSE(parsed.program->hasErrors());
}

TEST(ParseErrors, IncludedFilesComeFromTheFileSystemGiven) {
  ParseOptions options;
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->addFile("other.s", 0, llvm::MemoryBuffer::getMemBuffer("incl %eax\nfoo\n"));
  options.files = files;
  const Parsed parsed(kX86, "skylake", "nop\n.include \"other.s\"\n.include \"/etc/hostname\"\nnop\n", options);
  EXPECT_EQ(parsed.lines(), (Lines{1, 2, 4}));
  ASSERT_EQ(parsed.diagnostics().size(), 2u);
  EXPECT_EQ(parsed.diagnostics()[0], "2: invalid instruction mnemonic 'foo'");
  EXPECT_EQ(parsed.diagnostics()[1], "3: Could not find include file '/etc/hostname'");
}

// ---- odd texts -----------------------------------------------------------------------------------------------------

TEST(OddTexts, Empty) {
  for (const char *text : {"", "\n", "# only a comment", "\t \t"}) {
    const Parsed parsed(kX86, "skylake", text);
    EXPECT_EQ(parsed.count(), 0u);
    EXPECT_FALSE(parsed.program->hasErrors()) << text;
  }
}

TEST(OddTexts, WithoutANewlineAtTheEnd) {
  EXPECT_EQ(Parsed(kX86, "skylake", "nop\nnop").lines(), (Lines{1, 2}));
}

TEST(OddTexts, NulBytes) {
  const Parsed parsed(kX86, "skylake", std::string("nop\nfoo\0bar %eax\nincl %eax\n# \0\ndecl %eax\n", 40));
  EXPECT_EQ(parsed.lines(), (Lines{1, 3, 5}));
  EXPECT_TRUE(parsed.program->hasErrors());
  for (const Diagnostic &diagnostic : parsed.program->diagnostics())
    EXPECT_EQ(parsed.lineOf(diagnostic.begin), 2u) << diagnostic.message;
}

TEST(OddTexts, BytesThatAreNoUtf8) {
  const Parsed parsed(kX86, "skylake", "nop # \xff\xfe\n\xc3\nincl %eax\n.asciz \"\xe2\x82\"\nnop\n");
  EXPECT_EQ(parsed.lines(), (Lines{1, 3, 5}));
  EXPECT_TRUE(parsed.program->hasErrors());
  for (const Diagnostic &diagnostic : parsed.program->diagnostics())
    EXPECT_EQ(parsed.lineOf(diagnostic.begin), 2u) << diagnostic.message;
}

TEST(OddTexts, ALineOfOneMegabyte) {
  const std::string comment(1 << 20, '#'), statements = [] {
    std::string line;
    for (int i = 0; i < 5000; ++i)
      line += "nop; ";
    return line;
  }();
  EXPECT_EQ(Parsed(kX86, "skylake", "nop\n" + comment + "\nnop\n").lines(), (Lines{1, 3}));
  EXPECT_EQ(Parsed(kX86, "skylake", statements + "\n").count(), 5000u);
  const Parsed garbage(kX86, "skylake", "nop\n" + std::string(1 << 20, 'x') + "\nnop\n");
  EXPECT_EQ(garbage.lines(), (Lines{1, 3}));
  EXPECT_EQ(garbage.program->diagnostics().size(), 1u);
}

TEST(OddTexts, LineEndsOfWindows) {
  const Parsed parsed(kX86, "skylake", "nop\r\n# LLVM-MCA-BEGIN a\r\nincl %eax\r\n# LLVM-MCA-END a\r\nnop\r\n");
  ASSERT_EQ(parsed.program->markerRegions().size(), 1u);
  EXPECT_EQ(parsed.program->markerRegions()[0].name, "a");
  EXPECT_EQ(parsed.program->instructionsOf(parsed.program->markerRegions()[0]), (Lines{1}));
  EXPECT_FALSE(parsed.program->hasErrors());
}

// ---- syntaxes ------------------------------------------------------------------------------------------------------

TEST(Syntax, IntelByItsDirective) {
  const Parsed parsed(kX86, "skylake",
                      "addl $1, %eax\n.intel_syntax noprefix\nadd eax, dword ptr [rbx + 4*rcx + 8]\n"
                      "mov rax, qword ptr [rip + symbol]\nlea rdx, [rax + rax]\n");
  EXPECT_EQ(parsed.diagnostics(), Strings{});
  EXPECT_EQ(parsed.opcode(1), "ADD32rm");
  EXPECT_EQ(parsed.opcode(2), "MOV64rm");
  EXPECT_EQ(parsed.program->syntaxVariant(), 1u);
}

TEST(Syntax, AttAgain) {
  const Parsed parsed(kX86, "skylake", ".intel_syntax noprefix\nadd eax, 1\n.att_syntax\naddl $1, %eax\n");
  EXPECT_EQ(parsed.diagnostics(), Strings{});
  EXPECT_EQ(parsed.count(), 2u);
  EXPECT_EQ(parsed.program->syntaxVariant(), 0u);
}

// ---- comments ------------------------------------------------------------------------------------------------------

/// One instruction a line, each with a marker in another style of comment.
void expectMarkers(const char *triple, const char *cpu, const char *instruction, const Strings &comments) {
  for (const std::string &comment : comments) {
    SCOPED_TRACE(std::string(triple) + " " + comment);
    std::string begin = comment, end = comment;
    begin.replace(begin.find('?'), 1, " LLVM-MCA-BEGIN a");
    end.replace(end.find('?'), 1, " LLVM-MCA-END a");
    const Parsed parsed(
        triple, cpu, std::string(instruction) + "\n" + begin + "\n" + instruction + " " + comment + "\n" + end + "\n");
    EXPECT_EQ(parsed.diagnostics(), Strings{});
    EXPECT_EQ(parsed.lines(), (Lines{1, 3}));
    ASSERT_EQ(parsed.program->markerRegions().size(), 1u);
    EXPECT_EQ(parsed.program->instructionsOf(parsed.program->markerRegions()[0]), (Lines{1}));
  }
}

TEST(Comments, OfEveryTarget) {
  expectMarkers(kX86, "skylake", "nop", {"#?", "/*?*/"});
  expectMarkers(kAArch64, "cortex-a55", "nop", {"//?", "/*?*/"});
  expectMarkers("arm64-apple-macosx", "apple-m1", "nop", {"//?", ";?", "/*?*/"});
  expectMarkers("armv7-linux-gnueabihf", "cortex-a9", "nop", {"@?", "//?", "/*?*/"});
  expectMarkers(kRiscv, "sifive-u74", "nop", {"#?", "/*?*/"});
  expectMarkers("powerpc64le-linux-gnu", "pwr9", "nop", {"#?", "/*?*/"});
  expectMarkers("s390x-linux-gnu", "z14", "nopr %r7", {"#?", "/*?*/"});
  expectMarkers("mipsel-linux-gnu", "p5600", "nop", {"#?", "/*?*/"});
}

TEST(Comments, OverSeveralLines) {
  const Parsed parsed(kAArch64, "cortex-a55", "nop\n/* one\n   nop\n   two */ nop\nnop // rest\n");
  EXPECT_EQ(parsed.lines(), (Lines{1, 4, 5}));
}

TEST(ParseErrors, AMarkerBehindABrokenLineIsReadOnce) {
  const Parsed parsed(kX86, "skylake", "nop\naddl (\n# LLVM-MCA-BEGIN a\nnop\n# LLVM-MCA-END a\n");
  EXPECT_EQ(parsed.diagnostics(), std::vector<std::string>{"2: unknown token in expression"});
  EXPECT_EQ(parsed.program->markerRegions().size(), 1u);
}

} // namespace
} // namespace mca
