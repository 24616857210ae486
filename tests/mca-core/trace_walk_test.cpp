// Walks of traces over hand-written code: every token, and every error at its line and column of the trace.
#include "mca-core/trace/trace_walk.h"

#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

/// How often a branch was executed in a walk.
struct BranchCount {
  uint32_t instruction = 0;
  uint64_t executions = 0;
  uint64_t taken = 0;
};

struct WalkCounts {
  uint64_t instructions = 0;
  std::vector<BranchCount> branches; ///< those that were executed, in the order of the text
  std::optional<TraceError> error;   ///< the counts are those until there
};

/// Counts what a walk executes from here on, at most `limit` instructions.
WalkCounts countBranches(TraceWalk walk, const ProgramBranches &branches, uint64_t limit) {
  WalkCounts counts;
  std::vector<BranchCount> all(branches.size());
  TraceStep step;
  for (; counts.instructions < limit && walk.next(step); ++counts.instructions) {
    if (step.kind == BranchKind::None)
      continue;
    BranchCount &count = all[step.instruction];
    count.instruction = step.instruction;
    ++count.executions;
    count.taken += step.taken;
  }
  std::copy_if(all.begin(), all.end(), std::back_inserter(counts.branches),
               [](const BranchCount &one) { return one.executions > 0; });
  counts.error = walk.error();
  return counts;
}

struct Code : Parsed {
  Code(const std::string &triple, const std::string &cpu, std::string text)
      : Parsed(triple, cpu, std::move(text)), branches(*target, *program) {
    EXPECT_EQ(diagnostics(), Strings{});
  }
  ProgramBranches branches;
};

/// What a walk executed: the lines of the instructions; `+` after a taken branch, `-` after one that was not, `*` after
/// a branch to a function elsewhere. At the end the error: "2:5: message".
std::string walked(const Code &code, const std::string &trace, const SizeOf &sizeOf = {}) {
  auto read = readTrace(trace.starts_with('(') ? trace : "mcatrace 1\n" + trace);
  const auto place = [](const TraceError &error) {
    return std::to_string(error.position.line) + ":" + std::to_string(error.position.column) + ": " + error.message;
  };
  if (const auto *error = std::get_if<TraceError>(&read))
    return "unreadable: " + place(*error);
  const TraceText &text = std::get<TraceText>(read);
  const TokenTargets targets(code.branches, text, sizeOf);
  TraceWalk walk(targets, text.traces.empty() ? text.paths.at(0).path : text.traces.at(0));
  std::string result;
  TraceStep step;
  for (int i = 0; walk.next(step); ++i) {
    if (i == 1000)
      return result + "…";
    result += std::to_string(code.branches.lineOf(step.instruction));
    const bool isOutside = step.target != kNone && step.target >= BranchOutcome::kOutside;
    result += step.kind == BranchKind::None ? " " : isOutside ? "* " : step.taken ? "+ " : "- ";
  }
  EXPECT_FALSE(walk.next(step)) << "once at the end, always at the end";
  return result + (walk.error() ? place(*walk.error()) : "");
}

/// One loop with an `if`.
Code loop() {
  return {kX86, "skylake",
          "  .type kern, @function\n" // 1
          "kern:\n"
          "  xorl %eax, %eax\n" // 3
          ".L3:\n"
          "  testl %ecx, %ecx\n"
          "  jne .L5\n" // 6
          "  incl %eax\n"
          "  nop\n"
          ".L5:\n"
          "  decl %ecx\n" // 10
          "  jne .L3\n"
          "  ret\n"}; // 12
}

TEST(TraceWalk, ALoop) {
  EXPECT_EQ(walked(loop(), "trace kern: ENTRY .L5 .L3 . . RET"), "3 5 6+ 10 11+ 5 6- 7 8 10 11- 12+ ");
}

TEST(TraceWalk, EveryTokenOfAConditionalBranch) {
  const std::string taken = "3 5 6+ 10 11+ ", notTaken = "3 5 6- 7 8 10 11+ ";
  for (const std::string token : {"T", ".L5", "@9", "@10", "\".L5\""})
    EXPECT_EQ(walked(loop(), "trace kern: ENTRY " + token + " T"), taken) << token;
  for (const std::string token : {"N", ".", "FALLTHROUGH", "@7"})
    EXPECT_EQ(walked(loop(), "trace kern: ENTRY " + token + " T"), notTaken) << token;
}

