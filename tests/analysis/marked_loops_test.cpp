// Marker comments of C and C++ around loops, inside of them, and around straight-line code.
#include "analysis/job/marked_loops.h"
#include "analysis/regions/source_iterations.h"
#include "analysis/regions/source_markers.h"
#include "analysis/source_map/inline_scopes.h"
#include "tests/mca-core/parsed.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

using mca::kX86;
using mca::Parsed;
using mca::Strings;

/// The regions of a buffer and of what a compiler made of it.
class MarkedSource {
public:
  MarkedSource(const std::string &buffer, const std::string &assembly, RegionKinds kinds = {},
               std::vector<uint32_t> onlyLoops = {kAll})
      : parsed_(kX86, "skylake",
                ".file 0 \"/d\" \"a.cpp\"\n.type f,@function\n.type g,@function\n.type f.cold,@function\nf:\n" +
                    assembly),
        lines_(buffer), map_(SourceMap::ofSource(*parsed_.program, lines_, "/d/a.cpp", "/d", {})),
        statements_(buffer, wire::Language::Cxx) {
    EXPECT_EQ(parsed_.diagnostics(), Strings{});
    SourceFacts facts{.markers = findSourceMarkers(buffer, wire::Language::Cxx).regions,
                      .statements = &statements_,
                      .language = wire::Language::Cxx};
    facts.probability = [](uint32_t, uint32_t) { return std::nullopt; };
    if (onlyLoops != std::vector{kAll})
      facts.onlyLoops = &onlyLoops;
    found_ = findSourceRegions({*parsed_.target, *parsed_.program}, map_, facts, kinds);
    findSourceIterations(*parsed_.target, *parsed_.program, {}, found_.regions);
    addMarkedLoops(*parsed_.target, *parsed_.program, found_);
  }

  /// "x @2: 4 3": name and path, line of the hint, lines of the instructions; of the markers' regions.
  Strings marked() const { return text(true); }
  Strings others() const { return text(false); }
  const std::vector<Region> &regions() const { return found_.regions; }

private:
  static constexpr uint32_t kAll = ~0u;

  Strings text(bool ofMarkers) const {
    Strings result;
    for (const Region &region : found_.regions)
      if ((region.kind == wire::RegionKind::Marker) == ofMarkers) {
        std::string one = region.name + (region.path.empty() ? "" : ", " + region.path) + " @" +
                          std::to_string(lines_.lineOf(region.anchor) + 1) + ":";
        for (const uint32_t line : region.lines)
          one += " " + std::to_string(line);
        result.push_back(one);
      }
    return result;
  }

  Parsed parsed_;
  TextLines lines_;
  SourceMap map_;
  LoopStatements statements_;
  Regions found_;
};

std::string at(int line, const std::string &instruction) {
  return ".loc 0 " + std::to_string(line) + " 7\n" + instruction + "\n";
}

/// An instruction of `line` that was inlined into the call at `call`.
std::string inlined(int line, int call, const std::string &instruction) {
  const std::string place = std::to_string(line) + ":7 @[ a.cpp:" + std::to_string(call) + ":3 ]";
  return ".loc 0 " + std::to_string(line) + " 7 # a.cpp:" + place + "\n" + instruction + "\n";
}

std::string loop(const std::string &label, int head, int body) {
  return ".L" + label + ":\n" + at(body, "incl %eax") + at(head, "jne .L" + label);
}

std::string inlinedLoop(const std::string &label, int head, int body, int call) {
  return ".L" + label + ":\n" + inlined(body, call, "incl %eax") + inlined(head, call, "jne .L" + label);
}

const std::string kAround = "void f() {\n"            // 1
                            "  // LLVM-MCA-BEGIN x\n" // 2
                            "  a = 0;\n"              // 3
                            "  for (;;)\n"            // 4
                            "    a++;\n"              // 5
                            "  b = a;\n"              // 6
                            "  // LLVM-MCA-END x\n"   // 7
                            "  c();\n"
                            "}\n";

TEST(MarkedLoops, LinesThatHoldALoopHaveItsNumbers) {
  const std::string code = at(3, "xorl %eax, %eax") + loop("a", 4, 5) + at(6, "movl %eax, %ebx") + at(8, "ret");
  const MarkedSource found(kAround, code);
  EXPECT_EQ(found.marked(), (Strings{"x @2: 5 4"}));
  EXPECT_EQ(found.others(), (Strings{"loop in f @4: 5 4"}));
  EXPECT_EQ(found.regions()[0].instructions, found.regions()[1].instructions);
  EXPECT_EQ(found.regions()[0].at.begin, kAround.find("// LLVM-MCA-BEGIN"));
  EXPECT_TRUE(found.regions()[0].caveats.empty()) << "it is no text with branches";
}

