// Loop statements without a loop in the machine code, and those of which nothing may be said.
#include "analysis/regions/region.h"
#include "analysis/source_map/inline_scopes.h"
#include "tests/mca-core/parsed.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

using mca::kX86;
using mca::Parsed;
using Lines = std::vector<uint32_t>;

/// The lines of the statements that left no loop.
Lines vanished(const std::string &buffer, const std::string &assembly) {
  const Parsed parsed(kX86, "skylake",
                      ".file 0 \"/d\" \"a.cpp\"\n.type f,@function\n.type g,@function\nf:\n" + assembly);
  EXPECT_EQ(parsed.diagnostics(), mca::Strings{});
  const TextLines lines(buffer);
  const SourceMap map = SourceMap::ofSource(*parsed.program, lines, "/d/a.cpp", "/d", {});
  const LoopStatements statements(buffer, wire::Language::Cxx);
  SourceFacts facts{.markers = {}, .statements = &statements, .language = wire::Language::Cxx};
  facts.probability = [](uint32_t, uint32_t) { return std::nullopt; };
  Lines found;
  for (const uint32_t keyword : findSourceRegions({*parsed.target, *parsed.program}, map, facts, {}).vanished)
    found.push_back(lines.lineOf(keyword) + 1);
  return found;
}

std::string at(int line, const std::string &instruction) {
  return ".loc 0 " + std::to_string(line) + " 7\n" + instruction + "\n";
}

std::string inlined(int line, int call, const std::string &instruction) {
  const std::string place = std::to_string(line) + ":7 @[ a.cpp:" + std::to_string(call) + ":3 ]";
  return ".loc 0 " + std::to_string(line) + " 7 # a.cpp:" + place + "\n" + instruction + "\n";
}

std::string loop(const std::string &label, int head, int body) {
  return ".L" + label + ":\n" + at(body, "incl %eax") + at(head, "jne .L" + label);
}

const std::string kLoop = "void f() {\n"     // 1
                          "  a = 1;\n"       // 2
                          "  for (;;)\n"     // 3
                          "    a++;\n"       // 4
                          "}\n"              // 5
                          "void g() {\n"     // 6
                          "  f();\n"         // 7
                          "  while (b) {}\n" // 8
                          "}\n";

TEST(VanishedLoops, WereUnrolledOrBecameACall) {
  EXPECT_EQ(vanished(kLoop, at(4, "addl $8, %eax") + at(5, "ret")), Lines{3});
  EXPECT_EQ(vanished(kLoop, at(3, "call memset") + at(5, "ret")), Lines{3});
  EXPECT_EQ(vanished(kLoop, loop("a", 3, 4) + at(5, "ret")), Lines{});
}

TEST(VanishedLoops, WereRemovedWithAllOfTheirCode) {
  EXPECT_EQ(vanished(kLoop, at(2, "movl $1, %eax") + at(5, "ret")), Lines{3});
}

TEST(VanishedLoops, OfFunctionsThatWereNotCompiledAreNotKnown) {
  EXPECT_EQ(vanished(kLoop, at(4, "addl $8, %eax") + "ret\n"), Lines{3}) << "and not line 8";
  EXPECT_EQ(vanished(kLoop, "g:\n" + at(8, "nop") + "ret\n"), Lines{8}) << "and not line 3";
}

TEST(VanishedLoops, HaveNoneInAnyFunction) {
  const std::string inG = ".La:\n" + inlined(4, 7, "incl %eax") + inlined(3, 7, "jne .La");
  EXPECT_EQ(vanished(kLoop, at(4, "addl $8, %eax") + "ret\ng:\n" + inG + loop("b", 8, 8) + "ret\n"), Lines{});
  EXPECT_EQ(vanished(kLoop, "ret\ng:\n" + inlined(4, 7, "addl $8, %eax") + loop("b", 8, 8) + "ret\n"), Lines{3})
      << "inlined, and unrolled there";
}

TEST(VanishedLoops, ThatDirectivesLeftOutAreNotKnown) {
  const std::string none = at(2, "movl $1, %eax") + "ret\n";
  EXPECT_EQ(vanished("void f() {\n  a = 1;\n#if 0\n  for (;;)\n    a++;\n#endif\n  for (;;)\n    b++;\n}\n", none),
            Lines{7});
  EXPECT_EQ(vanished("void f() {\n  a = 1;\n#ifdef A\n  b();\n#else\n  for (;;)\n    a++;\n#endif\n}\n", none),
            Lines{});
  EXPECT_EQ(vanished("template <int N> void f() {\n  a = 1;\n  if constexpr (N)\n    for (;;)\n      a++;\n}\n", none),
            Lines{});
  EXPECT_EQ(vanished("#if A\nvoid f() {\n  a = 1;\n#ifdef B\n  for (;;)\n    a++;\n#endif\n}\n#endif\n",
                     at(6, "addl $8, %eax") + "ret\n"),
            Lines{5})
      << "its own code is there";
}

