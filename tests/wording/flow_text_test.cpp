// What is said about the branches of a loop: labels, tooltips, hovers and findings, along a trace and without one.
#include "lsp/wording/flow_text.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/wording/findings.h"
#include "lsp/wording/hint.h"
#include "lsp/wording/hint_label.h"
#include "lsp/wording/hover.h"
#include "tests/wording/presented.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

using analysis::wire::BranchCost;
using analysis::wire::ControlFlow;
using analysis::wire::Finding;
using analysis::wire::Region;
using Source = ControlFlow::Source;

const std::string kText = "head:\n  load a\n  jle skip\n  add b\nskip:\n  jne head\n";

analysis::wire::ByteRange placeOf(const std::string &what) {
  const auto begin = static_cast<uint32_t>(kText.find(what));
  return {begin, begin + static_cast<uint32_t>(what.size())};
}

/// A loop of two branches, of which `jle skip` waits for the load. Half of its executions are mispredicted, 24 cycles
/// each, as in 12 of the cycles.
ControlFlow flow(Source source, double cycles, double perfectCycles) {
  const BranchCost skip{.instruction = 1,
                        .text = "jle skip",
                        .executions = 1,
                        .taken = 0.5,
                        .missed = 0.5,
                        .wait = 8.25,
                        .cost = 24,
                        .cyclesPerIteration = 12,
                        .load = "load a"};
  const BranchCost back{.instruction = 3, .text = "jne head", .executions = 1, .taken = 1, .missed = 0};
  return {.source = source,
          .file = source == Source::File ? "/p/runs/kern.mcatrace" : "",
          .modified = 1'000'000,
          .predictor = "tage",
          .mispredictPenalty = 14,
          .iterations = 1000,
          .instructions = 4000,
          .cycles = cycles,
          .perfectCycles = perfectCycles,
          .missesPerThousand = 125,
          .branches = {skip, back}};
}

ControlFlow traced(double cycles = 16.6, double perfectCycles = 4.6) {
  return flow(Source::File, cycles, perfectCycles);
}

/// Of `jle skip` alone.
ControlFlow withMisses(ControlFlow flow, double missed) {
  flow.branches[0].missed = missed;
  return flow;
}

AnalysedRegion *with(const ControlFlow &flow, AnalysedRegion *region) {
  region->flow = std::make_shared<const ControlFlow>(flow);
  region->branches = {{placeOf("jle skip"), placeOf("load a")}, {placeOf("jne head"), {}}};
  return region;
}

std::string textOf(const RichText &text) {
  std::string all;
  for (const Block &block : text)
    all += block.text + "\n";
  return all;
}

std::string hoverOf(const LoopsOfLine &onLine, uint64_t now = 0) {
  return textOf(makeHover(onLine, {}, Text(kText), now));
}

std::string tooltipOf(const LoopsOfLine &onLine) {
  return textOf(makeHint(onLine, {}, Text(kText)).tooltip);
}

// ---- labels --------------------------------------------------------------------------------------------------------

TEST(FlowLabel, AlongATrace) {
  Presented made;
  const auto label = [&](const ControlFlow &flow, const Region &region = loop()) {
    return hintLabel({{with(flow, made.add(region, 460, 900))}});
  };
  EXPECT_EQ(label(traced()), "16.6 cyc · 25 % missed · 24 each");
  EXPECT_EQ(label(flow(Source::Comment, 16.6, 4.6)), "16.6 cyc · 25 % missed · 24 each");
  EXPECT_EQ(label(withMisses(traced(4.6, 4.6), 0)), "4.6 cyc · 0 % missed");
  EXPECT_EQ(label(withMisses(traced(4.7, 4.6), 0.004)), "4.7 cyc · 0 % missed") << "too few for a cost";
  EXPECT_EQ(label(traced(4.6, 4.6)), "4.6 cyc · 25 % missed") << "they cost nothing";
  EXPECT_EQ(label(traced(4.5, 4.6)), "4.5 cyc · 25 % missed");
  EXPECT_EQ(label(traced(), loop(8)), "2.08 cyc/iter · 25 % missed") << "no room for the cost";
  ControlFlow none = traced(4.6, 4.6);
  none.branches.clear();
  EXPECT_EQ(label(none), "4.6 cyc") << "nothing can be mispredicted";
  ControlFlow tooShort = traced();
  tooShort.isBarelyTrained = true;
  EXPECT_EQ(label(tooShort), "≈ 16.6 cyc · 25 % missed · 24 each");
  Region calling = loop();
  calling.calls = {"visit"};
  EXPECT_EQ(label(traced(), calling), "16.6 cyc · 25 % missed · 24 each") << "the call was followed";
  ControlFlow bound = traced();
  bound.calls = {"visit"};
  EXPECT_EQ(label(bound, calling), "≥ 16.6 cyc · 25 % missed · 24 each");
}