TEST(TraceWalk, WhereATraceStarts) {
  EXPECT_EQ(walked(loop(), "trace kern: T"), "3 5 6+ ") << "ENTRY was left out";
  EXPECT_EQ(walked(loop(), "trace kern: kern T"), "3 5 6+ ");
  EXPECT_EQ(walked(loop(), "trace kern: .L3 T"), "5 6+ ");
  EXPECT_EQ(walked(loop(), "trace .L5: ENTRY T"), "10 11+ ") << "any label is a function here";
  EXPECT_EQ(walked(loop(), "trace kern: @7 T"), "7 8 10 11+ ");
  EXPECT_EQ(walked(loop(), "trace (.L3 T)x2"), "5 6+ 10 11+ 5 6+ ") << "the second .L3 is the branch in line 11";
  EXPECT_EQ(walked(loop(), "path kern 7: .L3 . .L3"), "5 6- 7 8 10 11+ ");
  EXPECT_EQ(walked(loop(), "trace kern: ENTRY"), "") << "no branch";
}

TEST(TraceWalk, TheTupleOfTheProposal) {
  const Code code(kX86, "skylake", "  movl $3, %ecx\nbb1:\n  decl %ecx\n  jne bb1\n  ret\n");
  EXPECT_EQ(walked(code, "(ENTRY, bb1, bb1, bb1, FALLTHROUGH)"), "1 3 4+ 3 4+ 3 4+ 3 4- ");
}

TEST(TraceWalk, RepeatsAreNested) {
  EXPECT_EQ(walked(loop(), "trace kern: ((T .L3)x2 N T)x2 T N RET"),
            "3 5 6+ 10 11+ 5 6+ 10 11+ 5 6- 7 8 10 11+ 5 6+ 10 11+ 5 6+ 10 11+ 5 6- 7 8 10 11+ 5 6+ 10 11- 12+ ");
  EXPECT_EQ(walked(loop(), "trace kern: T x3"), "3 5 6+ 10 11+ 5 6+ ");
}

TEST(TraceWalk, AFunctionThatIsCalledAgain) {
  EXPECT_EQ(walked(loop(), "trace kern: (ENTRY T . RET)x2"), "3 5 6+ 10 11- 12+ 3 5 6+ 10 11- 12+ ");
  EXPECT_EQ(walked(loop(), "trace kern: (ENTRY T . RET)x2 ENTRY"), "3 5 6+ 10 11- 12+ 3 5 6+ 10 11- 12+ ");
  EXPECT_EQ(walked(loop(), "trace kern: T . RET T"), "3 5 6+ 10 11- 2:21: the trace is out of its function after "
                                                     "line 12: expected `ENTRY` or the end, found `T`")
      << "the return itself is not walked";
}

TEST(TraceWalk, Offsets) {
  // testl 2, jne 2, incl 2, nop 1, decl 2, jne 2, ret 1, and xorl 2 before
  const SizeOf sizes = [](uint32_t instruction) { return std::vector<uint32_t>{2, 2, 2, 2, 1, 2, 2, 1}[instruction]; };
  EXPECT_EQ(walked(loop(), "trace kern: kern+0x2 .L3+0x7 T", sizes), "5 6+ 10 11+ ");
  EXPECT_EQ(walked(loop(), "trace kern: .L3+0x4 .L3", sizes), "7 8 10 11+ ");
  EXPECT_EQ(walked(loop(), "trace kern: .L3+0x3 T", sizes), "3 5 2:13: no instruction starts at `.L3+0x3`");
  EXPECT_EQ(walked(loop(), "trace kern: .L3+0xffffffffff T", sizes),
            "3 5 2:13: no instruction starts at `.L3+0xffffffffff`");
  EXPECT_EQ(walked(loop(), "trace kern: .L3+0x4 T"),
            "3 5 2:13: `.L3+0x4` has an offset, but the sizes of the instructions are not known");
}

