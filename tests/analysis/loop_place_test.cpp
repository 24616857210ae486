// Where loops of machine code stand in the source: at their statement, at the call that brought them, or nowhere.
#include "analysis/regions/function_names.h"
#include "analysis/regions/loop_place.h"
#include "analysis/source_map/inline_scopes.h"
#include "tests/analysis/compile/temp_folder.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

using mca::Parsed;
using mca::Strings;

const std::string kFiles = ".file 0 \"/d\" \"a.cpp\"\n.file 1 \"/usr/include\" \"vector\"\n";

/// A `.loc` with the inline stack in its comment, as clang writes it.
std::string loc(const std::string &stack) {
  return ".loc 0 1 1 # " + stack + "\n";
}

/// A loop of one block, its branch at `latch`.
std::string loop(const std::string &label, const std::string &body, const std::string &latch) {
  return label + ":\n" + loc(body) + "incl %eax\n" + loc(latch) + "jne " + label + "\n";
}

/// Of each innermost loop "LINE (FIRST-LAST)", by lines of the buffer; " call" when it stands elsewhere, " in
/// CALL-LINE" when it was inlined from there; "-" without a place.
Strings places(const std::string &buffer, const std::string &assembly) {
  const Parsed parsed(mca::kX86, "skylake", ".type f,@function\nf:\n" + kFiles + assembly);
  EXPECT_EQ(parsed.diagnostics(), Strings{}) << assembly;
  const TextLines lines(buffer);
  const SourceMap map = SourceMap::ofSource(*parsed.program, lines, "/d/a.cpp", "/d", {});
  const LoopStatements statements(buffer, wire::Language::Cxx);
  SourceFiles files(map, wire::Language::Cxx);
  const FunctionNames functions(*parsed.program);
  Strings result;
  for (const mca::Loop &one : mca::findInnermostLoops({*parsed.target, *parsed.program})) {
    const auto place = placeLoop(one, {map, statements, files}, functions.startOf(one.instructions.front()),
                                 static_cast<uint32_t>(parsed.program->instructions().size()));
    if (!place) {
      result.push_back("-");
      continue;
    }
    const auto line = [&](uint32_t offset) { return std::to_string(lines.lineOf(offset) + 1); };
    std::string text = line(place->anchor) + " (" + line(place->at.begin) + "-" + line(place->at.end) + ")";
    text += place->atCall ? " call" : "";
    if (!place->atCall && place->caller != SourceMap::kNoFrame)
      text += " in " + std::to_string(map.frame(place->caller).inBuffer.line);
    for (const uint32_t instruction : one.instructions)
      EXPECT_LE(lineInLoop(map, *place, instruction), lines.count());
    result.push_back(text);
  }
  return result;
}

const std::string kTwoLoops = "void f() {\n"
                              "  for (int i = 0;\n"
                              "       i < n; ++i) {\n"
                              "    a();\n"
                              "    while (b)\n"
                              "      c();\n"
                              "  }\n"
                              "}\n";

TEST(LoopPlace, IsTheInnermostStatement) {
  EXPECT_EQ(places(kTwoLoops, loop(".L1", "a.cpp:6:7", "a.cpp:5:5")), (Strings{"5 (5-6)"}));
  EXPECT_EQ(places(kTwoLoops, loop(".L1", "a.cpp:4:5", "a.cpp:3:8")), (Strings{"2 (2-7)"}));
}

TEST(LoopPlace, OfSeveralStatementsIsWhereTheBranchBackStands) {
  EXPECT_EQ(places(kTwoLoops, ".L1:\n" + loc("a.cpp:4:5") + "incl %eax\n" + loc("a.cpp:6:7") + "incl %ebx\n" +
                                  loc("a.cpp:3:16") + "jne .L1\n"),
            (Strings{"2 (2-7)"}));
}

TEST(LoopPlace, OnOneLineIsToldByColumns) {
  const std::string buffer = "for (;;) { a(); while (b) c(); }\n";
  EXPECT_EQ(places(buffer, loop(".L1", "a.cpp:1:27", "a.cpp:1:17") + loop(".L2", "a.cpp:1:12", "a.cpp:1:1")),
            (Strings{"1 (1-1)", "1 (1-1)"}));
}

TEST(LoopPlace, WithoutAStatementIsItsLines) {
  EXPECT_EQ(places("int a[9];\nvoid f() {\n  init();\n\n}\n", loop(".L1", "a.cpp:3:3", "a.cpp:3:3")),
            (Strings{"3 (3-3)"}));
}