TEST(FlowLabel, OverAllPaths) {
  Presented made;
  AnalysedRegion *a = with(traced(), made.add(path("a"), 300, 900));
  AnalysedRegion *b = with(traced(), made.add(path("b"), 500, 900));
  EXPECT_EQ(hintLabel({{a, b}}), "16.6 cyc · 25 % missed · 24 each");
  EXPECT_EQ(hintLabel({{a, b}, {made.add(loop(), 100, 100)}}), "16.6 cyc · 25 % missed · 24 each +1");
}

TEST(FlowLabel, WithoutATraceTheRangeIsNotBetterThanItIs) {
  Presented made;
  const auto label = [&](const ControlFlow &flow, uint64_t cycles = 160) {
    return hintLabel({{with(flow, made.add(path("a"), 110, 110)), with(flow, made.add(path("b"), cycles, 110))}});
  };
  EXPECT_EQ(label(flow(Source::Odds, 14.2, 1.3)), "IPC 0.28–1.00 · 1.1–14 cyc");
  EXPECT_EQ(label(flow(Source::Odds, 8.25, 1.3)), "IPC 0.48–1.00 · 1.1–8.3 cyc");
  EXPECT_EQ(label(flow(Source::Odds, 9.96, 1.3)), "IPC 0.40–1.00 · 1.1–10 cyc");
  EXPECT_EQ(label(flow(Source::Odds, 1.6, 1.3)), "IPC 0.69–1.00 · 1.1–1.6 cyc") << "as without a flow";
  EXPECT_EQ(label(flow(Source::Odds, 1.65, 1.3)), "IPC 0.69–1.00 · 1.1–1.6 cyc") << "hardly above the paths";
  EXPECT_EQ(label(flow(Source::Odds, 14.2, 1.3), 2000), "IPC 0.06–1.00 · 1.1–20.0 cyc") << "a path is slower";
}

TEST(FlowLabel, TheBoundOfALoopOfOnePath) {
  Presented made;
  EXPECT_EQ(hintLabel({{with(flow(Source::Odds, 14.2, 1.1), made.add(loop(), 110, 110))}}),
            "IPC 0.28–1.00 · 1.1–14 cyc");
  EXPECT_EQ(hintLabel({{with(flow(Source::Odds, 14.2, 1.1), made.add(loop(4), 110, 110))}}),
            "IPC 0.28–1.00 · 0.28–3.55 cyc/iter");
  Region calling = loop();
  calling.calls = {"visit"};
  EXPECT_EQ(hintLabel({{with(flow(Source::Odds, 14.2, 1.1), made.add(calling, 290, 110))}}), "≥ 2.9 cyc · calls visit");
}