TEST(TraceWalk, OffsetsStayInTheirSection) {
  const Code code(
      kX86, "skylake",
      "f:\n  nop\n  .section .text.b,\"ax\",@progbits\ng:\n  nop\n  .text\n  nop\n.La:\n  jne .La\n  ret\n");
  const SizeOf sizes = [](uint32_t instruction) { return instruction == 3 ? 2 : 1; };
  EXPECT_EQ(walked(code, "trace f: f+0x1 T", sizes), "7 9+ ");
  EXPECT_EQ(walked(code, "trace f: f+0x2 T", sizes), "9+ ");
  EXPECT_EQ(walked(code, "trace f: f T f+0x4", sizes), "2 7 9+ 9- ");
  EXPECT_EQ(walked(code, "trace f: f g+0x1", sizes), "2 7 2:12: no instruction starts at `g+0x1`");
}

TEST(TraceWalk, TokensThatAreNoSuccessors) {
  EXPECT_EQ(walked(loop(), "trace kern: ENTRY\ntrace kern: T"), "");
  EXPECT_EQ(walked(loop(), "trace kern: T .L5"), "3 5 6+ 10 2:15: `.L5` is not a successor of the branch in line 11");
  EXPECT_EQ(walked(loop(), "trace kern: @10 .L3 (T\n @8)"),
            "10 11+ 5 6+ 10 3:2: `@8` is not a successor of the branch in line 11");
  EXPECT_EQ(walked(loop(), "trace kern: .L9"), "3 5 2:13: `.L9` is not a label of the assembly text");
  EXPECT_EQ(walked(loop(), "trace kern: ENTRY .L9"), "3 5 2:19: `.L9` is not a label of the assembly text");
  EXPECT_EQ(walked(loop(), "trace kern: T @99"),
            "3 5 6+ 10 2:15: the assembly text has no instruction in line 99 or after it");
  EXPECT_EQ(walked(loop(), "trace kern: T 0x401000"),
            "3 5 6+ 10 2:15: `0x401000` is an address of a binary: expected a label of the assembly text");
  EXPECT_EQ(walked(loop(), "trace kern: T RET"),
            "3 5 6+ 10 2:15: expected a successor of the branch in line 11, found `RET`");
  EXPECT_EQ(walked(loop(), "trace kern: T ENTRY"),
            "3 5 6+ 10 2:15: expected a successor of the branch in line 11, found `ENTRY`");
  EXPECT_EQ(walked(loop(), "trace kern: T . T"),
            "3 5 6+ 10 11- 2:17: expected `RET` for the return in line 12, found `T`");
  EXPECT_EQ(walked(loop(), "trace kern: (T T)x2 N (N)x3"),
            "3 5 6+ 10 11+ 5 6+ 10 11+ 5 6- 7 8 10 11- 2:24: expected `RET` for the return in line 12, found `N`")
      << "the error is where it happens, not where the repeat starts";
}

TEST(TraceWalk, FunctionsThatAreNotThere) {
  EXPECT_EQ(walked(loop(), "trace other: T"), "2:1: the assembly text has no function `other`");
  const Code two(kX86, "skylake",
                 "  .type f, @function\n  .type g, @function\nf:\n  ret\ng:\n.L1:\n  jne .L1\n  ret\n");
  EXPECT_EQ(walked(two, "trace f: .L1 T"), "2:10: expected `RET` for the return in line 4, found `.L1`");
  EXPECT_EQ(walked(two, "trace g: .L1 T"), "7+ ");
  EXPECT_EQ(walked(two, "trace .L1 T . RET"), "unreadable: 2:11: expected `:`, found `T`");
  EXPECT_EQ(walked(two, "trace (@7 T N RET ENTRY)"), "7+ 7- 8+ ");
  EXPECT_EQ(walked(Code(kX86, "skylake", "  .data\n"), "trace f: T"), "2:1: the assembly text has no instructions");
}

TEST(TraceWalk, WhereCodeEnds) {
  const Code code(kX86, "skylake", ".L1:\n  jne .L1\n  nop\n");
  EXPECT_EQ(walked(code, "trace: T N"), "2+ 2- ");
  EXPECT_EQ(walked(code, "trace: T N T"), "2+ 2- 3 2:12: the code ends after line 3, but the trace goes on");
  const Code trap(kX86, "skylake", "  jne .L1\n  ud2\n.L1:\n  jne .L1\n");
  EXPECT_EQ(walked(trap, "trace: N"), "1- ");
  EXPECT_EQ(walked(trap, "trace: N T"), "1- 2:10: execution ends in line 2, but the trace goes on");
  EXPECT_EQ(walked(trap, "trace: T N"), "1+ 4- ");
  EXPECT_EQ(walked(trap, "trace: T N T"), "1+ 4- 2:12: the code ends after line 4, but the trace goes on");
}

