// What becomes a diagnostic, where it stands, and what is too much.
#include "lsp/wording/findings.h"

#include "analysis/wire/finding_codes.h"
#include "tests/wording/presented.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

using analysis::wire::Caveat;
using analysis::wire::Region;
using analysis::wire::Transfer;
using analysis::wire::Verdict;
using Strings = std::vector<std::string>;

const std::string kLines = "head:\n  mul a\n  call f\n  jmp *t\n";

analysis::wire::ByteRange placeOf(const std::string &what) {
  const auto begin = static_cast<uint32_t>(kLines.find(what));
  return {begin, begin + static_cast<uint32_t>(what.size())};
}

class Findings : public FindingsTest {
protected:
  Findings() : FindingsTest(kLines) {}

  /// A loop of the first line, with a verdict that its first instruction is the reason of.
  Region &add(Region region, Verdict::Kind kind = Verdict::Kind::None) {
    region.at = {0, static_cast<uint32_t>(kLines.size())};
    region.anchor = 0;
    const Verdict verdict{
        .kind = kind, .busy = 4, .cycles = 4, .chain = {{0, "%eax", 4, 1}}, .witnesses = {{.text = "mul a"}}};
    AnalysedRegion &added = analysis.regions.emplace_back(*made.add(std::move(region), 400, 400, verdict));
    added.region.places[0] = placeOf("mul");
    return added.region;
  }
};

const Transfer kCall{.kind = Transfer::Kind::Call, .instruction = 1, .text = "call f", .at = placeOf("call f")};
const Transfer kJump{.kind = Transfer::Kind::IndirectJump, .instruction = 2, .text = "jmp *t", .at = placeOf("jmp *t")};

TEST_F(Findings, AVerdictStandsOnTheHintsLineAndNamesInstructionsOnTheirs) {
  add(loop(), Verdict::Kind::Registers);
  EXPECT_EQ(findings(),
            Strings{"register-dependency@head:: loop in f: limited by a loop-carried chain through eax: 4.0 of "
                    "4.0 cycles per iteration [mul a: mul a: eax after 4 cycles, for the next iteration]"});
  EXPECT_EQ(analysis.findings[0].severity, analysis::wire::Severity::Information);
  analysis.regions[0].region.places[0] = {};
  findings();
  EXPECT_TRUE(analysis.findings[0].related.empty()) << "its line was edited";
}

TEST_F(Findings, OfALoopThatCallsSomethingTheCallsAreToldInPlaceOfTheVerdict) {
  Region region = loop();
  region.calls = {"f"};
  region.transfers = {kCall, kCall};
  add(region, Verdict::Kind::Registers);
  EXPECT_EQ(findings(),
            Strings{"call@head:: loop in f: at least 4.0 cycles per iteration: it calls f, whose time is not in "
                    "the cycles [call f: call f: not simulated]"});
  EXPECT_EQ(analysis.findings[0].severity, analysis::wire::Severity::Hint);
}

TEST_F(Findings, OfALoopThatLacksInstructionsNoLimitIsNamed) {
  for (const Caveat::Kind kind : {Caveat::Kind::UnreadLine, Caveat::Kind::NoSchedulingData})
    add(loop(), Verdict::Kind::Registers).caveats = {{.kind = kind, .count = 1}};
  EXPECT_EQ(findings(), Strings{}) << "the lines have findings of their own";
}

TEST_F(Findings, WhatSeveralPathsShareIsToldOnce) {
  for (const char *name : {"a", "b"}) {
    Region region = path(name);
    region.transfers = {kJump};
    add(region);
  }
  EXPECT_EQ(findings(),
            Strings{"indirect-jump@jmp *t: `jmp *t`: a computed jump, simulated as if it were always predicted: "
                    "each wrong prediction adds to the 4.0 cycles per iteration"});
}