TEST(FlowLabel, TheChosenPathAlone) {
  Presented made;
  AnalysedRegion *a = with(traced(), made.add(path("through line 3", 0.5), 300, 600));
  AnalysedRegion *b = with(traced(), made.add(path("through line 4", 0.25), 500, 500));
  const ShownLoop loop{a, b};
  EXPECT_EQ(pathLens(loop), "all 2 paths · 16.6 cyc");
  b->chosen = true;
  EXPECT_EQ(hintLabel({loop}), "IPC 1.00 · 5.0 cyc");
  EXPECT_EQ(pathLens(loop), "path 2 of 2 · 25 % · 5.0 cyc");
  const std::string hover = hoverOf({loop});
  EXPECT_TRUE(hover.starts_with("loop in f: IPC 1.00 · 5.0 cyc\n")) << hover;
  EXPECT_NE(hover.find("On the path through line 4:"), std::string::npos) << hover;
  EXPECT_NE(hover.find("through line 3, 50 %: IPC 2.00 · 3.0 cyc"), std::string::npos) << "all are listed: " << hover;
  EXPECT_EQ(hover.find("Branches"), std::string::npos) << hover;
  EXPECT_EQ(predictorLens(loop), "predictor: tage");
  EXPECT_EQ(pathLens({a}), "");
  EXPECT_EQ(predictorLens({made.add(path("a"), 300, 600)}), "");
  EXPECT_EQ(predictorLens({with(flow(Source::Odds, 9, 3), made.add(path("a"), 300, 600))}), "");
  ControlFlow byHand = flow(Source::Comment, 9, 9);
  byHand.statement = "path taken";
  EXPECT_EQ(predictorLens({with(byHand, made.add(path("a"), 300, 600))}), "") << "it is always predicted right";
}

TEST(FlowLabel, NeverMoreThanItsColumnsAndTheCostGoesFirst) {
  LoopNumbers numbers{.leastCycles = 1234.5, .mostCycles = 1234.5, .calls = {}, .traced = true, .missed = 1};
  numbers.missCost = 123;
  const auto label = [&](size_t others) { return fitLabel(numbers, "p5", others).whole(); };
  EXPECT_EQ(label(0), "1234.5 cyc · 100 % missed · 123 each");
  EXPECT_EQ(columnsOf(label(0)), kHintColumns);
  EXPECT_EQ(label(1), "1234.5 cyc · 100 % missed +1");
  numbers.leastCycles = numbers.mostCycles = 12345678901.5;
  EXPECT_EQ(label(1), "12345678901.5 cyc · 100 % missed +1");
  EXPECT_EQ(label(123456), "12345678901.5 cyc +123456");
  for (const double cycles : {0.0, 9.95, 999.5, 1e6, 1e15})
    for (const double cost : {0.0, 0.4, 24.0, 1e9})
      for (const uint32_t several : {0u, 1u, 64u})
        for (const size_t others : {size_t{0}, size_t{5000}}) {
          numbers.leastCycles = numbers.mostCycles = cycles;
          numbers.missCost = cost;
          numbers.sourceIterations = several;
          numbers.uncertain = several == 0;
          EXPECT_LE(columnsOf(label(others)), kHintColumns) << label(others);
        }
}

TEST(FlowLabel, WhatDoesNotFitIsInTheTooltipOfTheCycles) {
  Presented made;
  ControlFlow slow = traced(12345.6, 4.6);
  const Hint hint = makeHint({{with(slow, made.add(loop(64), 460, 900))}}, {}, Text(kText));
  ASSERT_EQ(hint.parts.size(), 2u);
  EXPECT_EQ(hint.parts[0].text, "192.90 cyc/iter");
  EXPECT_NE(textOf(hint.parts[0].tooltip).find("Each of them adds 24682.0 cycles"), std::string::npos)
      << textOf(hint.parts[0].tooltip);
  EXPECT_EQ(hint.parts[1].text, " · 25 % missed");
  EXPECT_NE(textOf(hint.parts[1].tooltip)
                .find("500 of 2,000 executed branches are mispredicted along the trace "
                      "kern.mcatrace with the predictor tage: 125.0 per 1,000 instructions."),
            std::string::npos)
      << textOf(hint.parts[1].tooltip);
}

// ---- sentences -----------------------------------------------------------------------------------------------------