TEST(LoopPlace, OfGoto) {
  EXPECT_EQ(places("void f() {\nagain:\n  a();\n  if (b) goto again;\n}\n", loop(".L1", "a.cpp:3:3", "a.cpp:4:7")),
            (Strings{"2 (2-4)"}));
}

TEST(LoopPlace, OfGotoIsInItsFunction) {
  const std::string buffer = "int f() {\n  goto fail;\nfail:\n  return 1;\n}\n"
                             "int g(int a) {\n  if (a)\n    return g(a - 1);\n  return 0;\n}\n"
                             "int h() {\n  goto fail;\nfail:\n  return 2;\n}\n";
  EXPECT_EQ(places(buffer, loop(".L1", "a.cpp:7:7", "a.cpp:8:12")), (Strings{"8 (7-8)"}));
}

TEST(LoopPlace, OfATailRecursionIsItsCall) {
  const std::string buffer =
      "int g(int a, int b) {\n  if (!b)\n    return a;\n  b++;\n  return g(b,\n           a % b);\n}\n";
  EXPECT_EQ(places(buffer, loop(".L1", "a.cpp:6:14", "a.cpp:5:10")), (Strings{"5 (5-6)"})) << "the branch back's line";
  EXPECT_EQ(places(buffer, loop(".L1", "a.cpp:5:10", "a.cpp:2:7")), (Strings{"5 (2-5)"})) << "rotated";
  EXPECT_EQ(places(buffer, loop(".L1", "a.cpp:4:4", "a.cpp:2:7")), (Strings{"2 (2-4)"})) << "no code of the call";
}

TEST(LoopPlace, OfATailRecursionInsideAnotherLoopIsItsCall) {
  const std::string buffer = "static int g(int a) {\n  if (a > 9)\n    return a;\n  return g(a * 2);\n}\n"
                             "void f() {\n  for (;;)\n    h(g(i));\n}\n";
  EXPECT_EQ(places(buffer, loop(".L1", "a.cpp:2:7 @[ a.cpp:8:7 ]", "a.cpp:4:10 @[ a.cpp:8:7 ]")),
            (Strings{"4 (2-4) in 8"}));
  EXPECT_EQ(places(buffer, loop(".L1", "a.cpp:2:7 @[ a.cpp:8:7 ]", "a.cpp:7:3")), (Strings{"7 (7-8)"}))
      << "the branch back is the other loop's";
}

TEST(LoopPlace, InALambdaIsNotTheStatementAroundIt) {
  const std::string buffer = "void f() {\n  for (;;)\n    run([&] {\n      fill();\n    });\n}\n";
  EXPECT_EQ(places(buffer, loop(".L1", "a.cpp:4:7", "a.cpp:4:7")), (Strings{"4 (4-4)"}));
}

TEST(LoopPlace, WithoutAStatementHasNoLinesOfOtherFunctions) {
  const std::string buffer = "void f() {\n  init();\n}\nvoid g() {\n  init();\n  more();\n}\n";
  EXPECT_EQ(places(buffer, ".L1:\n" + loc("a.cpp:2:3") + "incl %eax\n" + loc("a.cpp:5:3") + "incl %ebx\n" +
                               loc("a.cpp:6:3") + "incl %ecx\n" + loc("a.cpp:5:3") + "jne .L1\n"),
            (Strings{"5 (5-6)"}));
}

TEST(LoopPlace, ColumnsBeyondTheLineAreItsEnd) {
  EXPECT_EQ(places(kTwoLoops, loop(".L1", "a.cpp:6:9999", "a.cpp:5:4294967295")), (Strings{"5 (5-6)"}));
  EXPECT_EQ(places(kTwoLoops, loop(".L1", "a.cpp:99:1", "a.cpp:99:1")), (Strings{"-"})) << "nor lines beyond the text";
  EXPECT_EQ(places(kTwoLoops, loop(".L1", "a.cpp:6:0", "a.cpp:6:0")), (Strings{"5 (5-6)"}));
}

TEST(LoopPlace, InAnEmptyBuffer) {
  EXPECT_EQ(places("", loop(".L1", "a.cpp:1:1", "a.cpp:1:1")), (Strings{"1 (1-1)"}));
  EXPECT_EQ(places("", loop(".L1", "vector:1:1", "vector:1:1")), (Strings{"-"}));
}

TEST(LoopPlace, WithoutLinesIsNone) {
  EXPECT_EQ(places(kTwoLoops, ".L1:\nincl %eax\njne .L1\n"), (Strings{"-"}));
  EXPECT_EQ(places(kTwoLoops, loop(".L1", "a.cpp:0:0", "a.cpp:0:0")), (Strings{"-"}));
}