TEST(VanishedLoops, AreStatementsThatMayLoop) {
  const std::string code = at(2, "movl $1, %eax") + "ret\n";
  EXPECT_EQ(vanished("void f() {\n  do { a(); } while (0);\n  do { a(); } while( false ) ;\n}\n", code), Lines{});
  EXPECT_EQ(vanished("void f() {\n  do { a(); } while (b);\n}\n", code), Lines{2});
  EXPECT_EQ(vanished("void f() {\nagain:\n  if (a) goto again;\n}\n", code), Lines{});
  EXPECT_EQ(vanished("void f() {\n  LIST_FOR_EACH(x) {\n    a();\n  }\n}\n", code), Lines{});
}

// ---- nested --------------------------------------------------------------------------------------------------------

const std::string kNest = "void f() {\n"   // 1
                          "  for (;;) {\n" // 2
                          "    a++;\n"     // 3
                          "    for (;;)\n" // 4
                          "      b++;\n"   // 5
                          "  }\n"          // 6
                          "}\n";

TEST(VanishedLoops, InsideOfALoop) {
  EXPECT_EQ(vanished(kNest, ".La:\n" + at(3, "incl %eax") + at(5, "addl $8, %ebx") + at(2, "jne .La") + "ret\n"),
            Lines{4});
  EXPECT_EQ(vanished(kNest, at(3, "incl %eax") + at(5, "addl $8, %ebx") + "ret\n"), (Lines{2, 4}));
}

TEST(VanishedLoops, AroundALoopAreNotKnown) {
  EXPECT_EQ(vanished(kNest, at(3, "incl %eax") + loop("b", 4, 5) + "ret\n"), Lines{})
      << "only innermost loops are known";
}

TEST(VanishedLoops, InsideOfALoopWithSeveralWaysBackAreNotKnown) {
  const std::string both = ".La:\n" + at(3, "incl %eax") + at(5, "incl %ebx") + at(2, "jne .La") + at(2, "decl %ecx") +
                           at(2, "jne .La") + "ret\n";
  EXPECT_EQ(vanished(kNest, both), Lines{}) << "one of them may be the inner loop's";
}

TEST(VanishedLoops, WhoseCodeIsInAnotherCycleAreNotKnown) {
  // The inner statement's way back goes through the block that the outer one's iteration begins with.
  const std::string shared = at(3, "jmp .Lb") + ".La:\n" + at(5, "incl %ebx") + ".Lb:\n" + at(4, "cmpl $3, %ebx") +
                             at(4, "je .La") + at(3, "incl %eax") + at(2, "je .Lb") + at(2, "jne .La") + "ret\n";
  EXPECT_EQ(vanished(kNest, shared), Lines{});
}

TEST(VanishedLoops, ThatCatchExceptionsAreNotKnown) {
  const std::string buffer =
      "void f() {\n  while (true) {\n    try { return a(); }\n    catch (...) { b(); }\n  }\n}\n";
  const std::string code = ".La:\n" + at(3, "call a") + "ret\n.Lcatch:\n" + at(4, "call b") + at(2, "jmp .La");
  EXPECT_EQ(vanished(buffer, code), Lines{});
}

TEST(VanishedLoops, WithALoopOfAnUnknownStatementInTheFunctionAreNotKnown) {
  const std::string unknown = at(4, "addl $8, %eax") + ".loc 0 0 0\n.Lb:\nincl %ecx\njne .Lb\nret\n";
  EXPECT_EQ(vanished(kLoop, unknown), Lines{}) << "without a line";
  const std::string own = at(4, "addl $8, %eax") + ".Lb:\n" + at(2, "incl %ecx") + at(2, "jne .Lb") + "ret\n";
  EXPECT_EQ(vanished(kLoop, own), Lines{}) << "on a line without a statement";
}

TEST(VanishedLoops, AroundACallWithALoopAreNotKnown) {
  const std::string buffer = "void f() {\n  for (;;)\n    sort();\n}\n";
  const std::string code = ".La:\n.loc 0 1 1 # /nowhere/sort:3:5 @[ a.cpp:3:5 ]\nincl %eax\njne .La\n";
  EXPECT_EQ(vanished(buffer, at(2, "nop") + code + at(2, "jne .La") + "ret\n"), Lines{});
}

} // namespace
} // namespace analysis