TEST(TraceWalk, JumpsTakeNoToken) {
  const Code code(kX86, "skylake", ".L1:\n  decl %ecx\n  jmp .L2\n.L3:\n  ret\n.L2:\n  jne .L1\n  jmp .L3\n");
  EXPECT_EQ(walked(code, "trace: T N RET"), "2 3+ 7+ 2 3+ 7- 8+ 5+ ");
}

TEST(TraceWalk, TailCallsOfARecursionAreNoLoop) {
  const Code code(kX86, "skylake", "  .type f, @function\nf:\n  je .Lb\n  call f\n  jmp ext\n.Lb:\n  ret\n");
  EXPECT_EQ(walked(code, "trace f: ENTRY . f . f T RET ENTRY T RET"), "3- 4+ 3- 4+ 3+ 7+ 5+ 5+ 3+ 7+ ")
      << "each level returns by a jump";
}

TEST(TraceWalk, NamesThatBeginWithAnX) {
  const Code code(kX86, "skylake", "  .type f, @function\nf:\n  call x264_sad\n  ret\n");
  EXPECT_EQ(walked(code, "trace f: ENTRY x264_sad RET"), "3* 4+ ");
}

TEST(TraceWalk, LoopsThatNeverMeetAToken) {
  std::string chain = "f:\n  jne .L0\n.L0:\n"; // not all in the order of the text, and the last one jumps back
  for (int i = 0; i < 100; ++i)
    chain += "  jmp .L" +
             std::to_string(i < 50   ? i + 50
                            : i < 99 ? i - 49
                                     : 1) +
             "\n.L" + std::to_string(i + 1) + ":\n";
  EXPECT_NE(walked(Code(kX86, "skylake", chain + "  nop\n"), "trace: T T").find("is in a loop"), std::string::npos);
  const Code code(kX86, "skylake", "  jne .L2\n.L1:\n  nop\n  jmp .L1\n.L2:\n  jmp .L2\n");
  EXPECT_EQ(walked(code, "trace: N T"),
            "1- 3 4+ 3 2:10: the jump in line 4 is in a loop without a branch that takes a token");
  EXPECT_EQ(walked(code, "trace: T T"),
            "1+ 6+ 2:10: the jump in line 6 is in a loop without a branch that takes a token");
  const Code unknown(kX86, "skylake", "  jmp .Lnone\n  jmp foo+4\n");
  EXPECT_EQ(walked(unknown, "trace: T"), "2:8: the target of the jump in line 1 is not a label of the assembly text");
  EXPECT_EQ(walked(unknown, "trace: @2 T"),
            "2:11: the target of the jump in line 2 is not a label of the assembly text");
}

// ---- calls ---------------------------------------------------------------------------------------------------------

/// `f` calls `g` twice and a function elsewhere.
Code calls() {
  return {kX86, "skylake",
          "  .type f, @function\n  .type g, @function\n" // 1
          "f:\n"
          "  call g\n" // 4
          "  call puts@PLT\n"
          "  call g\n"
          "  ret\n" // 7
          "g:\n"
          "  testl %eax, %eax\n"
          "  je .L1\n" // 10
          "  call g\n"
          ".L1:\n"
          "  ret\n"}; // 13
}

TEST(TraceWalk, CallsAreFollowed) {
  EXPECT_EQ(walked(calls(), "trace f: ENTRY g T RET puts g T RET RET"), "4+ 9 10+ 13+ 5* 6+ 9 10+ 13+ 7+ ");
  EXPECT_EQ(walked(calls(), "trace g: T RET"), "9 10+ 13+ ") << "the callee alone";
}