TEST(LoopPlace, WithTheLineEndsOfWindows) {
  EXPECT_EQ(places("void f() {\r\n  for (;;)\r\n    a();\r\n}\r\n", loop(".L1", "a.cpp:3:5", "a.cpp:2:3")),
            (Strings{"2 (2-3)"}));
}

TEST(LoopPlace, BehindLineDirectives) {
  EXPECT_EQ(places("#line 100 \"x.y\"\nfor (;;)\n  a();\n", loop(".L1", "x.y:101:3", "x.y:100:1")),
            (Strings{"2 (2-3)"}));
}

TEST(LoopPlace, InAnAlternativeOfThePreprocessor) {
  const std::string buffer = "void f() {\n#if A\n  for (;;) {\n#else\n  while (1) {\n#endif\n    a();\n  }\n}\n";
  EXPECT_EQ(places(buffer, loop(".L1", "a.cpp:7:5", "a.cpp:3:3")), (Strings{"3 (3-8)"}));
}

// ---- inlined calls -------------------------------------------------------------------------------------------------

TEST(LoopPlace, OfAnInlinedFunctionOfTheBuffer) {
  const std::string buffer = "void g() {\n  for (;;)\n    a();\n}\nvoid f() {\n  g();\n}\n";
  EXPECT_EQ(places(buffer, loop(".L1", "a.cpp:3:5 @[ a.cpp:6:3 ]", "a.cpp:2:3 @[ a.cpp:6:3 ]")),
            (Strings{"2 (2-3) in 6"}));
}

TEST(LoopPlace, OfAHeadersCodeInTheBuffersLoop) {
  EXPECT_EQ(places(kTwoLoops, ".L1:\n" + loc("/usr/include/vector:9:1 @[ a.cpp:6:7 ]") + "incl %eax\nincl %ebx\n" +
                                  loc("a.cpp:5:5") + "jne .L1\n"),
            (Strings{"5 (5-6)"}));
}

class LoopPlaceInHeader : public testing::Test {
protected:
  /// The header's loop stands on its lines 2 and 3.
  std::string stack(const std::string &place, const std::string &calls = "") const {
    return header_ + ":" + place + (calls.empty() ? "" : " @[ " + calls + " ]");
  }

  TempFolder folder_;
  std::string header_ = folder_.write("h.h", "template <class T> void g(T t) {\n  for (;;)\n    t();\n}\n");
};

TEST_F(LoopPlaceInHeader, IsTheCall) {
  const std::string buffer = "void f() {\n  x();\n  g(1);\n}\n";
  EXPECT_EQ(places(buffer, loop(".L1", stack("3:5", "a.cpp:3:3"), stack("2:3", "a.cpp:3:3"))),
            (Strings{"3 (3-3) call"}));
}

TEST_F(LoopPlaceInHeader, IsTheOutermostCallThroughOtherHeaders) {
  const std::string buffer = "void f() {\n  x();\n  g(1);\n}\n";
  const std::string calls = "/usr/include/vector:5:5 @[ a.cpp:3:3 ]";
  EXPECT_EQ(places(buffer, loop(".L1", stack("3:5", calls), stack("2:3", calls))), (Strings{"3 (3-3) call"}));
}

TEST_F(LoopPlaceInHeader, ThatCallsTheBuffersLambdaIsTheCall) {
  const std::string buffer = "void f() {\n  g([] {\n    a();\n  });\n}\n";
  EXPECT_EQ(places(buffer, ".L1:\n" + loc("a.cpp:3:5 @[ " + stack("3:5", "a.cpp:2:3") + " ]") + "incl %eax\n" +
                               loc(stack("2:3", "a.cpp:2:3")) + "jne .L1\n"),
            (Strings{"2 (2-2) call"}));
}

TEST_F(LoopPlaceInHeader, InTheHeadOfALoopIsThatLoop) {
  const std::string buffer = "void f() {\n  for (int i = 0;\n       i < g(1); ++i)\n    a();\n}\n";
  EXPECT_EQ(places(buffer, loop(".L1", stack("3:5", "a.cpp:3:12"), stack("2:3", "a.cpp:3:12"))),
            (Strings{"2 (2-2) call"}));
}

TEST_F(LoopPlaceInHeader, InTheBodyOfALoopIsTheCall) {
  const std::string buffer = "void f() {\n  for (;;)\n    g(1);\n}\n";
  EXPECT_EQ(places(buffer, loop(".L1", stack("3:5", "a.cpp:3:5"), stack("2:3", "a.cpp:3:5"))),
            (Strings{"3 (3-3) call"}));
}