TEST_F(Findings, AJumpWithoutAPlaceStandsOnTheHintsLine) {
  add(loop()).transfers = {{.kind = Transfer::Kind::IndirectJump, .text = "jmp *%rax"}};
  ASSERT_EQ(findings().size(), 1u);
  EXPECT_TRUE(findings()[0].starts_with("indirect-jump@head:: `jmp *%rax`")) << findings()[0];
}

TEST_F(Findings, OfTheLoopThatTheHintShowsAlone) {
  Region other = loop();
  other.rank = other.loop = 1;
  add(other, Verdict::Kind::Registers);
  add(loop());
  EXPECT_EQ(findings(), Strings{});
}

TEST_F(Findings, AnAssumedVectorTypeIsToldOtherCaveatsAreNot) {
  add(loop()).caveats = {{.kind = Caveat::Kind::VectorTypeByRegister},
                         {.kind = Caveat::Kind::UnreadLine},
                         {.kind = Caveat::Kind::SeveralVectorTypes}};
  ASSERT_EQ(findings().size(), 1u);
  EXPECT_TRUE(findings()[0].starts_with("assumed-vector-type@head:: loop in f: vsetvl takes")) << findings()[0];
  EXPECT_NE(findings()[0].find("; some vector instructions are reached"), std::string::npos) << findings()[0];
  EXPECT_EQ(findings()[0].find("could not be read"), std::string::npos) << findings()[0];
}

TEST_F(Findings, EachPathThatGotSlowerIsTold) {
  for (const char *name : {"a", "b", "c"})
    add(path(name));
  analysis.regions[0].changes = {{"the last save", {.cycles = 3}, {.cycles = 4}}};
  analysis.regions[1].changes = {{"the last save", {.cycles = 4}, {.cycles = 3}}};
  analysis.regions[2].changes = {{"the last save", {.cycles = 4}, {.cycles = 4.1}},
                                 {"git HEAD", {.cycles = 2}, {.cycles = 4.1}}};
  EXPECT_EQ(findings(), (Strings{"region-slower@head:: loop in f, a: slower, 3.0 → 4.0 cyc (+33 %) since the last save",
                                 "region-slower@head:: loop in f, c: slower, 2.0 → 4.1 cyc (+105 %) since git HEAD"}));
}

TEST_F(Findings, ARegionWithoutANameIsARegion) {
  Region region;
  region.kind = analysis::wire::RegionKind::Marker;
  add(region, Verdict::Kind::Registers);
  EXPECT_TRUE(findings().at(0).starts_with("register-dependency@head:: region: limited by")) << findings()[0];
}

TEST_F(Findings, TheWorkersComeFirstAndBudgetsLast) {
  add(loop(), Verdict::Kind::Registers);
  analysis.own = {{.at = placeOf("mul a"), .code = "parse-error", .message = "no"}};
  analysis.budgets = {{.limit = 1, .written = "1", .cpu = "a", .at = placeOf("call f")}};
  const Strings all = findings();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0], "parse-error@mul a: no");
  EXPECT_TRUE(all[2].starts_with("budget-unchecked@call f: ")) << all[2];
  EXPECT_EQ(findings(), all) << "making them again adds nothing";
}

TEST_F(Findings, AreBoundedButForTheBudgets) {
  using analysis::wire::kMaxFindings;
  add(loop(), Verdict::Kind::Registers);
  analysis.own.resize(kMaxFindings + 5);
  analysis.budgets = {{.limit = 1, .written = "1", .cpu = "a"}};
  EXPECT_EQ(findings().size(), kMaxFindings + 1);
  EXPECT_EQ(analysis.findings.back().code, "budget-unchecked");
}

TEST_F(Findings, ALongMessageIsCut) {
  Region region = loop();
  region.name = std::string(5000, 'x');
  add(region, Verdict::Kind::Registers);
  findings();
  EXPECT_EQ(analysis.findings.at(0).message, std::string(analysis::wire::kMaxMessageBytes, 'x') + "…");
}

} // namespace
} // namespace lsp::wording