TEST(FlowText, WhatATraceWouldSettle) {
  Presented made;
  const ControlFlow odds = flow(Source::Odds, 14.2, 1.3);
  AnalysedRegion *region = with(odds, made.add(loop(), 110, 110));
  const std::string sentence = "With every branch predicted right: 1.1 cycles per iteration. Up to 14 if the branch of "
                               "line 3 cannot be predicted (expected to be taken 50 %): record a trace to "
                               "know (`mca-lsp --record-trace`).\n";
  EXPECT_NE(tooltipOf({{region}}).find(sentence), std::string::npos) << tooltipOf({{region}});
  EXPECT_NE(hoverOf({{region}}).find(sentence), std::string::npos) << hoverOf({{region}});
  region->branches[0].branch = {};
  EXPECT_NE(hoverOf({{region}}).find("if `jle skip` cannot be predicted"), std::string::npos) << hoverOf({{region}});
  ControlFlow both = odds;
  both.branches[1].cyclesPerIteration = 1;
  both.branches[1].taken = 0.9;
  AnalysedRegion *two = with(both, made.add(loop(), 110, 110));
  EXPECT_NE(hoverOf({{two}}).find("if the branch of line 3 and the branch of line 6 cannot be predicted (expected "
                                  "to be taken 50 % and 90 %)"),
            std::string::npos)
      << hoverOf({{two}});
  two->branches[1] = two->branches[0];
  EXPECT_NE(hoverOf({{two}}).find("if the branch of line 3 cannot be predicted (expected to be taken 50 %)"),
            std::string::npos)
      << "copies of one: " << hoverOf({{two}});
  ControlFlow jump = odds;
  jump.branches[0].isIndirect = true;
  EXPECT_NE(hoverOf({{with(jump, made.add(loop(), 110, 110))}}).find("if the branch of line 3 cannot be predicted: "),
            std::string::npos);
  Region calling = loop();
  calling.calls = {"visit"};
  AnalysedRegion *least = with(odds, made.add(calling, 110, 110));
  EXPECT_EQ(hoverOf({{least}}).find("Up to"), std::string::npos) << "a lower bound has no upper one";
  AnalysedRegion *harmless = with(flow(Source::Odds, 1.1, 1.1), made.add(loop(), 110, 110));
  EXPECT_EQ(hoverOf({{harmless}}).find("predicted right"), std::string::npos) << hoverOf({{harmless}});
}

TEST(FlowText, WhatTheNumbersWouldBeWithPerfectPrediction) {
  Presented made;
  const LoopsOfLine onLine{{with(traced(), made.add(loop(), 460, 900))}};
  const std::string sentence = "Cycles per iteration along the trace kern.mcatrace: 16.60. With every branch predicted "
                               "right: 4.60. What limits the loop, budgets and comparisons with earlier versions are "
                               "about perfect prediction.\n";
  EXPECT_NE(tooltipOf(onLine).find(sentence), std::string::npos) << tooltipOf(onLine);
  EXPECT_NE(hoverOf(onLine).find(sentence), std::string::npos) << hoverOf(onLine);
  EXPECT_NE(hoverOf({{with(flow(Source::Comment, 16.6, 4.6), made.add(loop(), 460, 900))}})
                .find("along the trace in the text: 16.60."),
            std::string::npos);
}

TEST(FlowText, TheTableOfBranches) {
  Presented made;
  AnalysedRegion *region = with(traced(), made.add(loop(), 460, 900));
  EXPECT_NE(
      hoverOf({{region}}, 1'000'000 + 3 * 3600)
          .find("Branches along the trace kern.mcatrace, 3 hours old: 1,000 iterations, predictor tage, mispredict "
                "penalty 14 cycles, 125.0 mispredictions per 1,000 instructions.\n"
                " line  taken  missed   wait   cost  cycles  branch\n"
                "    3   50 %    50 %    8.3   24.0   12.00  jle skip  ← line 2: load a\n"
                "    6  100 %     0 %      -      -    0.00  jne head\n"),
      std::string::npos)
      << hoverOf({{region}}, 1'000'000 + 3 * 3600);
  region->branches[0] = {};
  EXPECT_NE(hoverOf({{region}}).find("\n        50 %    50 %    8.3   24.0   12.00  jle skip  ← load a\n"),
            std::string::npos)
      << "its lines were edited: " << hoverOf({{region}});
  EXPECT_EQ(hoverOf({{made.add(loop(), 460, 900)}}).find("Branches"), std::string::npos);
  ControlFlow tooShort = traced();
  tooShort.isBarelyTrained = true;
  EXPECT_NE(hoverOf({{with(tooShort, made.add(loop(), 460, 900))}}).find("≈ the trace is too short to train"),
            std::string::npos);
}