TEST_F(LoopPlaceInHeader, InAFunctionNamedLikeALoopIsTheCall) {
  const std::string buffer = "void event_loop() {\n  g(1);\n}\n";
  EXPECT_EQ(places(buffer, loop(".L1", stack("3:5", "a.cpp:2:3"), stack("2:3", "a.cpp:2:3"))),
            (Strings{"2 (2-2) call"}));
}

TEST_F(LoopPlaceInHeader, AloneIsNone) {
  EXPECT_EQ(places("#include \"x.h\"\nvoid f() {\n}\n", loop(".L1", stack("3:5"), stack("2:3"))), (Strings{"-"}));
  EXPECT_EQ(places("", loop(".L1", stack("3:5", "/usr/include/vector:3:1"), stack("2:3", "/usr/include/vector:3:1"))),
            (Strings{"-"}));
}

TEST_F(LoopPlaceInHeader, WhoseInliningIsNotToldIsNotTheBuffers) {
  const std::string buffer = "void f() {\n  g([] {\n    a();\n  });\n}\n";
  EXPECT_EQ(places(buffer, loc(stack("1:1")) + "nop\n.L1:\n" + loc(stack("3:5")) + "incl %eax\n" + loc("a.cpp:3:5") +
                               "incl %ebx\njne .L1\n"),
            (Strings{"-"}));
}

TEST_F(LoopPlaceInHeader, InTheMiddleOfAFunctionIsTheInclude) {
  EXPECT_EQ(places("void f() {\n  x();\n#include \"h.h\"\n}\n",
                   loc("a.cpp:2:3") + "nop\n" + loop(".L1", stack("3:5"), stack("2:3"))),
            (Strings{"3 (3-3) call"}));
}

TEST_F(LoopPlaceInHeader, WithWhichAFunctionBeginsLeavesTheFunctionsOwnLoops) {
  EXPECT_EQ(places("void f() {\n#include \"h.h\"\n  for (;;)\n    a();\n}\n",
                   loop(".L1", stack("3:5"), stack("2:3")) + loop(".L2", "a.cpp:4:5", "a.cpp:3:3")),
            (Strings{"2 (2-2) call", "3 (3-4)"}));
}

TEST_F(LoopPlaceInHeader, IsTheIncludeOfItsOwnFunction) {
  const std::string buffer = "void e() {\n#include \"h.h\"\n}\nvoid f() {\n  x();\n#include \"h.h\"\n}\n"
                             "void g() {\n  f();\n}\n";
  EXPECT_EQ(places(buffer, loc("a.cpp:5:3") + "nop\n" + loop(".L1", stack("3:5"), stack("2:3"))),
            (Strings{"6 (6-6) call"}));
  EXPECT_EQ(places(buffer, loc("a.cpp:5:3 @[ a.cpp:9:3 ]") + "nop\n" +
                               loop(".L1", stack("3:5", "a.cpp:9:3"), stack("2:3", "a.cpp:9:3"))),
            (Strings{"6 (6-6) call"}))
      << "inlined";
}

TEST_F(LoopPlaceInHeader, ThatCannotBeReadIsTheCallAllTheSame) {
  for (const char *name : {"/nowhere/h.h", "/dev/zero", "/"})
    EXPECT_EQ(places("void f() {\n  g(1);\n}\n",
                     loop(".L1", std::string(name) + ":3:5 @[ a.cpp:2:3 ]", std::string(name) + ":2:3 @[ a.cpp:2:3 ]")),
              (Strings{"2 (2-2) call"}))
        << name;
}

// ---- stacks that nobody wrote --------------------------------------------------------------------------------------

TEST(LoopPlace, OfDeepStacks) {
  std::string deep;
  for (int i = 0; i < 500; ++i)
    deep += "vector:" + std::to_string(i + 1) + ":1 @[ ";
  std::string assembly = ".L1:\n";
  for (int i = 0; i < 50; ++i)
    assembly += loc(deep + "a.cpp:6:7") + "incl %eax\n";
  EXPECT_EQ(places(kTwoLoops, assembly + "jne .L1\n"), (Strings{"5 (5-6)"}));
}

TEST(LoopPlace, OfManyLines) {
  std::string buffer = "for (;;) {\n", assembly = ".L1:\n";
  for (int i = 0; i < 3000; ++i) {
    buffer += "  a();\n";
    assembly += loc("a.cpp:" + std::to_string(i + 2) + ":3") + "incl %eax\n";
  }
  EXPECT_EQ(places(buffer + "}\n", assembly + loc("a.cpp:1:1") + "jne .L1\n"), (Strings{"1 (1-3002)"}));
}

} // namespace
} // namespace analysis
