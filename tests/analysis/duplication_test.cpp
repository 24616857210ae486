// The copies of a loop's own code, from the discriminators of clang's line directives.
#include "analysis/regions/duplication.h"
#include "analysis/source_map/inline_scopes.h"
#include "mca-core/program/loops.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

using mca::Parsed;
using mca::Strings;

/// A `.loc` of a.cpp as clang writes it; 0 for no discriminator.
std::string loc(const std::string &stack, unsigned discriminator) {
  return ".loc 0 1 1" + (discriminator ? " discriminator " + std::to_string(discriminator) : "") + " # " + stack + "\n";
}

// clang's encoding: a base, a factor and a copy of seven bits each up to 31, the lowest of them zero.
constexpr unsigned kBase2 = 4, kBase2Times8 = 4 + (16 << 7), kTimes8 = 1 + (16 << 1), kTimes24 = 1 + (48 << 1);

const std::string kBuffer = "void f() {\n"
                            "  for (int i = 0; i < n; ++i) {\n"
                            "    a(i);\n"
                            "    for (int j = 0; j < 4; ++j)\n"
                            "      b(j);\n"
                            "  }\n"
                            "  while (c()) d();\n"
                            "}\n";

/// "COPIES" of the innermost loop, with the lines of the heads around it: "8 (2)".
std::string copies(const std::string &assembly) {
  const Parsed parsed(mca::kX86, "skylake", ".file 0 \"/d\" \"a.cpp\"\n" + assembly);
  EXPECT_EQ(parsed.diagnostics(), Strings{}) << assembly;
  const TextLines lines(kBuffer);
  const SourceMap map = SourceMap::ofSource(*parsed.program, lines, "/d/a.cpp", "/d", {});
  const LoopStatements statements(kBuffer, wire::Language::Cxx);
  SourceFiles files(map, wire::Language::Cxx);
  const Sources in{map, statements, files};
  const mca::Loop loop = mca::findInnermostLoops({*parsed.target, *parsed.program}).front();
  const auto end = static_cast<uint32_t>(parsed.program->instructions().size());
  const auto place = placeLoop(loop, in, 0, end);
  Region region;
  readOwnCode(loop, *parsed.program, in, *place, true, region);
  std::string text = std::to_string(region.duplication);
  for (const CodeLines &head : region.around)
    text += " (" + std::to_string(head.lastLine) + ")";
  return text;
}

std::string loop(const std::string &body, const std::string &latch) {
  return ".L0:\n" + body + "incl %eax\n" + latch + "jne .L0\n";
}

TEST(Duplication, OfALoopsOwnCode) {
  EXPECT_EQ(copies(loop(loc("a.cpp:7:15", 0), loc("a.cpp:7:3", 0))), "1");
  EXPECT_EQ(copies(loop(loc("a.cpp:7:15", kBase2), loc("a.cpp:7:3", 0))), "1");
  EXPECT_EQ(copies(loop(loc("a.cpp:7:15", kBase2Times8), loc("a.cpp:7:3", kTimes8))), "8");
  EXPECT_EQ(copies(loop(loc("a.cpp:7:15", kBase2Times8), loc("a.cpp:7:3", 0))), "0") << "they differ";
}

TEST(Duplication, NotOfLoopsWithin) {
  EXPECT_EQ(copies(loop(loc("a.cpp:3:5", kTimes8) + "nop\n" + loc("a.cpp:5:7", kTimes24), loc("a.cpp:2:3", kTimes8))),
            "8");
  EXPECT_EQ(copies(loop(loc("a.cpp:5:7", kTimes24), loc("a.cpp:4:5", kTimes24))), "24 (2)") << "it is the inner one";
}

TEST(Duplication, NotOfWhatIsInlinedIntoIt) {
  EXPECT_EQ(copies(loop(loc("a.cpp:1:1 @[ a.cpp:7:15 ]", kTimes24), loc("a.cpp:7:3", kTimes8))), "8");
}

TEST(Duplication, NotOfCodeWithoutALine) {
  EXPECT_EQ(copies(loop(loc("a.cpp:0:0", 0), loc("a.cpp:7:3", kTimes8))), "8");
}

TEST(Duplication, KnowsTheLoopsAroundTheCall) {
  EXPECT_EQ(copies(loop(loc("a.cpp:7:15 @[ a.cpp:5:7 ]", kTimes8), loc("a.cpp:7:3 @[ a.cpp:5:7 ]", kTimes8))),
            "8 (4) (2)");
}

} // namespace
} // namespace analysis
