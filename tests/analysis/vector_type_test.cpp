// The vector type along the control flow: into called functions and back, and where it cannot be known.
#include "analysis/regions/vector_type.h"

#include "analysis/job/analyzer.h"
#include "tests/mca-core/parsed.h"
#include "tests/shown.h"

namespace analysis {
namespace {

using mca::kRiscv;
using mca::Parsed;

const std::string kFirst = "# mca: triple=riscv64 cpu=sifive-x280\n";

/// The loop `1:` with an instruction in front of its additions.
std::string loopWith(const std::string &instruction) {
  return "sum:\nvsetvli zero, a4, e16, m4, ta, ma\n1:\n" + instruction +
         "\nvadd.vv v8, v8, v24\nvadd.vv v8, v8, v24\naddi t6, t6, -1\nbnez t6, 1b\nret\n";
}

/// The vector types that the model is asked with, by the loop's two additions, and the caveats of the loop.
struct Asked {
  std::string type;
  std::vector<std::string> caveats;
};

Asked askedIn(const std::string &text) {
  Parsed parsed(kRiscv, "sifive-x280", text);
  followVectorTypes({*parsed.target, *parsed.program}, *parsed.program);
  Asked asked;
  for (uint32_t i = 0; i < parsed.count(); ++i)
    if (parsed.opcode(i) == "VADD_VV")
      asked.type = parsed.instruments(i);
  Analyzer analyzer;
  const wire::AnalyzeRequest request{.id = 1, .path = "/a.s", .text = kFirst + text};
  for (const ShownRegion &region :
       shown(analyzer.run(request, {}, [](const wire::Progress &) {}), request.text).regions)
    if (region.name.starts_with("loop"))
      asked.caveats = region.caveats;
  return asked;
}

void expectKnown(const std::string &text, const std::string &type) {
  const Asked asked = askedIn(text);
  EXPECT_NE(asked.type.find(type), std::string::npos) << asked.type << " is asked for in\n" << text;
  EXPECT_EQ(asked.caveats, std::vector<std::string>()) << text;
}

void expectAssumed(const std::string &text, const std::string &caveat) {
  const Asked asked = askedIn(text);
  EXPECT_NE(asked.type.find("M4"), std::string::npos) << asked.type << " is asked for in\n" << text;
  ASSERT_EQ(asked.caveats.size(), 1u) << text;
  EXPECT_NE(asked.caveats[0].find(caveat), std::string::npos) << asked.caveats[0] << "\n" << text;
}

const std::string kRow = "row:\nvsetvli zero, a4, e8, mf2, ta, ma\nvle8.v v24, (a2)\nadd a2, a2, a3\nret\n";
constexpr const char *kElsewhere = "a caller or a called function sets the vector type";

TEST(VectorTypes, FollowACallOfTheSameText) {
  expectKnown(kRow + loopWith("jal row"), "MF2");
  expectKnown(loopWith("call row") + kRow, "MF2");
  expectKnown(kRow + "outer:\nmv s1, ra\ncall row\nmv ra, s1\nret\n" + loopWith("jal outer"), "MF2");
}

TEST(VectorTypes, StayAcrossAFunctionThatSetsNone) {
  expectKnown("count:\naddi a0, a0, 1\nret\n" + loopWith("jal count"), "M4");
  expectKnown("count:\nbeqz a0, 2f\naddi a0, a0, 1\nret\n2:\nret\n" + loopWith("jal count"), "M4");
}

TEST(VectorTypes, OfSeveralReturnsHaveToAgree) {
  const std::string either = "either:\nbeqz a0, 2f\nvsetvli zero, a4, e8, mf2, ta, ma\nret\n2:\n";
  expectKnown(either + "vsetvli zero, a4, e8, mf2, ta, ma\nret\n" + loopWith("jal either"), "MF2");
  expectAssumed(either + "vsetvli zero, a4, e8, m1, ta, ma\nret\n" + loopWith("jal either"),
                "reached with different vector types");
  expectAssumed(either + "ret\n" + loopWith("jal either"), "reached with different vector types");
}

TEST(VectorTypes, AfterACallThatIsNotFollowedAreAssumed) {
  expectAssumed(loopWith("call elsewhere"), kElsewhere);
  expectAssumed(loopWith("jalr a5"), kElsewhere);
  expectAssumed("leaves:\ntail elsewhere\n" + loopWith("jal leaves"), kElsewhere);
  expectAssumed("jumps:\njr a5\n" + loopWith("jal jumps"), kElsewhere);
  expectAssumed("again:\nmv s1, ra\njal again\nmv ra, s1\nret\n" + loopWith("jal again"), kElsewhere);
}

TEST(VectorTypes, AfterACallThatTheTextSetsAgain) {
  expectKnown(loopWith("call elsewhere\nvsetvli zero, a4, e16, m4, ta, ma"), "M4");
  expectKnown(loopWith("call elsewhere\n# LLVM-MCA-RISCV-LMUL M2"), "M2");
}

TEST(VectorTypes, AJumpIsNoCall) {
  expectKnown(loopWith("j 2f\n2:"), "M4");
}

// What stands above in the text belongs to another function.
TEST(VectorTypes, AtTheBeginOfAFunctionAreAssumed) {
  expectAssumed(".type f,@function\nf:\nvsetvli zero, a4, e16, m4, ta, ma\nret\n.type g,@function\ng:\n1:\n"
                "vadd.vv v8, v8, v24\naddi t6, t6, -1\nbnez t6, 1b\nret\n",
                kElsewhere);
}

TEST(VectorTypes, FollowTheFlowAndNotTheText) {
  expectKnown("vsetvli zero, a4, e8, mf2, ta, ma\nj 1f\n2:\nvsetvli zero, a4, e16, m4, ta, ma\nret\n1:\n"
              "vadd.vv v8, v8, v24\naddi t6, t6, -1\nbnez t6, 1b\nj 2b\n",
              "MF2");
}

TEST(VectorTypes, AreThoseOfTheNumbers) {
  Analyzer analyzer;
  const auto cyclesOf = [&](const std::string &text) {
    const wire::AnalyzeRequest request{.id = 1, .path = "/a.s", .text = kFirst + text};
    return shown(analyzer.run(request, {}, [](const wire::Progress &) {}), request.text)
        .regions.at(0)
        .cyclesPerIteration;
  };
  const double wide = cyclesOf(loopWith("nop")), narrow = cyclesOf(kRow + loopWith("jal row"));
  EXPECT_LT(narrow, wide / 2) << "half a register, and not four";
}

} // namespace
} // namespace analysis
