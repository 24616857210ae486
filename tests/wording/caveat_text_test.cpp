// Every caveat has words of its own, whatever it lacks.
#include "lsp/wording/caveat_text.h"

#include <gtest/gtest.h>

#include <set>

namespace lsp::wording {
namespace {

using analysis::wire::Caveat;
using Kind = Caveat::Kind;

constexpr Kind kLast = Kind::OtherCpu;

TEST(CaveatText, EveryKindHasWordsOfItsOwn) {
  std::set<std::string> seen;
  for (unsigned kind = 0; kind <= static_cast<unsigned>(kLast); ++kind) {
    const std::string text =
        inWords({.kind = static_cast<Kind>(kind), .count = 3, .cycles = 2.25, .names = {"one", "two", "three"}});
    EXPECT_FALSE(text.empty()) << kind;
    EXPECT_TRUE(text.front() >= 'a' || (text.front() >= '0' && text.front() <= '9')) << text;
    EXPECT_FALSE(text.ends_with('.')) << text;
    EXPECT_TRUE(seen.insert(text).second) << text;
  }
}

/// A worker that is about to crash may send anything.
TEST(CaveatText, OneThatLacksItsNamesHasWords) {
  for (unsigned kind = 0; kind <= static_cast<unsigned>(kLast); ++kind)
    for (const std::vector<std::string> &names : {std::vector<std::string>(), {"one"}, {"one", "two"}})
      EXPECT_FALSE(inWords({.kind = static_cast<Kind>(kind), .names = names}).empty()) << kind;
}

TEST(CaveatText, NamesAndNumbersStandInTheirPlaces) {
  EXPECT_EQ(inWords({.kind = Kind::MorePaths, .count = 8}), "the loop has more paths than the 8 that are simulated");
  EXPECT_EQ(inWords({.kind = Kind::OtherInclusion, .count = 2, .names = {"loop.inc"}}),
            "the function includes loop.inc 2 times: this loop may be another inclusion's");
  EXPECT_EQ(inWords({.kind = Kind::NoSchedulingData, .count = 1, .names = {"rocket"}}),
            "1 of its instructions has no scheduling data on rocket and is missing");
  EXPECT_EQ(inWords({.kind = Kind::NoSchedulingData, .count = 2, .names = {"rocket"}}),
            "2 of its instructions have no scheduling data on rocket and are missing");
  EXPECT_EQ(inWords({.kind = Kind::NoSchedulingData, .count = 3, .names = {"rocket", "casb", "cas"}}),
            "3 of its instructions (`casb` and `cas`) have no scheduling data on rocket and are missing");
  EXPECT_EQ(inWords({.kind = Kind::UnreadLine, .count = 1}), "a line in it could not be read and is missing");
  EXPECT_EQ(inWords({.kind = Kind::UnreadLine, .count = 2}), "2 lines in it could not be read and are missing");
  EXPECT_EQ(markedInWords({.kind = Kind::UnreadLine, .count = 1}), "≥ a line in it could not be read and is missing");
  EXPECT_TRUE(markedInWords({.kind = Kind::RepeatPrefix}).starts_with("≈ how often"));
  EXPECT_NE(inWords({.kind = Kind::OtherVectorType, .names = {"M4 E32"}}).find("LLVM's model is asked (M4 E32)"),
            std::string::npos);
  EXPECT_EQ(inWords({.kind = Kind::OtherCpu, .names = {"a: modelled as b"}}), "a: modelled as b");
  EXPECT_NE(inWords({.kind = Kind::RepeatPrefix}).find("a rep prefix"), std::string::npos);
}

TEST(CaveatText, ACopyIsNamedWithTheNumberWithoutIt) {
  Caveat caveat{.kind = Kind::LateCopy, .cycles = 13.0 / 6, .names = {"movq %rax, %rsi", "%rax", "%rsi"}};
  EXPECT_EQ(
      inWords(caveat),
      "the chain goes through the copy `movq %rax, %rsi`: the model lets rsi wait for later writes of rax, which a "
      "CPU does not; 2.2 cycles per iteration if rsi keeps its value");
  caveat.count = 2;
  EXPECT_NE(inWords(caveat).find("`movq %rax, %rsi` and 2 more like it:"), std::string::npos);
}

TEST(CaveatText, AnErrorOfTheModelHasItsInstructionAndReference) {
  EXPECT_EQ(inWords({.kind = Kind::OneAccess, .names = {"vpgatherqq (%rax,%zmm2,4), %zmm0 {%k1}", "llvm#1", "8"}}),
            "the model has the cost of one access for `vpgatherqq (%rax,%zmm2,4), %zmm0 {%k1}`, which makes 8: it is "
            "simulated with so many, and a CPU may take longer (llvm#1)");
  EXPECT_EQ(inWords({.kind = Kind::TooFast, .count = 2, .names = {"vdivps %ymm0, %ymm1, %ymm2", "measured"}}),
            "the model lets `vdivps %ymm0, %ymm1, %ymm2` (and 2 more) leave its unit too early (measured)");
}

TEST(CaveatText, WhichAreAboutAnAssumedVectorType) {
  const std::set<Kind> assumed{Kind::VectorTypeNotSet, Kind::VectorTypeElsewhere, Kind::VectorTypeByRegister,
                               Kind::SeveralVectorTypes};
  for (unsigned kind = 0; kind <= static_cast<unsigned>(kLast); ++kind)
    EXPECT_EQ(isAssumedVectorType({.kind = static_cast<Kind>(kind)}), assumed.contains(static_cast<Kind>(kind)))
        << kind;
}

} // namespace
} // namespace lsp::wording