TEST(FlowText, AgesOfATrace) {
  Presented made;
  const auto age = [&](uint64_t now) {
    const std::string hover = hoverOf({{with(traced(), made.add(loop(), 460, 900))}}, now);
    const size_t begin = hover.find("kern.mcatrace", hover.find("Branches along")) + 13;
    return hover.substr(begin, hover.find(':', begin) - begin);
  };
  EXPECT_EQ(age(0), "") << "not known";
  EXPECT_EQ(age(999'999), "") << "the clocks differ";
  EXPECT_EQ(age(1'000'059), ", under a minute old");
  EXPECT_EQ(age(1'000'060), ", 1 minute old");
  EXPECT_EQ(age(1'003'599), ", 59 minutes old");
  EXPECT_EQ(age(1'003'600), ", 1 hour old");
  EXPECT_EQ(age(1'000'000 + 86400 * 2), ", 2 days old");
}

TEST(FlowText, ALongTableIsCutToWhatCostsMost) {
  Presented made;
  ControlFlow many = traced();
  many.branches.assign(20, many.branches[1]);
  many.branches[15].cyclesPerIteration = 3;
  many.branches[15].text = std::string(200, 'x');
  many.branches[15].load = std::string(200, 'y');
  AnalysedRegion *region = with(many, made.add(loop(), 460, 900));
  region->branches.resize(20);
  const std::string hover = hoverOf({{region}});
  EXPECT_NE(hover.find("and 12 more that cost less\n"), std::string::npos) << hover;
  EXPECT_NE(hover.find("xxxxx…"), std::string::npos) << hover;
  const size_t row = hover.find("   3.00  x");
  ASSERT_NE(row, std::string::npos) << hover;
  const size_t begin = hover.rfind('\n', row) + 1;
  EXPECT_EQ(columnsOf(hover.substr(begin, hover.find('\n', row) - begin)), 80u);
}

TEST(FlowText, OfOneBranch) {
  Presented made;
  const auto about = [&](const ControlFlow &flow, const std::string &what) {
    RichText text;
    addBranchesAt(text, *with(flow, made.add(loop(), 460, 900)), placeOf(what), Text(kText));
    return textOf(text);
  };
  EXPECT_EQ(
      about(traced(), "jle skip"),
      "jle skip: taken 50 %, mispredicted 50 % along the trace kern.mcatrace, which takes 12.0 of 16.6 cycles per "
      "iteration, 24.0 each; its condition waits for the load of line 2\n");
  EXPECT_EQ(about(traced(), "jne head"), "jne head: taken 100 %, never mispredicted along the trace kern.mcatrace\n");
  EXPECT_EQ(about(flow(Source::Odds, 14.2, 1.3), "jle skip"),
            "jle skip: expected to be taken 50 %; if it cannot be predicted, its mispredictions add up to 12.0 "
            "of 14.2 cycles per iteration; its condition waits for the load of line 2\n");
  EXPECT_EQ(about(traced(), "add b"), "");
}

// ---- findings ------------------------------------------------------------------------------------------------------

TEST(CallsAlongATrace, ThatItDoesNotFollowAreFindings) {
  Presented made;
  Region calling = loop();
  calling.calls = {"leaf", "visit"};
  calling.transfers = {{.instruction = 1, .text = "call leaf", .at = placeOf("load a")},
                       {.instruction = 2, .text = "call visit", .at = placeOf("add b")}};
  const auto findingsOf = [&](const ControlFlow &flow) {
    Analysis analysis;
    analysis.regions = {*with(flow, made.add(calling, 460, 900))};
    makeFindings(analysis, Text(kText), 5);
    std::erase_if(analysis.findings, [](const Finding &one) { return one.code != analysis::wire::codes::kCall; });
    return analysis.findings;
  };
  const std::string bound = "visit, whose time is not in the cycles";
  EXPECT_EQ(findingsOf(flow(Source::Odds, 5, 5)).at(0).related.size(), 2u);
  EXPECT_TRUE(findingsOf(traced()).empty());
  EXPECT_EQ(hoverOf({{with(traced(), made.add(calling, 460, 900))}}).find(bound), std::string::npos);
  ControlFlow flow = traced();
  flow.calls = {"visit"};
  flow.callers = {2};
  const std::vector<Finding> found = findingsOf(flow);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message, "loop in f: at least 16.6 cycles per iteration: it calls " + bound);
  ASSERT_EQ(found[0].related.size(), 1u);
  EXPECT_EQ(found[0].related[0].message, "call visit: not simulated");
  const std::string hover = hoverOf({{with(flow, made.add(calling, 460, 900))}});
  EXPECT_NE(hover.find("≥ calls " + bound), std::string::npos) << hover;
  EXPECT_NE(hover.find("about perfect prediction, without the time of calls.\n"), std::string::npos) << hover;
}

class FlowFindings : public FindingsTest {
protected:
  FlowFindings() : FindingsTest(kText) {}

  Region &add(Region region, const ControlFlow &flow) {
    region.at = {0, static_cast<uint32_t>(kText.size())};
    region.anchor = 0;
    return analysis.regions.emplace_back(*with(flow, made.add(std::move(region), 400, 400))).region;
  }
};

using Strings = std::vector<std::string>;

TEST_F(FlowFindings, ABranchThatCostsMoreThanAFifth) {
  add(loop(), traced(12 / 0.21, 4));
  EXPECT_EQ(findings(), Strings{"mispredicted-branch@jle skip: `jle skip`: mispredicted 500 of 1,000, 12.0 of 57.1 "
                                "cycles per iteration: its condition waits for the load of line 2 [load a: load a]"});
  EXPECT_EQ(analysis.findings.at(0).severity, analysis::wire::Severity::Information);
  analysis.regions.clear();
  add(loop(), traced(12 / 0.19, 4));
  EXPECT_EQ(findings(), Strings{});
}

TEST_F(FlowFindings, OfTheOddsThereIsNone) {
  add(loop(), flow(Source::Odds, 14, 2));
  EXPECT_EQ(findings(), Strings{});
}

TEST_F(FlowFindings, ABranchThatWasEditedIsReportedOnTheLineOfTheHint) {
  add(loop(), traced());
  analysis.regions[0].branches[0] = {};
  EXPECT_EQ(findings(), Strings{"mispredicted-branch@head:: `jle skip`: mispredicted 500 of 1,000, 12.0 of 16.6 cycles "
                                "per iteration: its condition waits for the load `load a`"});
}

TEST_F(FlowFindings, OfSeveralPathsItIsReportedOnce) {
  add(path("a"), traced());
  add(path("b"), traced());
  EXPECT_EQ(findings().size(), 1u);
}

TEST_F(FlowFindings, AComputedJumpWhosePredictionIsSimulated) {
  const auto jump = [](uint32_t instruction) {
    return analysis::wire::Transfer{.kind = analysis::wire::Transfer::Kind::IndirectJump,
                                    .instruction = instruction,
                                    .text = "jmp *t",
                                    .at = placeOf("jne head")};
  };
  add(loop(), traced(1000, 4)).transfers = {jump(3)};
  EXPECT_EQ(findings(), Strings{});
  analysis.regions[0].region.transfers = {jump(7)};
  ASSERT_EQ(findings().size(), 1u);
  EXPECT_TRUE(findings()[0].starts_with("indirect-jump@jne head: ")) << findings()[0];
  EXPECT_TRUE(findings()[0].ends_with("adds to the 4.0 cycles per iteration")) << findings()[0];
}

TEST_F(FlowFindings, LinesThatAreNotOnTheChosenPath) {
  add(path("through line 4"), withMisses(traced(1000, 4), 0)).places = {placeOf("load a"), placeOf("add b")};
  add(path("not through line 4"), withMisses(traced(1000, 4), 0)).places = {placeOf("load a"), placeOf("jne head")};
  EXPECT_EQ(findings(), Strings{});
  analysis.regions[1].chosen = true;
  EXPECT_EQ(findings(), Strings{"off-path@add b: not on the path that the hint shows, not through line 4"});
  analysis.regions[1].chosen = false;
  analysis.regions[0].chosen = true;
  EXPECT_EQ(findings(), Strings{"off-path@jne head: not on the path that the hint shows, through line 4"});
}

} // namespace
} // namespace lsp::wording
