// Kinds, targets, functions and jump tables of branches, on several targets.
#include "mca-core/program/branches.h"

#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

constexpr const char *kArm = "armv7-unknown-linux-gnueabihf";

struct Read : Parsed {
  Read(const std::string &triple, const std::string &cpu, std::string text, const std::string &features = "")
      : Parsed(triple, cpu, std::move(text)), branches(*target, *program) {
    EXPECT_EQ(diagnostics(), Strings{});
  }
  ProgramBranches branches;

  /// For each branch "line kind target's line symbol".
  Strings shown() const {
    static constexpr const char *kNames[] = {"",     "jump",         "conditional", "indirect",
                                             "call", "indirectcall", "return",      "trap"};
    Strings all;
    for (uint32_t i = 0; i < branches.size(); ++i) {
      const Branch &branch = branches.at(i);
      if (branch.kind == BranchKind::None)
        continue;
      std::string text = std::to_string(branches.lineOf(i)) + " " + kNames[static_cast<size_t>(branch.kind)];
      if (branch.target != kNone)
        text += " " + std::to_string(branches.lineOf(branch.target)) + (branch.isBackward ? " back" : "");
      text += branch.symbol ? " " + std::string(branch.symbolName()) : "";
      all.push_back(text + (branch.isPredicated ? " predicated" : "") + (branch.hasDelaySlot ? " slot" : ""));
    }
    return all;
  }
  Lines tableLines(uint32_t line) const {
    Lines lines;
    for (const uint32_t one : branches.tableTargets(branches.firstOnLine(line)))
      lines.push_back(branches.lineOf(one));
    return lines;
  }
};

Read x86(std::string text) {
  return {kX86, "skylake", std::move(text)};
}

TEST(Branches, LocalLabelsInTheProgramMca) {
  for (const bool localLabels : {false, true}) {
    const Parsed read(kX86, "skylake", "f:\n1:\n  jne 1b\n", {.asLlvmMca = true, .localLabels = localLabels});
    const ProgramBranches branches(*read.target, *read.program);
    EXPECT_EQ(branches.at(0).target, localLabels ? 0 : kNone) << "llvm-mca reads the binary number 1";
  }
}

TEST(Branches, KindsOnX86) {
  const Read read = x86("f:\n"
                        "  jmp .L1\n"
                        "  jne f\n"
                        ".L1:\n"
                        "  addl $1, %eax\n"
                        "  call f\n"
                        "  call printf@PLT\n"
                        "  call *%rax\n"
                        "  call *8(%rax)\n"
                        "  jmp *%rax\n"
                        "  jmp *(%rax,%rcx,8)\n"
                        "  jmp puts\n"
                        "  jrcxz .L1\n"
                        "  ud2\n"
                        "  ret\n"
                        "  call *puts@GOTPCREL(%rip)\n");
  EXPECT_EQ(read.shown(), (Strings{"2 jump 5 .L1", "3 conditional 2 back f", "6 call 2 back f", "7 call printf",
                                   "8 indirectcall", "9 indirectcall", "10 indirect", "11 indirect", "12 jump puts",
                                   "13 conditional 5 back .L1", "14 trap", "15 return", "16 indirectcall"}));
}

TEST(Branches, KindsOnAArch64) {
  const Read read(kAArch64, "cortex-a72",
                  "f:\n  b .L1\n  b.ne f\n.L1:\n  cbz x0, .L1\n  tbnz x0, #3, f\n  bl f\n  blr x1\n  br x2\n  br x30\n"
                  "  ret\n  brk #1\n  b puts\n  bl puts\n");
  EXPECT_EQ(read.shown(), (Strings{"2 jump 5 .L1", "3 conditional 2 back f", "5 conditional 5 back .L1",
                                   "6 conditional 2 back f", "7 call 2 back f", "8 indirectcall", "9 indirect",
                                   "10 return", "11 return", "12 trap", "13 jump puts", "14 call puts"}));
}

TEST(Branches, KindsOnRiscv) {
  const Read read(
      kRiscv, "sifive-u74",
      "f:\n  j .L1\n  beq a0, a1, f\n.L1:\n  bnez a0, .L1\n  call f\n  call puts\n  jalr a0\n  jr a5\n  ret\n"
      "  tail puts\n  jal f\n  bltz a0, .L1\n");
  EXPECT_EQ(read.shown(), (Strings{"2 jump 5 .L1", "3 conditional 2 back f", "5 conditional 5 back .L1",
                                   "6 call 2 back f", "7 call puts", "8 indirectcall", "9 indirect", "10 return",
                                   "11 jump puts", "12 call 2 back f", "13 conditional 5 back .L1"}));
}

