// Innermost loops from labels and branches, on the shapes that compilers and people write.
#include "mca-core/program/loops.h"
#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

/// The lines of each loop's instructions, and the line of its header.
struct Found {
  Lines header;
  std::vector<Lines> bodies;
  Lines blocks;
};

Found loopsOf(const Parsed &parsed) {
  Found found;
  const Lines lines = parsed.lines();
  for (const Loop &loop : findInnermostLoops({*parsed.target, *parsed.program})) {
    found.header.push_back(lines[loop.header()]);
    found.blocks.push_back(static_cast<uint32_t>(loop.blocks.size()));
    Lines &body = found.bodies.emplace_back();
    for (const uint32_t instruction : loop.instructions)
      body.push_back(lines[instruction]);
  }
  return found;
}

Found x86(const std::string &text) {
  const Parsed parsed(kX86, "skylake", text);
  EXPECT_EQ(parsed.diagnostics(), Strings{});
  return loopsOf(parsed);
}

TEST(Loops, NoneInAnEmptyTextAndInAStraightOne) {
  EXPECT_TRUE(x86("").bodies.empty());
  EXPECT_TRUE(x86("nop\nret\nnop\n").bodies.empty());
  EXPECT_TRUE(x86("jmp out\nnop\nout:\nret\n").bodies.empty());
}