TEST(TraceWalk, Recursion) {
  EXPECT_EQ(walked(calls(), "trace f: g N (g N)x2 g T RET x4 puts"),
            "4+ 9 10- 11+ 9 10- 11+ 9 10- 11+ 9 10+ 13+ 13+ 13+ 13+ 5* ");
  EXPECT_EQ(walked(calls(), "trace g: (N g)x2 T RET x4"),
            "9 10- 11+ 9 10- 11+ 9 10+ 13+ 13+ 2:20: the trace is out of its function after line 13: expected "
            "`ENTRY` or the end, found `RET`");
}

TEST(TraceWalk, WrongCalls) {
  EXPECT_EQ(walked(calls(), "trace f: f"), "") << "only a start";
  EXPECT_EQ(walked(calls(), "trace f: ENTRY f"), "2:16: the call in line 4 calls `g`, not `f`");
  EXPECT_EQ(walked(calls(), "trace f: ENTRY puts"), "2:16: the call in line 4 calls `g`, not `puts`");
  EXPECT_EQ(walked(calls(), "trace f: ENTRY T"), "2:16: the call in line 4 calls `g`, not `T`");
  EXPECT_EQ(walked(calls(), "trace f: ENTRY RET"), "2:16: the call in line 4 calls `g`, not `RET`");
  EXPECT_EQ(walked(calls(), "trace f: ENTRY .Lx"), "2:16: `.Lx` is not a label of the assembly text");
  EXPECT_EQ(walked(calls(), "trace f: g T RET gets"), "4+ 9 10+ 13+ 2:18: the call in line 5 calls `puts`, not `gets`");
  EXPECT_EQ(walked(calls(), "trace f: g T T"), "4+ 9 10+ 2:14: expected `RET` for the return in line 13, found `T`");
}

TEST(TraceWalk, CallsAreBounded) {
  const auto read = readTrace("mcatrace 1\ntrace g: (N g)x2000000000\n");
  const TraceText &text = std::get<TraceText>(read);
  const Code code = calls();
  const TokenTargets targets(code.branches, text);
  const WalkCounts counts = countBranches(TraceWalk(targets, text.traces[0]), code.branches, ~0ull);
  ASSERT_TRUE(counts.error);
  EXPECT_EQ(counts.error->message, "the call in line 11 is nested deeper than 1048576 calls");
}

TEST(TraceWalk, IndirectCalls) {
  const Code code(kX86, "skylake", "  .type g, @function\nf:\n  call *%rax\n  ret\ng:\n  nop\n  ret\n");
  EXPECT_EQ(walked(code, "trace f: ENTRY g RET RET"), "3+ 6 7+ 4+ ");
  EXPECT_EQ(walked(code, "trace f: ENTRY puts RET"), "3* 4+ ");
  EXPECT_EQ(walked(code, "trace f: ENTRY @7"), "2:16: expected the function that the call in line 3 calls, found `@7`");
  EXPECT_EQ(walked(code, "trace f: ENTRY T"), "2:16: expected the function that the call in line 3 calls, found `T`");
  EXPECT_EQ(walked(code, "trace f: ENTRY .Lx"), "2:16: `.Lx` is not a label of the assembly text");
}

TEST(TraceWalk, TailCalls) {
  const Code code(kX86, "skylake",
                  "f:\n  call g\n  ret\ng:\n  jne puts\n  je .L1\n  jmp puts\n.L1:\n  jmp *%rax\n  nop\n");
  EXPECT_EQ(walked(code, "trace f: ENTRY g T RET"), "2+ 5* 3+ ") << "a conditional one";
  EXPECT_EQ(walked(code, "trace f: ENTRY g puts RET"), "2+ 5* 3+ ");
  EXPECT_EQ(walked(code, "trace f: ENTRY g N N RET"), "2+ 5- 6- 7+ 3+ ");
  EXPECT_EQ(walked(code, "trace f: ENTRY g N T gets RET"), "2+ 5- 6+ 9* 3+ ");
  EXPECT_EQ(walked(code, "trace g: N T gets ENTRY N"), "5- 6+ 9* 5- ") << "there is no caller";
  EXPECT_EQ(walked(code, "trace g: N T gets N"), "5- 6+ 2:19: the trace is out of its function after line 9: expected "
                                                 "`ENTRY` or the end, found `N`");
}