TEST(MarkedLoops, AreFoundIfLoopsAreNotWanted) {
  const MarkedSource found(kAround, loop("a", 4, 5) + loop("b", 8, 8), {.loops = false});
  EXPECT_EQ(found.marked(), (Strings{"x @2: 5 4"}));
  EXPECT_EQ(found.others(), Strings{});
}

TEST(MarkedLoops, AreFoundIfAnotherFileShowsTheLoop) {
  const MarkedSource found(kAround, loop("a", 4, 5), {}, /*onlyLoops=*/{});
  EXPECT_EQ(found.marked(), (Strings{"x @2: 5 4"}));
  EXPECT_EQ(found.others(), Strings{});
}

TEST(MarkedLoops, StraightLineCodeStaysWhatItWas) {
  const std::string code = at(3, "xorl %eax, %eax") + at(5, "addl $8, %eax") + at(6, "movl %eax, %ebx") + at(8, "ret");
  EXPECT_EQ(MarkedSource(kAround, code).marked(), (Strings{"x @2: 3 5 6"})) << "the loop was unrolled";
  const std::string other = at(3, "xorl %eax, %eax") + loop("a", 8, 8);
  EXPECT_EQ(MarkedSource(kAround, other).marked(), (Strings{"x @2: 3"})) << "the loop is another one";
}

TEST(MarkedLoops, EachPathOfTheLoopIsARegion) {
  const std::string buffer = "void f() {\n  // LLVM-MCA-BEGIN x\n  for (;;) {\n    if (a)\n      b();\n    else\n"
                             "      c();\n  }\n  // LLVM-MCA-END\n}\n";
  const std::string code = ".La:\n" + at(4, "je .Lelse") + at(5, "incl %eax") + at(3, "jmp .Lend") + ".Lelse:\n" +
                           at(7, "decl %eax") + ".Lend:\n" + at(3, "jne .La");
  EXPECT_EQ(MarkedSource(buffer, code).marked(),
            (Strings{"x, through line 5 @2: 4 5 3 3", "x, through line 7 @2: 4 7 3"}));
}

// ---- versions and instances ----------------------------------------------------------------------------------------

/// A body that moves four times as far as the remainder.
const std::string kVersions = ".Lbody:\n" + at(5, "addl $1, (%rdi)") + at(5, "addl $1, 4(%rdi)") +
                              at(5, "addl $1, 8(%rdi)") + at(5, "addl $1, 12(%rdi)") + at(5, "addq $16, %rdi") +
                              at(4, "jne .Lbody") + ".Lrest:\n" + at(5, "addl $1, (%rdi)") + at(5, "addq $4, %rdi") +
                              at(4, "jne .Lrest");

TEST(MarkedLoops, HaveTheVersionThatTheHintShows) {
  EXPECT_EQ(MarkedSource(kAround, kVersions).marked(), (Strings{"x @2: 5 5 5 5 5 4"}));
}

const std::string kInlined = kAround + "void g() {\n  f();\n}\n"; // at line 11

TEST(MarkedLoops, AreRegionsOfEachFunctionThatHasThem) {
  EXPECT_EQ(MarkedSource(kInlined, loop("a", 4, 5) + "g:\n" + inlinedLoop("b", 4, 5, 11)).marked(),
            (Strings{"x in f @2: 5 4", "x inlined into g at line 11 @2: 5 4"}));
}

TEST(MarkedLoops, OfAFunctionThatIsInlinedEverywhere) {
  EXPECT_EQ(MarkedSource(kInlined, at(8, "ret") + "g:\n" + inlinedLoop("b", 4, 5, 11)).marked(),
            (Strings{"x @2: 5 4"}));
}

TEST(MarkedLoops, UnrolledInOneFunctionAreStraightLineCodeThere) {
  EXPECT_EQ(MarkedSource(kAround, loop("a", 4, 5) + "g:\n" + at(5, "addl $8, %eax") + "ret\n").marked(),
            (Strings{"x in f @2: 5 4", "x in g @2: 5 5"}))
      << "as of two instances of a template";
}

TEST(MarkedLoops, WhatTheCompilerSplitOffIsNoRegion) {
  EXPECT_EQ(MarkedSource(kAround, loop("a", 4, 5) + "f.cold:\n" + at(5, "ud2")).marked(), (Strings{"x @2: 5 4"}));
}

// ---- lines inside a loop -------------------------------------------------------------------------------------------

const std::string kInside = "void f() {\n"            // 1
                            "  for (;;) {\n"          // 2
                            "    // LLVM-MCA-BEGIN\n" // 3
                            "    a++;\n"              // 4
                            "    // LLVM-MCA-END\n"   // 5
                            "    b++;\n"              // 6
                            "    for (;;)\n"          // 7
                            "      c++;\n"            // 8
                            "  }\n"
                            "}\n";

TEST(MarkedLoops, LinesInsideALoopHaveItsNumbers) {
  EXPECT_EQ(MarkedSource(kInside, ".La:\n" + at(4, "incl %eax") + at(6, "incl %ebx") + at(2, "jne .La")).marked(),
            (Strings{" @3: 4 6 2"}))
      << "the inner loop left no machine loop";
}