TEST(Branches, PredicatesAndTheProgramCounterOnArm) {
  const Read read(
      kArm, "cortex-a57",
      "f:\n  b .L1\n  bne f\n.L1:\n  bl f\n  blne f\n  blx r3\n  bx lr\n  bxne lr\n  bx r3\n  pop {r4, pc}\n"
      "  popne {r4, pc}\n  mov pc, lr\n  ldr pc, [r3, r2, lsl #2]\n  addne r0, r0, #1\n");
  EXPECT_EQ(read.shown(), (Strings{"2 jump 5 .L1", "3 conditional 2 back f", "5 call 2 back f",
                                   "6 call 2 back f predicated", "7 indirectcall", "8 return", "9 return predicated",
                                   "10 indirect", "11 return", "12 return predicated", "13 return", "14 indirect"}));
}

TEST(Branches, CallsOnPowerAndSystemZ) {
  const Read power("powerpc64le-unknown-linux-gnu", "pwr9", "f:\n  bl f\n  bctrl\n  bctr\n  beq 0, f\n  blr\n  trap\n");
  EXPECT_EQ(power.shown(), (Strings{"2 call 2 back f", "3 indirectcall", "4 indirect", "5 conditional 2 back f",
                                    "6 return", "7 trap"}));
  const Read systemZ("s390x-unknown-linux-gnu", "z14",
                     "f:\n  brasl %r14, g@PLT\n  basr %r14, %r1\n  br %r14\n  jlh f\n");
  EXPECT_EQ(systemZ.shown(), (Strings{"2 call g", "3 indirectcall", "4 return", "5 conditional 2 back f"}));
}

TEST(Branches, TrapsOfRiscV) {
  const Read read("riscv64-unknown-linux-gnu", "sifive-u74", "f:\n  ebreak\n  c.ebreak\n  unimp\n  ecall\n");
  EXPECT_EQ(read.shown(), (Strings{"2 trap", "3 trap", "4 trap"}));
}

TEST(Branches, CallsThatDoNotReturnAndJumpsThatAreCalls) {
  const Read read = x86("f:\n  call abort@PLT\n  call g\n  jmp g # TAILCALL\n  jmp *%rax # TAILCALL\n  jmp g\n"
                        "# SUCC:\n  call *%rax\n# SUCC: EXIT [always]  count:1 (ABNORMAL,SIBCALL)\n  jmp g\n");
  std::vector<bool> neverReturn, tailCalls, fallThrough;
  for (uint32_t i = 0; i < read.branches.size(); ++i) {
    neverReturn.push_back(read.branches.at(i).neverReturns);
    tailCalls.push_back(read.branches.at(i).isTailCall);
    fallThrough.push_back(read.branches.at(i).fallsThrough());
  }
  EXPECT_EQ(neverReturn, (std::vector<bool>{true, false, false, false, false, true, false}));
  EXPECT_EQ(tailCalls, (std::vector<bool>{false, false, true, true, false, false, true}));
  EXPECT_EQ(fallThrough, (std::vector<bool>{false, true, false, false, false, false, false}));
  const Read riscv(kRiscv, "sifive-u74", "f:\n  tail g\n  j f\n");
  EXPECT_TRUE(riscv.branches.at(0).isTailCall);
  EXPECT_FALSE(riscv.branches.at(1).isTailCall);
}

TEST(Branches, DelaySlotsOnMips) {
  const Read read("mips-linux-gnu", "mips32r2", ".set noreorder\nf:\n  bnez $4, f\n  addiu $4, $4, -1\n  nop\n");
  EXPECT_EQ(read.shown(), (Strings{"3 conditional 3 back f slot"}));
  EXPECT_EQ(read.branches.next(0), 1u);
  EXPECT_EQ(read.branches.at(0).fallThrough, 2u);
}

TEST(Branches, LabelsOfTheirOwnSection) {
  const Read read = x86("f:\n  jne .Lcold\n.Lback:\n  ret\n"
                        "  .section .text.unlikely,\"ax\",@progbits\n.Lcold:\n  incl %eax\n  jmp .Lback\n"
                        "  .text\n  nop\n");
  EXPECT_EQ(read.shown(), (Strings{"2 conditional 7 .Lcold", "4 return", "8 jump 4 back .Lback"}));
  EXPECT_EQ(read.branches.next(1), 4u) << "after the other section";
  EXPECT_EQ(read.branches.next(3), kNone);
  EXPECT_EQ(read.branches.placeOf(".Lcold"), 2u);
}

TEST(Branches, NumericLabelsAndAliases) {
  const Read read = x86("1:\n  incl %eax\n  jne 1b\n  jmp 1f\n1:\n  nop\nf:\n  nop\n.set g, f\n.set h, g\n  call h\n"
                        "  jmp f+4\n  jmp .Lnone\n");
  EXPECT_EQ(read.shown()[0].substr(0, 20), "3 conditional 2 back");
  EXPECT_EQ(read.shown()[1].substr(0, 8), "4 jump 6");
  EXPECT_EQ(read.shown()[2], "11 call 8 back h");
  EXPECT_EQ(read.shown()[3], "12 jump") << "a sum is no label";
  EXPECT_EQ(read.shown()[4], "13 jump .Lnone");
}