TEST(TraceWalk, CallsOfTheNextInstructionOnlyPushAnAddress) {
  const Code code("i386-unknown-linux-gnu", "skylake", "f:\n  call .L0\n.L0:\n  popl %ebx\n  jne f\n  ret\n");
  EXPECT_EQ(walked(code, "trace f: ENTRY .L0 N RET ENTRY"), "2+ 4 5- 6+ ");
}

// ---- indirect jumps ------------------------------------------------------------------------------------------------

TEST(TraceWalk, JumpTables) {
  const Code code(kX86, "skylake",
                  "f:\n  jmp *.LJTI0_0(,%rdi,8)\n.La:\n  nop\n.Lb:\n  ret\n.Lc:\n  ret\n"
                  "  .section .rodata\n.LJTI0_0:\n  .quad .Lb\n  .quad .La\n");
  EXPECT_EQ(walked(code, "trace f: ENTRY .La RET"), "2+ 4 6+ ");
  EXPECT_EQ(walked(code, "trace f: (ENTRY @6 RET)x2"), "2+ 6+ 2+ 6+ ");
  EXPECT_EQ(walked(code, "trace f: ENTRY .Lc"), "2:16: `.Lc` is not a successor of the indirect jump in line 2");
  EXPECT_EQ(walked(code, "trace f: ENTRY puts"), "2:16: `puts` is not a label of the assembly text");
  EXPECT_EQ(walked(code, "trace f: ENTRY T"), "2:16: expected a successor of the indirect jump in line 2, found `T`");
  EXPECT_EQ(walked(code, "trace f: ENTRY ."), "2:16: expected a successor of the indirect jump in line 2, found `.`");
}

TEST(TraceWalk, IndirectJumpsWithoutATable) {
  const Code code(kX86, "skylake", "f:\n  jmp *%rax\n.La:\n  nop\n  nop\n.Lb:\n  ret\n");
  EXPECT_EQ(walked(code, "trace f: ENTRY .Lb RET"), "2+ 7+ ");
  EXPECT_EQ(walked(code, "trace f: ENTRY @5"), "2:16: `@5` is not a successor of the indirect jump in line 2");
  EXPECT_EQ(walked(code, "trace f: ENTRY .Lx"), "2:16: `.Lx` is not a label of the assembly text");
}

TEST(TraceWalk, TargetsElsewhereAreToldApart) {
  const Code code(kX86, "skylake", "f:\n  call *%rax\n  jmp f\n");
  const auto read = readTrace("mcatrace 1\ntrace f: ENTRY puts gets puts");
  const TraceText &text = std::get<TraceText>(read);
  const TokenTargets targets(code.branches, text);
  TraceWalk walk(targets, text.traces[0]);
  std::vector<uint32_t> seen;
  for (TraceStep step; walk.next(step);)
    if (step.kind == BranchKind::IndirectCall)
      seen.push_back(step.target);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0], seen[2]);
  EXPECT_NE(seen[0], seen[1]);
}

// ---- other targets -------------------------------------------------------------------------------------------------

TEST(TraceWalk, AArch64) {
  const Code code(kAArch64, "cortex-a72",
                  "f:\n  cbz x0, .L2\n.L1:\n  subs x0, x0, #1\n  tbnz x1, #3, .L2\n  b.ne .L1\n.L2:\n  bl g\n  ret\n"
                  "g:\n  br x16\n.L3:\n  ret\n");
  EXPECT_EQ(walked(code, "trace f: ENTRY . (N .L1)x2 .L2 g .L3 RET RET"), "2- 4 5- 6+ 4 5- 6+ 4 5+ 8+ 11+ 13+ 9+ ");
  EXPECT_EQ(walked(code, "trace f: ENTRY .L1"), "2- ") << "the label after the branch";
}

TEST(TraceWalk, Riscv) {
  const Code code(
      kRiscv, "sifive-u74",
      "f:\n  li a1, 3\n.L1:\n  addi a1, a1, -1\n  beqz a0, .L2\n  bnez a1, .L1\n.L2:\n  call g\n  tail puts\n"
      "g:\n  ret\n");
  EXPECT_EQ(walked(code, "trace f: ENTRY (. T)x2 .L2 g RET ENTRY T"), "2 4 5- 6+ 4 5- 6+ 4 5+ 8+ 11+ 9+ 2 4 5+ ");
}