TEST(Loops, ABlockThatJumpsToItself) {
  const Found found = x86("nop\na:\nincl %eax\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{3, 4}}));
  EXPECT_EQ(found.blocks, (Lines{1}));
}

TEST(Loops, OneInstructionThatJumpsToItself) {
  EXPECT_EQ(x86("a: jmp a\n").bodies, (std::vector<Lines>{{1}}));
  EXPECT_EQ(x86("nop\na: loop a\nret\n").bodies, (std::vector<Lines>{{2}}));
}

TEST(Loops, NothingFollowsACallThatDoesNotReturn) {
  const auto calling = [](const std::string &function) {
    return x86(".La:\nincl %eax\njne .Lend\ncall " + function + "\njmp .La\n.Lend:\nret\n").bodies;
  };
  EXPECT_EQ(calling("work").size(), 1u);
  for (const char *function : {"exit", "abort@PLT", "_ZSt20__throw_length_errorPKc@PLT", "__stack_chk_fail"})
    EXPECT_TRUE(calling(function).empty()) << function;
  EXPECT_EQ(calling("*exit(%rip)").size(), 1u) << "what a pointer holds is not known";
}

TEST(Loops, NothingFollowsATrap) {
  EXPECT_TRUE(x86("a:\nincl %eax\njne .Lend\nud2\n.Lb:\njmp a\n.Lend:\nret\n").bodies.empty());
  const Parsed arm(kAArch64, "neoverse-v2", "a:\nadd x1, x1, #1\ncbnz x1, .Lend\nbrk #1\n.Lb:\nb a\n.Lend:\nret\n");
  EXPECT_TRUE(loopsOf(arm).bodies.empty());
}

TEST(Loops, AJumpToASumOrToAnAlias) {
  EXPECT_TRUE(x86("a:\nincl %eax\njne a+2\nret\n").bodies.empty()) << "the place is not known";
  EXPECT_EQ(x86("a:\nincl %eax\njne b\nret\n.set b, a\n").bodies, (std::vector<Lines>{{2, 3}}));
}

TEST(Loops, ColdPartsOfTwoFunctionsAreNotOneAfterTheOther) {
  EXPECT_TRUE(x86(".type f,@function\nf:\njne .Lf\n.Lback:\nret\n.type g,@function\ng:\njne .Lg\nret\n"
                  ".section .text.unlikely,\"ax\",@progbits\n.type f.cold,@function\nf.cold:\n.Lf:\ncall h\n"
                  ".type g.cold,@function\ng.cold:\n.Lg:\njmp .Lf\n")
                  .bodies.empty());
}

TEST(Loops, ATailCallThroughAPointerGoesNowhere) {
  const std::string table = ".type f,@function\nf:\nleaq table(%rip), %rcx\nret\n"
                            ".type g,@function\ng:\nincl %esi\nmovq 8(%rdi), %rax\njmpq *%rax\n"
                            ".data\ntable:\n.quad f\n.quad g\n";
  EXPECT_TRUE(x86(table).bodies.empty()) << "the table of functions is another function's";
}

// A pointer to a function, as run-time dispatch has it: its first value is the address of a function of the text.
TEST(Loops, AJumpToAFunctionIsACall) {
  const std::string pointer = ".data\nimpl:\n.quad f\n";
  const auto of = [&](const std::string &code) {
    return x86(".type f,@function\nf:\nincl %esi\n" + code + pointer).bodies;
  };
  EXPECT_TRUE(of("jmp *impl(%rip)\n").empty());
  EXPECT_TRUE(of("movq impl(%rip), %rax\njmp *%rax\n").empty());
  EXPECT_TRUE(of("leaq fast(%rip), %rax\nmovq %rax, impl(%rip)\njmp *%rax\n").empty());
  EXPECT_TRUE(of("movzbl (%rdi), %eax\nincq %rdi\njmp *impl(,%rax,8)\n").empty()) << "an interpreter of tail calls";
  for (const char *jump : {"adrp x8, impl\nldr x3, [x8, :lo12:impl]\nbr x3\n", "br x3\n",
                           "adrp x8, impl\nstr x3, [x8, :lo12:impl]\nbr x3\n"}) {
    const Parsed arm(kAArch64, "neoverse-v2", ".type f,@function\nf:\nadd x1, x1, #1\n" + (jump + pointer));
    EXPECT_TRUE(loopsOf(arm).bodies.empty()) << jump;
  }
  const Parsed riscv(kRiscv, "sifive-u74",
                     ".type f,@function\nf:\naddi a1, a1, 1\nlui a5, %hi(impl)\nld a5, %lo(impl)(a5)\njr a5\n" +
                         pointer);
  EXPECT_TRUE(loopsOf(riscv).bodies.empty());
}

TEST(Loops, MachOFunctionsNeedNoDeclaration) {
  const Parsed parsed("arm64-apple-macosx", "apple-m1",
                      "_f:\nadd x1, x1, #1\nb _g\n_g:\nadd x1, x1, #2\nb _f\n"
                      "_h:\nadrp x8, _impl@PAGE\nldr x3, [x8, _impl@PAGEOFF]\nbr x3\n"
                      "_loops:\nsubs x0, x0, #1\nb.ne _loops\nret\n"
                      ".section __DATA,__data\n_impl:\n.quad _h\n");
  EXPECT_EQ(parsed.diagnostics(), Strings{});
  EXPECT_EQ(loopsOf(parsed).bodies, (std::vector<Lines>{{12, 13}}));
}

TEST(Loops, FunctionsThatTailCallEachOtherMakeNone) {
  const auto calling = [](const std::string &jump) {
    return x86(".type f,@function\nf:\nincl %eax\n" + jump + " g\nret\n.type g,@function\ng:\ndecl %eax\n" + jump +
               " f\nret\n")
        .bodies;
  };
  EXPECT_TRUE(calling("jmp").empty());
  EXPECT_TRUE(calling("jne").empty());
  const Parsed riscv(kRiscv, "sifive-u74",
                     ".type f,@function\nf:\naddi a1, a1, 1\ntail g\n.type g,@function\ng:\naddi a1, a1, 2\ntail f\n");
  EXPECT_TRUE(loopsOf(riscv).bodies.empty());
}

// A `switch` before a tail call: all of its cases go to the call.
TEST(Loops, ATailCallGoesNotToTheTableOfASwitch) {
  const auto switching = [](const std::string &before, const std::string &call) {
    return ".type f,@function\nf:\n" + before + "jmpq *.Lt(,%rdi,8)\n.La:\nincl %edx\njmp .Lend\n.Lb:\ndecl %edx\n" +
           ".Lend:\n" + call + ".section .rodata\n.Lt:\n.quad .La, .Lb\n";
  };
  for (const char *call : {"jmpq *%rsi # TAILCALL\n", "movq 16(%rsi), %rax\njmpq *%rax\n", "jmpq *16(%rsi)\n",
                           "movq %rsi, %rax\n# SUCC: EXIT [always]  count:1 (ABNORMAL,SIBCALL)\njmp *%rax\n",
                           "popq %rbx\njmpq *%rsi\n", "jmpq *%rsi\n"})
    EXPECT_TRUE(x86(switching("", call)).bodies.empty()) << call;
  EXPECT_TRUE(x86(switching("leaq .Lt(%rip), %rcx\n", "movl (%rsi), %edi\njmpq *%rsi # TAILCALL\n")).bodies.empty());
}

TEST(Loops, AJumpToWhereItAlwaysGoesIsNone) {
  const auto jumping = [](const std::string &body, const std::string &table = ".quad .La, .Lb\n") {
    return x86(".type f,@function\nf:\nnop\n.La:\n" + body + ".Lb:\nret\n.section .rodata\n.Lt:\n" + table).bodies;
  };
  EXPECT_TRUE(jumping("incl %ecx\njmp *.Lt(,%rax,8)\n").empty()) << "it never leaves, or never comes back";
  EXPECT_EQ(jumping("incl %eax\njmp *.Lt(,%rax,8)\n"), (std::vector<Lines>{{5, 6}}));
  EXPECT_TRUE(jumping("incl %ecx\n.Lmiddle:\nincl %edx\njmp *.Lt(,%rax,8)\n").empty()) << "a label is no way out";
  EXPECT_EQ(jumping("incl %ecx\nje .Lb\nincl %edx\njmp *.Lt(,%rax,8)\n").size(), 1u) << "a branch is one";
  EXPECT_EQ(jumping("incl %ecx\ncall g\njmp *.Lt(,%rax,8)\n").size(), 1u) << "a call may change the register";
}

// Direct threaded code: each handler jumps to where the next word of the code points.
TEST(Loops, OfThreadedCode) {
  const std::string next = "movq (%rdi), %rax\naddq $8, %rdi\njmpq *%rax\n";
  const Found found =
      x86(".type f,@function\nf:\nleaq labels(%rip), %rcx\nmovq %rcx, 8(%rsi)\n" + next + ".La:\nincl %ebx\n" + next +
          ".Lb:\ndecl %ebx\n" + next + ".section .data.rel.ro,\"aw\"\nlabels:\n.quad .La, .Lb\n");
  EXPECT_FALSE(found.bodies.empty());
  const Found indirect = x86(".type f,@function\nf:\nmovq labels(%rip), %rcx\njmpq *(%rdi)\n.La:\nincl %ebx\n"
                             "addq $8, %rdi\njmpq *(%rdi)\n.Lb:\ndecl %ebx\naddq $8, %rdi\njmpq *(%rdi)\n"
                             ".data\nlabels:\n.quad .La, .Lb\n");
  EXPECT_FALSE(indirect.bodies.empty());
}

TEST(Loops, NothingFollowsACallAfterWhichGccKnowsNoSuccessor) {
  const auto calling = [](const std::string &successors) {
    return x86(".La:\nincl %eax\n# SUCC: 3 [99.0% (guessed)]  count:1 (CAN_FALLTHRU)\njne .Lend\n"
               "# BLOCK 3, count:1 seq:1\nmovl %eax, %edi\n# SUCC:" +
               successors + "\ncall fail\n# BLOCK 4, count:1 seq:2\njmp .La\n.Lend:\nret\n")
        .bodies;
  };
  EXPECT_EQ(calling(" 4 [always]  count:1 (FALLTHRU)").size(), 1u);
  EXPECT_EQ(calling(" 7 [never]  count:0 (precise) (ABNORMAL,ABNORMAL_CALL,EH)").size(), 1u);
  EXPECT_TRUE(calling("").empty());
}

TEST(Loops, LocalLabelsOfNumbers) {
  EXPECT_EQ(x86("1:\nincl %eax\njne 1b\n1:\ndecl %eax\njne 1b\n").bodies, (std::vector<Lines>{{2, 3}, {5, 6}}));
}

TEST(Loops, AWhileLoopEnteredAtItsTest) {
  const Found found = x86("jmp test\nbody:\nincl %eax\ntest:\ncmpl %eax, %ebx\njne body\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{3, 5, 6}}));
  EXPECT_EQ(found.header, (Lines{5}));
  EXPECT_EQ(found.blocks, (Lines{2}));
}

TEST(Loops, TheInnermostOfThree) {
  const Found found = x86("a:\nnop\nb:\nnop\nc:\nincl %eax\njne c\ndecl %ebx\njne b\ndecl %ecx\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{6, 7}}));
}

TEST(Loops, TwoInOne) {
  const Found found = x86("a:\nnop\nb:\nincl %eax\njne b\nc:\ndecl %eax\njne c\ndecl %ecx\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{4, 5}, {7, 8}}));
}

TEST(Loops, ABlockThatSharesItsHeaderWithTheLoopAroundIt) {
  const std::string text = "a:\nincl %eax\njne a\nb:\ndecl %ebx\njne b\ndecl %ecx\njne a\nret\n";
  EXPECT_EQ(x86(text).bodies, (std::vector<Lines>{{2, 3}, {5, 6}}));
}

TEST(Loops, ASharedHeadersPartIsOwnWhereItIsSaidToBe) {
  const Parsed parsed(kX86, "skylake",
                      "a:\nincl %eax\nje c\ndecl %ecx\njne a\nc:\nb:\ndecl %ebx\njne b\n"
                      "decl %edx\njne a\nret\n");
  const Lines lines = parsed.lines();
  const auto bodies = [&](IsOwnLoop isOwn) {
    std::vector<Lines> found;
    for (const Loop &loop : findInnermostLoops({*parsed.target, *parsed.program}, isOwn))
      for (Lines &body = found.emplace_back(); const uint32_t instruction : loop.instructions)
        body.push_back(lines[instruction]);
    return found;
  };
  EXPECT_EQ(bodies(isOwnBlock), (std::vector<Lines>{{8, 9}})) << "two blocks may be a `continue`";
  size_t asked = 0;
  EXPECT_EQ(bodies([&](const SharedHeader &shared) {
              ++asked;
              EXPECT_TRUE(shared.holdsLoops);
              EXPECT_EQ(shared.instructions.size(), 8u);
              return true;
            }),
            (std::vector<Lines>{{2, 3, 4, 5}, {8, 9}}));
  EXPECT_EQ(asked, 1u) << "the branch back from below b holds a loop";
}

TEST(Loops, TwoLatchesAreOneLoop) {
  const Found found = x86("a:\nincl %eax\nje skip\ndecl %ebx\njmp a\nskip:\ndecl %ecx\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{2, 3, 4, 5, 7, 8}}));
  EXPECT_EQ(found.blocks, (Lines{3}));
}

TEST(Loops, WhatLeavesTheLoopIsNotInIt) {
  const Found found = x86("a:\nincl %eax\njne more\ncall abort\nret\nmore:\ndecl %ecx\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{2, 3, 7, 8}}));
}

TEST(Loops, WithTwoEntriesStartAtTheFirst) {
  const Found found = x86("f:\nje b\na:\nincl %eax\nb:\ndecl %ebx\njne a\nret\n.type f,@function\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{4, 6, 7}}));
  EXPECT_EQ(found.header, (Lines{4}));
}

TEST(Loops, WithTwoEntriesAroundALoopAreNotInnermost) {
  const Found found =
      x86(".type f,@function\nf:\nje b\na:\nincl %eax\nb:\ndecl %ebx\nc:\nincl %ecx\njne c\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{9, 10}}));
}

TEST(Loops, AroundOneWithTwoEntriesAreNotInnermost) {
  const Found outer =
      x86(".type f,@function\nf:\nnop\ntop:\nje b\na:\nincl %eax\nb:\ndecl %ebx\njne a\ndecl %ecx\njne top\nret\n");
  EXPECT_EQ(outer.bodies, (std::vector<Lines>{{7, 9, 10}}));
  const Found two = x86(".type f,@function\nf:\nnop\ntop:\nje b\na:\nincl %eax\nb:\ndecl %ebx\njne a\nje d\n"
                        "c:\nincl %esi\nd:\ndecl %edi\njne c\ndecl %ecx\njne top\nret\n");
  EXPECT_EQ(two.bodies, (std::vector<Lines>{{7, 9, 10}, {13, 15, 16}}));
}

// Where such a loop is entered does not matter if each way around goes through one block: its header then.
TEST(Loops, WithSeveralEntriesBeginWhereAllWaysAroundMeet) {
  const auto header = [](const std::string &entries, const std::string &body) {
    const Found found = x86(".type f,@function\nf:\n" + entries + body + "ret\n");
    return found.header;
  };
  const std::string diamond = "top:\nincl %eax\nje right\nleft:\nincl %ebx\njmp end\nright:\nincl %ecx\nend:\ndecl "
                              "%edx\njne top\n";
  EXPECT_EQ(header("je end\n", diamond), (Lines{5})) << "the first entry";
  EXPECT_EQ(header("je left\njc right\njmp end\n", diamond), (Lines{15})) << "the only entry that all ways pass";
  EXPECT_EQ(header("je left\njmp right\n", diamond), (Lines{6})) << "no entry is on all ways";
  EXPECT_EQ(header("jmp *.Lt(,%rax,8)\n.section .rodata\n.Lt:\n.quad a, b, c\n.text\n",
                   "a:\nincl %eax\nb:\nincl %ebx\nc:\nincl %ecx\njne a\n"),
            (Lines{9}))
      << "entered by a computed jump";
}

// ---- blocks --------------------------------------------------------------------------------------------------------

/// "2-3: 1 2 latch" for each block: its instructions' positions in the loop, its successors.
Strings blocksOf(const std::string &text) {
  const Parsed parsed(kX86, "skylake", text);
  const std::vector<Loop> loops = findInnermostLoops({*parsed.target, *parsed.program});
  EXPECT_EQ(loops.size(), 1u);
  Strings result;
  for (const Loop &loop : loops)
    for (const LoopBlock &block : loop.blocks) {
      std::string line = std::to_string(block.begin) + "-" + std::to_string(block.end) + ":";
      for (const uint32_t successor : block.successors)
        line += " " + std::to_string(successor);
      result.push_back(line + (block.isLatch ? " latch" : ""));
    }
  return result;
}

TEST(LoopBlocks, OfOne) {
  EXPECT_EQ(blocksOf("a:\nincl %eax\njne a\n"), (Strings{"0-2: latch"}));
}

TEST(LoopBlocks, OfAnIf) {
  EXPECT_EQ(blocksOf("a:\nincl %eax\nje b\nincl %ebx\nb:\nincl %ecx\njne a\n"),
            (Strings{"0-2: 1 2", "2-3: 2", "3-5: latch"}));
}

TEST(LoopBlocks, OfAContinueAndABreak) {
  EXPECT_EQ(blocksOf("a:\nincl %eax\nje a\nincl %ebx\njs out\nincl %ecx\njmp a\nout:\nret\n"),
            (Strings{"0-2: 1 latch", "2-4: 2", "4-6: latch"}));
}

TEST(LoopBlocks, OfABranchThatGoesBothWaysToTheSame) {
  EXPECT_EQ(blocksOf("a:\nincl %eax\nje b\nb:\nincl %ecx\njne a\n"), (Strings{"0-2: 1", "2-4: latch"}));
}

TEST(Loops, AroundAJumpTable) {
  const Found found =
      x86("next:\nmovzbl (%rdi), %eax\njmp *table(,%rax,8)\none:\nincl %ebx\njmp next\ntwo:\ndecl %ebx\n"
          "jmp next\n");
  EXPECT_TRUE(found.bodies.empty()) << "what an indirect jump reaches is unknown";
}

/// A loop around `dispatch`, which jumps to one of two cases through .Lt, and the table itself.
std::string switchLoop(const std::string &dispatch, const std::string &table) {
  return ".type f,@function\nf:\nnop\nnext:\nmovzbl (%rdi), %eax\n" + dispatch +
         ".La:\nincl %ebx\njmp next\n.Lb:\ndecl %ebx\njne next\nret\n.section .rodata,\"a\",@progbits\n.Lt:\n" + table;
}

TEST(Loops, AroundAJumpTableOfAddresses) {
  EXPECT_EQ(x86(switchLoop("jmp *.Lt(,%rax,8)\n", ".quad .La\n.quad .Lb\n")).bodies,
            (std::vector<Lines>{{5, 6, 8, 9, 11, 12}}));
  EXPECT_EQ(x86(switchLoop("jmpq *.Lt(,%rax,8)\n", ".quad .La, .Lb, .La, .La\n")).blocks, (Lines{3}));
  EXPECT_EQ(x86(switchLoop("movq .Lt(,%rax,8), %rax\nnop\njmpq *%rax\n", ".quad .La, .Lb\n")).blocks, (Lines{3}));
}

TEST(Loops, AroundAJumpTableOfDistances) {
  EXPECT_EQ(x86(switchLoop("leaq .Lt(%rip), %rdx\nmovslq (%rdx,%rax,4), %rax\naddq %rdx, %rax\njmpq *%rax\n",
                           ".long .La-.Lt\n.long .Lb-.Lt\n"))
                .bodies,
            (std::vector<Lines>{{5, 6, 7, 8, 9, 11, 12, 14, 15}}));
}

TEST(Loops, AroundAJumpTableThatIsReadElsewhere) {
  const Found found = x86(".type f,@function\nf:\nleaq .Lt(%rip), %rdx\nnext:\nmovslq (%rdx,%rax,4), %rax\n"
                          "addq %rdx, %rax\njmpq *%rax\n.La:\nincl %ebx\njmp next\n.Lb:\ndecl %ebx\njne next\nret\n"
                          ".section .rodata\n.Lt:\n.long .La-.Lt, .Lb-.Lt\n");
  EXPECT_EQ(found.blocks, (Lines{3})) << "the address was computed outside of the loop";
}

TEST(Loops, AroundAJumpTableThatNamesOtherThings) {
  EXPECT_TRUE(
      x86(switchLoop("jmp *.Lt(,%rax,8)\n", ".quad elsewhere\n.quad 7\n.quad .Lt\n.ascii \"x\"\n")).bodies.empty());
  EXPECT_TRUE(x86(switchLoop("jmp *.Lt(,%rax,8)\n", "")).bodies.empty());
  EXPECT_TRUE(x86(switchLoop("jmp *(%rax)\n", ".quad .La\n")).bodies.empty());
}

TEST(Loops, AroundAJumpTableOnAArch64) {
  const std::string cases =
      ".LA:\nadd w1, w1, #1\nb next\n.LB:\nsub w1, w1, #1\ncbnz w1, next\nret\n.section .rodata\n.Lt:\n";
  const Parsed bytes(kAArch64, "neoverse-v2",
                     ".type f,@function\nf:\nadrp x9, .Lt\nadd x9, x9, :lo12:.Lt\nnext:\nldrb w8, [x0], #1\nadr x10, "
                     ".LA\nldrb w11, [x9, x8]\nadd x10, x10, x11, lsl #2\nbr x10\n" +
                         cases + ".byte (.LA-.LA)>>2\n.byte (.LB-.LA)>>2\n");
  EXPECT_EQ(bytes.diagnostics(), Strings{});
  EXPECT_EQ(loopsOf(bytes).blocks, (Lines{3}));
  const Parsed words(
      kAArch64, "neoverse-v2",
      ".type f,@function\nf:\nadrp x9, .Lt\nadd x9, x9, :lo12:.Lt\nnext:\nldrb w8, [x0], #1\nldrsw x10, [x9, "
      "x8, lsl #2]\nadd x10, x10, x9\nbr x10\n" +
          cases + ".word .LA-.Lt\n.word .LB-.Lt\n");
  EXPECT_EQ(loopsOf(words).blocks, (Lines{3}));
}

TEST(Loops, OfComputedGotos) {
  const std::string jump = "movzbl (%rdi), %eax\nincq %rdi\njmpq *.Lt(,%rax,8)\n";
  const Parsed parsed(kX86, "skylake",
                      ".type f,@function\nf:\n" + jump + ".La:\nincl %ebx\n" + jump + ".Lb:\ndecl %ebx\n" + jump +
                          ".Lc:\nret\n.section .rodata\n.Lt:\n.quad .La\n.quad .Lb\n.quad .Lc\n");
  const std::vector<Loop> loops = findInnermostLoops({*parsed.target, *parsed.program});
  for (const Loop &loop : loops)
    EXPECT_GE(loop.blocks.size(), 1u);
  EXPECT_EQ(loopsOf(parsed).bodies.empty(), false) << "each handler may come again";
}

std::string hugeSwitch(int cases) {
  std::string text = ".type f,@function\nf:\nnop\nnext:\nmovzwl (%rdi), %eax\njmp *.Lt(,%rax,8)\n", table;
  for (int i = 0; i < cases; ++i) {
    const std::string label = ".L" + std::to_string(i);
    text += label + ":\nincl %ebx\njmp next\n";
    table += ".quad " + label + "\n";
  }
  return text + ".section .rodata\n.Lt:\n" + table;
}

TEST(Loops, AroundAHugeSwitchHaveEachBlockOnce) {
  for (const int cases : {255, 256, 257, 600, 5000}) {
    const Found found = x86(hugeSwitch(cases));
    ASSERT_EQ(found.bodies.size(), 1u) << cases;
    EXPECT_EQ(found.bodies[0].size(), 2u + 2 * static_cast<size_t>(cases));
    EXPECT_EQ(found.blocks[0], 1u + static_cast<uint32_t>(cases));
  }
}

TEST(Loops, BehindASwitchStandAlone) {
  const Found found = x86("jmp *table(,%rax,8)\none:\nincl %ebx\njne one\ntwo:\ndecl %ebx\njne two\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{3, 4}, {6, 7}}));
}

TEST(Loops, CallsDoNotEndThem) {
  EXPECT_EQ(x86("a:\ncall f\ncall *%rax\nincl %eax\njne a\n").bodies, (std::vector<Lines>{{2, 3, 4, 5}}));
}

TEST(Loops, AFunctionThatCallsItselfIsNone) {
  EXPECT_TRUE(x86(".type f,@function\nf:\nincl %eax\ncall f\nret\n").bodies.empty());
}

TEST(Loops, ATailCallToItselfIsOne) {
  EXPECT_EQ(x86(".type f,@function\nf:\nincl %eax\njne f\nret\n").bodies, (std::vector<Lines>{{3, 4}}));
}

TEST(Loops, InFunctionsOneBehindTheOther) {
  const Found found =
      x86(".type f,@function\nf:\na:\nincl %eax\njne a\n.type g,@function\ng:\nb:\ndecl %eax\njne b\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{4, 5}, {9, 10}}));
}

TEST(Loops, InUnreachableCode) {
  EXPECT_EQ(x86("ret\na:\nincl %eax\njne a\nret\n").bodies, (std::vector<Lines>{{3, 4}}));
}

TEST(Loops, ToALabelThatIsNotThereAreNone) {
  EXPECT_TRUE(x86("incl %eax\njne elsewhere\nret\n").bodies.empty());
  EXPECT_TRUE(x86("incl %eax\njne end\nend:\n").bodies.empty());
}

TEST(Loops, CutBySections) {
  const Found found = x86("a:\nincl %eax\n.section .cold,\"ax\"\nnop\nc:\ndecl %ebx\njne c\n.text\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{2, 9}, {6, 7}}));
}

TEST(Loops, ThatGoThroughAnotherSection) {
  const Found found = x86(".type f,@function\nf:\nnop\na:\nincl %eax\nje cold\nback:\ndecl %ebx\njne a\nret\n"
                          ".section .text.unlikely,\"ax\"\ncold:\nnop\njmp back\n");
  ASSERT_EQ(found.bodies.size(), 1u);
  EXPECT_EQ(found.bodies[0].size(), 6u);
}

TEST(Loops, WithInstructionsFromAMacro) {
  EXPECT_EQ(x86(".macro step\nincl %eax\njne \\@f\n.endm\na:\n.rept 2\nincl %eax\n.endr\njne a\n").bodies,
            (std::vector<Lines>{{6, 6, 9}}));
}

// A landing pad has no predecessor in the text.
TEST(Loops, WithACatchBlock) {
  const Found found =
      x86(".type f,@function\nf:\nnop\na:\ncall g\nback:\nincl %eax\njne a\nret\npad:\ncall __cxa_begin_catch\n"
          "call __cxa_end_catch\njmp back\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{5, 7, 8}}));
}

TEST(Loops, WithAColdPartOfTheFunction) {
  const Found found = x86(".type f,@function\nf:\nnop\na:\nincl %eax\nje f.cold\nback:\ndecl %ebx\njne a\nret\n"
                          ".section .text.unlikely,\"ax\"\n.type f.cold,@function\nf.cold:\nnop\njmp back\n");
  ASSERT_EQ(found.bodies.size(), 1u);
  EXPECT_EQ(found.bodies[0].size(), 6u);
}

TEST(Loops, OfManyBranches) {
  std::string text = "a:\n";
  for (int i = 0; i < 5000; ++i)
    text += "je l" + std::to_string(i) + "\nincl %eax\nl" + std::to_string(i) + ":\n";
  const Found found = x86(text + "decl %ebx\njne a\n");
  ASSERT_EQ(found.bodies.size(), 1u);
  EXPECT_EQ(found.bodies[0].size(), 10'002u);
}

TEST(Loops, OfManyBranchesThatAllGoBack) {
  std::string text = "a:\nincl %eax\n";
  for (int i = 0; i < 5000; ++i)
    text += "je a\nincl %ebx\n";
  const Found found = x86(text + "ret\n");
  EXPECT_EQ(found.bodies.size(), 1u);
}

TEST(Loops, OfManyHandlersThatJumpThroughOneTable) {
  std::string text = ".type f,@function\nf:\n", table;
  for (int i = 0; i < 500; ++i) {
    text += ".L" + std::to_string(i) + ":\nincl %eax\njmpq *.Lt(,%rax,8)\n";
    table += ".quad .L" + std::to_string(i) + "\n";
  }
  EXPECT_GE(x86(text + ".section .rodata\n.Lt:\n" + table).bodies.size(), 1u);
}

// ---- other targets -------------------------------------------------------------------------------------------------

TEST(Loops, OnAArch64) {
  for (const char *branch : {"b.ne a", "cbnz x0, a", "tbnz x0, #3, a", "b a"}) {
    const Parsed parsed(kAArch64, "neoverse-v2", std::string("nop\na:\nsubs x0, x0, #1\n") + branch + "\nret\n");
    EXPECT_EQ(loopsOf(parsed).bodies, (std::vector<Lines>{{3, 4}})) << branch;
  }
}

TEST(Loops, OnArmAReturnUnderAConditionEndsNothing) {
  const Parsed parsed("armv7-linux-gnueabihf", "cortex-a9", "a:\nsubs r0, r0, #1\nbxeq lr\nadd r1, r1, r0\nb a\n");
  EXPECT_EQ(loopsOf(parsed).bodies, (std::vector<Lines>{{2, 3, 4, 5}}));
  const Parsed popped("armv7-linux-gnueabihf", "cortex-a9", "a:\nsubs r0, r0, #1\npopeq {pc}\nadd r1, r1, r0\nb a\n");
  EXPECT_EQ(loopsOf(popped).bodies, (std::vector<Lines>{{2, 3, 4, 5}}));
}

TEST(Loops, OnThumb) {
  const Parsed parsed("thumbv7em-none-eabi", "cortex-m4", "a:\nsubs r0, #1\nbne a\nbx lr\n");
  EXPECT_EQ(loopsOf(parsed).bodies, (std::vector<Lines>{{2, 3}}));
  const Parsed compared("thumbv7em-none-eabi", "cortex-m4",
                        "b:\nadds r1, #1\nldr r0, [r0]\ncbz r0, out\nb b\nout:\nbx lr\n");
  EXPECT_EQ(loopsOf(compared).bodies, (std::vector<Lines>{{2, 3, 4, 5}}));
}

TEST(Loops, OnMipsWithTheDelaySlot) {
  const Parsed parsed("mipsel-linux-gnu", "p5600",
                      ".set noreorder\nnop\na:\nsubu $2, $2, $3\nbnez $2, a\nxor $4, $4, $2\njr $ra\nnop\n");
  EXPECT_EQ(loopsOf(parsed).bodies, (std::vector<Lines>{{4, 5, 6}}));
}

TEST(Loops, OnRiscv) {
  const Parsed parsed("riscv64-linux", "sifive-u74",
                      "a:\naddi a0, a0, -1\nbnez a0, a\nb:\naddi a1, a1, -1\nbgtz a1, b\nret\n");
  EXPECT_EQ(loopsOf(parsed).bodies, (std::vector<Lines>{{2, 3}, {5, 6}}));
}

TEST(Loops, OnPowerAndSystemZ) {
  const Parsed power("powerpc64le-linux-gnu", "pwr9", "a:\naddi 3, 3, -1\nbdnz a\nblr\n");
  EXPECT_EQ(loopsOf(power).bodies, (std::vector<Lines>{{2, 3}}));
  const Parsed z("s390x-linux-gnu", "z14", "a:\nagr %r2, %r3\nbrctg %r4, a\nbr %r14\n");
  EXPECT_EQ(loopsOf(z).bodies, (std::vector<Lines>{{2, 3}}));
}

TEST(Loops, ManyNestedOnesDoNotOverflow) {
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += "l" + std::to_string(i) + ":\nnop\n";
  for (int i = 1999; i >= 0; --i)
    text += "decl %eax\njne l" + std::to_string(i) + "\n";
  const Found found = x86(text);
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{4000, 4001, 4002}}));
}

} // namespace
} // namespace mca