TEST(Branches, Functions) {
  const std::string type = "  .type f, @function\n  .type g, @function\n  .type f.cold, @function\n";
  const Read read = x86(type + "  nop\nf:\n  nop\n.L1:\n  nop\ng:\n  nop\n"
                               "  .section .text.unlikely,\"ax\",@progbits\nf.cold:\n  nop\n  nop\n");
  ASSERT_EQ(read.branches.functions().size(), 3u);
  EXPECT_EQ(read.branches.functions()[0].name, "") << "before the first function";
  EXPECT_EQ(read.branches.functions()[1].name, "f");
  EXPECT_EQ(read.branches.functions()[2].name, "g");
  const std::vector<uint32_t> expected = {0, 1, 1, 2, 1, 1};
  for (uint32_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(read.branches.functionOf(i), expected[i]) << i;
}

TEST(Branches, FunctionsOfMachO) {
  const Read read("arm64-apple-macos", "apple-m1", "_f:\n  nop\nLBB0_1:\n  nop\n_g:\n  b _f\n");
  ASSERT_EQ(read.branches.functions().size(), 2u);
  EXPECT_EQ(read.branches.functions()[1].name, "_g");
  EXPECT_EQ(read.branches.functionOf(1), 0u);
  EXPECT_TRUE(read.branches.isPrivate("LBB0_1"));
}

TEST(Branches, LinesAndMacros) {
  const Read read = x86(".macro two\n  nop\n  nop\n.endm\n\n  two\n  incl %eax; decl %eax\n\n  nop\n");
  EXPECT_EQ(read.branches.lineOf(1), 6u);
  EXPECT_EQ(read.branches.firstOnLine(6), 0u);
  EXPECT_EQ(read.branches.firstOnLine(7), 2u);
  EXPECT_EQ(read.branches.firstOnLine(8), 4u) << "the next one after an empty line";
  EXPECT_EQ(read.branches.firstOnLine(10), kNone);
}

TEST(Branches, PrivateNames) {
  const Read read = x86("f:\n  nop\n");
  EXPECT_TRUE(read.branches.isPrivate(".LBB1_2"));
  EXPECT_FALSE(read.branches.isPrivate("printf"));
}

// ---- jump tables ---------------------------------------------------------------------------------------------------

const std::string kCases = ".La:\n  ret\n.Lb:\n  ret\n.Lc:\n  ret\n"; // from line 10 on

TEST(Branches, TablesOfAbsoluteAddresses) {
  const Read read = x86("  .type f, @function\nf:\n  cmpl $3, %edi\n  ja .Lc\n  movl %edi, %edi\n"
                        "  jmp *.LJTI0_0(,%rdi,8)\n\n\n\n" +
                        kCases + "  .section .rodata\n.LJTI0_0:\n  .quad .Lb\n  .quad .La\n  .quad .Lb\n");
  EXPECT_EQ(read.tableLines(6), (Lines{11, 13}));
  const uint32_t jump = read.branches.firstOnLine(6);
  EXPECT_TRUE(read.branches.mayJumpTo(jump, read.branches.placeOf(".La")));
  EXPECT_FALSE(read.branches.mayJumpTo(jump, read.branches.placeOf(".Lc")));
}

TEST(Branches, TablesOfDifferences) {
  const Read read = x86("f:\n  leaq .LJTI0_0(%rip), %rcx\n  nop\n.Lloop:\n  movslq (%rcx,%rdi,4), %rax\n"
                        "  addq %rcx, %rax\n  movq .Lother(%rip), %rdx\n  jmpq *%rax\n\n" +
                        kCases + "  .section .rodata\n.LJTI0_0:\n  .long .La-.LJTI0_0\n  .long .Lc-.LJTI0_0\n" +
                        ".Lother:\n  .quad .Lb\n");
  EXPECT_EQ(read.tableLines(8), (Lines{11, 15}));
}

TEST(Branches, TwoSwitchesOfALoopHaveTheirOwnTables) {
  const Read read = x86("f:\n  leaq .LJTI0_1(%rip), %r13\n  leaq .LJTI0_0(%rip), %rbp\n.Lloop:\n  movl (%r15), %eax\n"
                        "  movslq (%rbp,%rax,4), %rax\n  addq %rbp, %rax\n  jmpq *%rax\n\n" +
                        kCases +
                        ".Lsecond:\n  movl (%r15), %eax\n.Lin:\n  movslq (%r13,%rax,4), %rax\n  addq %r13, %rax\n"
                        "  jmpq *%rax\n  .section .rodata\n.LJTI0_0:\n  .long .La-.LJTI0_0\n.LJTI0_1:\n"
                        "  .long .Lc-.LJTI0_1\n");
  EXPECT_EQ(read.tableLines(8), Lines{11});
  EXPECT_EQ(read.tableLines(21), Lines{15}) << "both have the index in rax";
}

TEST(Branches, TablesOnAArch64AndRiscv) {
  const Read arm(kAArch64, "cortex-a72",
                 "f:\n  adrp x8, .LJTI0_0\n  add x8, x8, :lo12:.LJTI0_0\n  adr x9, .La\n  ldrb w10, [x8, x0]\n"
                 "  add x9, x9, x10, lsl #2\n  br x9\n\n\n.La:\n  ret\n.Lb:\n  ret\n  .section .rodata\n.LJTI0_0:\n"
                 "  .byte (.La-.La)>>2\n  .byte (.Lb-.La)>>2\n");
  EXPECT_EQ(arm.tableLines(7), (Lines{11, 13}));
  const Read riscv(kRiscv, "sifive-u74",
                   "f:\n  lui a1, %hi(.LJTI0_0)\n  addi a1, a1, %lo(.LJTI0_0)\n  slli a0, a0, 2\n  add a0, a0, a1\n"
                   "  lw a0, 0(a0)\n  jr a0\n\n\n.La:\n  ret\n.Lb:\n  ret\n  .section .rodata\n.LJTI0_0:\n"
                   "  .word .Lb\n");
  EXPECT_EQ(riscv.tableLines(7), (Lines{13}));
}

TEST(Branches, WithoutATableAnyLabelOfTheFunction) {
  const Read read = x86("  .type f, @function\n  .type g, @function\nf:\n  jmp *%rax\n.L1:\n  nop\n  nop\n"
                        "g:\n  nop\n.L2:\n  nop\n");
  const auto mayGoTo = [&](uint32_t line) { return read.branches.mayJumpTo(0, read.branches.firstOnLine(line)); };
  EXPECT_FALSE(read.branches.hasTable(0));
  EXPECT_TRUE(mayGoTo(6));
  EXPECT_FALSE(mayGoTo(7)) << "no label";
  EXPECT_TRUE(mayGoTo(9)) << "the entry of a function";
  EXPECT_FALSE(mayGoTo(11)) << "a label of another function";
}

TEST(Branches, TablesThatNameOtherThings) {
  const Read read = x86("f:\n  jmp *.Ltable(,%rdi,8)\n.La:\n  ret\n  .data\n.Ltable:\n  .quad .La\n  .quad puts\n");
  EXPECT_FALSE(read.branches.hasTable(0)) << "functions that the text does not hold";
}

TEST(Branches, AVariableThatPointsToAFunctionIsNoTable) {
  const auto text = [](const std::string &section) {
    return "  .type f, @function\n  .type g, @function\nf:\n  jmp *pointer(%rip)\ng:\n  ret\n" + section +
           "pointer:\n  .quad f\n";
  };
  const Read variable = x86(text("  .data\n"));
  EXPECT_FALSE(variable.branches.hasTable(0));
  EXPECT_TRUE(variable.branches.mayJumpTo(0, variable.branches.placeOf("g"))) << "once it points there";
  EXPECT_EQ(x86(text("  .section .rodata\n")).tableLines(4), (Lines{4}));
  EXPECT_EQ(x86(text("  .section .data.rel.ro,\"aw\"\n")).tableLines(4), (Lines{4})) << "written by the loader alone";
}

TEST(Branches, AJumpThroughARegisterOfUnknownOrigin) {
  const Read read = x86("f:\n  leaq .Ltable(%rip), %rcx\n  call g\n  movq %rdi, %rax\n  jmp *%rax\n.La:\n  ret\n"
                        "  .section .rodata\n.Ltable:\n  .quad .La\n");
  EXPECT_EQ(read.tableLines(5), Lines{}) << "the table is not what the address comes from";
}

TEST(Branches, ATableThatNamesOtherThingsHasKnownTargets) {
  const Read read = x86("f:\n  jmp *.Ltable(,%rdi,8)\n.La:\n  ret\n  .data\n.Ltable:\n  .quad .La\n  .quad puts\n");
  const auto known = read.branches.tables().knownTargetsOf(0);
  EXPECT_EQ((std::vector<uint32_t>(known.begin(), known.end())), (std::vector<uint32_t>{1}));
}

TEST(Branches, NoInstructions) {
  const Read read = x86(".Lend:\n");
  EXPECT_EQ(read.branches.size(), 0u);
  EXPECT_EQ(read.branches.placeOf(".Lend"), kNone);
  EXPECT_TRUE(read.branches.functions().empty());
}

} // namespace
} // namespace mca