TEST(TraceWalk, PredicatedOnArm) {
  const Code code("armv7-unknown-linux-gnueabihf", "cortex-a57",
                  "f:\n  cmp r0, #0\n  blne g\n  bxeq lr\n  b f\ng:\n  pop {r4, pc}\n");
  EXPECT_EQ(walked(code, "trace f: ENTRY g RET N . RET"), "2 3+ 7+ 4- 5+ 2 3- 4+ ");
}

TEST(TraceWalk, DelaySlots) {
  const Code code("mips-linux-gnu", "mips32r2",
                  ".set noreorder\nf:\n  bnez $4, f\n  addiu $4, $4, -1\n  jr $31\n  nop\n");
  EXPECT_EQ(walked(code, "trace f: ENTRY T N RET"), "3+ 4 3- 4 5+ 6 ");
}

// ---- noise ---------------------------------------------------------------------------------------------------------

TEST(TraceWalk, RandomTokensEndTheWalk) {
  const Code codes[] = {loop(), calls()};
  const std::string pieces[] = {"T ",   "N ",   ". ",  "RET ", "ENTRY ", "g ", "puts ", ".L1 ",
                                ".L3 ", ".L5 ", "@7 ", "@9 ",  "x3 ",    "(",  ")x2 ",  ".L3+0x2 "};
  uint32_t state = 1, understood = 0, complete = 0;
  const auto random = [&](size_t below) { return (state = state * 1664525 + 1013904223) / 65536 % below; };
  for (int round = 0; round < 20000; ++round) {
    std::string trace = round % 2 ? "trace kern: " : "trace f: ";
    for (size_t length = random(8) + 1; length-- > 0;)
      trace += pieces[random(std::size(pieces))];
    const std::string result = walked(codes[round % 2 ? 0 : 1], trace);
    understood += !result.starts_with("unreadable");
    complete += result.find(':') == std::string::npos;
    EXPECT_EQ(result.find("…"), std::string::npos) << trace;
  }
  EXPECT_GT(understood, 5000u);
  EXPECT_GT(complete, 500u);
}

// ---- counts and speed ----------------------------------------------------------------------------------------------

TEST(TraceWalk, CountsOfEachBranch) {
  const Code code = loop();
  const auto read = readTrace("mcatrace 1\ntrace kern: (ENTRY (T T . T)x10 T N RET)x5");
  const TraceText &text = std::get<TraceText>(read);
  const TokenTargets targets(code.branches, text);
  const TraceWalk walk(targets, text.traces[0]);
  const WalkCounts counts = countBranches(walk, code.branches, 1 << 20);
  EXPECT_FALSE(counts.error);
  ASSERT_EQ(counts.branches.size(), 3u);
  const auto shown = [&](size_t i) {
    const BranchCount &one = counts.branches[i];
    return std::to_string(code.branches.lineOf(one.instruction)) + " " + std::to_string(one.executions) + " " +
           std::to_string(one.taken);
  };
  EXPECT_EQ(shown(0), "6 105 55");
  EXPECT_EQ(shown(1), "11 105 100");
  EXPECT_EQ(shown(2), "12 5 5");
  EXPECT_EQ(counts.instructions, 5u * (1 + 21 * 4 + 10 * 2 + 1));
  EXPECT_EQ(countBranches(walk, code.branches, 7).instructions, 7u) << "a copy of the walk, up to the limit";
}

TEST(TraceWalk, TenMillionInstructions) {
  const Code code = loop();
  const auto read = readTrace("mcatrace 1\ntrace kern: ENTRY (T T . .L3)x1000000");
  const TraceText &text = std::get<TraceText>(read);
  const TokenTargets targets(code.branches, text);
  EXPECT_EQ(text.nodes.size(), 6u);
  const WalkCounts counts = countBranches(TraceWalk(targets, text.traces[0]), code.branches, ~0ull);
  EXPECT_FALSE(counts.error);
  EXPECT_EQ(counts.instructions, 10000001u);
  ASSERT_EQ(counts.branches.size(), 2u);
  EXPECT_EQ(counts.branches[0].executions, 2000000u);
  EXPECT_EQ(counts.branches[0].taken, 1000000u);
}

} // namespace
} // namespace mca