TEST(MarkedLoops, LinesOfAnOuterLoopAreStraightLineCode) {
  const std::string nest = ".La:\n" + at(4, "incl %eax") + loop("b", 7, 8) + at(2, "jne .La");
  EXPECT_EQ(MarkedSource(kInside, nest).marked(), (Strings{" @3: 4"}));
  const std::string shell = loop("c", 2, 4) + nest;
  EXPECT_EQ(MarkedSource(kInside, shell).marked(), (Strings{" @3: 4 4"}))
      << "a copy without the inner loop is not what the lines do";
}

TEST(MarkedLoops, TheBodyOfALambdaIsNoPartOfTheLoopAroundIt) {
  const std::string buffer = "void f() {\n  for (;;)\n    run([&] {\n      // LLVM-MCA-BEGIN\n      a++;\n"
                             "      // LLVM-MCA-END\n    });\n}\n";
  EXPECT_EQ(MarkedSource(buffer, loop("a", 2, 3) + "g:\n" + at(5, "incl %eax") + "ret\n").marked(),
            (Strings{" @4: 5 5"}));
}

TEST(MarkedLoops, EndInsideTheLoopTheyBeginBefore) {
  const std::string buffer = "void f() {\n  // LLVM-MCA-BEGIN x\n  for (;;) {\n    a++;\n  // LLVM-MCA-END x\n  }\n}\n";
  EXPECT_EQ(MarkedSource(buffer, loop("a", 3, 4)).marked(), (Strings{"x @2: 4 3"}));
}

// ---- several statements --------------------------------------------------------------------------------------------

TEST(MarkedLoops, OfNestedStatementsTheInnermostCounts) {
  const std::string buffer = "void f() {\n  // LLVM-MCA-BEGIN x\n  for (;;) {\n    a++;\n    while (b)\n      c++;\n"
                             "  }\n  // LLVM-MCA-END x\n}\n";
  const std::string nest = ".La:\n" + at(4, "incl %eax") + loop("b", 5, 6) + at(3, "jne .La");
  EXPECT_EQ(MarkedSource(buffer, nest).marked(), (Strings{"x @2: 6 5"}));
  EXPECT_EQ(MarkedSource(buffer, loop("c", 3, 4) + nest).marked(), (Strings{"x @2: 6 5"}))
      << "not the copy of the outer loop that runs when the inner one does nothing";
}

TEST(MarkedLoops, OfSeveralStatementsAreARegionEach) {
  const std::string buffer = "void f() {\n  // LLVM-MCA-BEGIN x\n  for (;;)\n    a++;\n  do\n    b++;\n  while (c);\n"
                             "  // LLVM-MCA-END x\n}\n";
  EXPECT_EQ(MarkedSource(buffer, loop("a", 3, 4) + loop("b", 7, 6)).marked(),
            (Strings{"x (loop 1 of 2) @2: 4 3", "x (loop 2 of 2) @2: 6 7"}));
}

// ---- calls ---------------------------------------------------------------------------------------------------------

TEST(MarkedLoops, CameThroughACallInTheMarkedLines) {
  const std::string buffer = "void f() {\n  for (;;)\n    a++;\n}\nvoid g() {\n  // LLVM-MCA-BEGIN x\n  f();\n"
                             "  // LLVM-MCA-END\n}\n";
  EXPECT_EQ(MarkedSource(buffer, at(4, "ret") + "g:\n" + at(7, "nop") + inlinedLoop("a", 2, 3, 7)).marked(),
            (Strings{"x @6: 3 2"}));
}

TEST(MarkedLoops, OfAnotherFileCameThroughACallInTheMarkedLines) {
  const std::string buffer = "void f() {\n  // LLVM-MCA-BEGIN x\n  sort();\n  // LLVM-MCA-END\n}\n";
  EXPECT_EQ(MarkedSource(buffer, at(3, "nop") + ".La:\n.loc 0 1 1 # /nowhere/sort:3:5 @[ a.cpp:3:3 ]\nincl %eax\n" +
                                     "jne .La\n")
                .marked(),
            (Strings{"x @2: 3 3"}));
}

TEST(MarkedLoops, OfACalledFunctionAreNotInTheMarkedLines) {
  const std::string buffer = "void f() {\n  // LLVM-MCA-BEGIN x\n  sort();\n  // LLVM-MCA-END\n}\n";
  EXPECT_EQ(MarkedSource(buffer, at(3, "nop\ncall g") + "ret\ng:\n.loc 0 1 1 # /nowhere/sort:3:5\n.La:\nincl %eax\n" +
                                     "jne .La\nret\n")
                .marked(),
            (Strings{"x @2: 3 3 3"}))
      << "its code is called";
}

} // namespace
} // namespace analysis
