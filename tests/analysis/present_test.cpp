// The hint's label and what stands with it: ranges over paths, iterations of the source's loop, several loops on a
// line.
#include "analysis/verdict/present.h"
#include "analysis/wording/hint.h"
#include "analysis/wording/hover.h"

#include <gtest/gtest.h>

#include <deque>

namespace analysis {
namespace {

/// Regions with reports of 100 iterations, which last as long as this at their steady rate, and 7 cycles to run up.
class Presented {
public:
  AnalysedRegion add(const Region &region, uint64_t cycles, uint64_t instructions) {
    regions_.push_back(region);
    mca::Report &report = reports_.emplace_back();
    report.summary = {.iterations = 100,
                      .instructions = instructions,
                      .cycles = cycles + 7,
                      .microOps = instructions,
                      .rate = {cycles, 100}};
    report.instructions.resize(instructions / 100);
    AnalysedRegion analysed;
    analysed.region = &regions_.back();
    analysed.report = &report;
    analysed.caveats = region.caveats;
    return analysed;
  }

private:
  std::deque<Region> regions_;
  std::deque<mca::Report> reports_;
};

Region loop(uint32_t sourceIterations = 1) {
  Region region{.kind = wire::RegionKind::Loop, .name = "loop in f", .at = {3, 9}, .anchor = 4};
  region.sourceIterations = sourceIterations;
  return region;
}

Region path(const std::string &name, std::optional<double> share = std::nullopt) {
  Region region{.kind = wire::RegionKind::Path, .name = "loop in f", .path = name, .at = {3, 9}, .anchor = 4};
  region.share = share;
  return region;
}

std::vector<ShownLoop> shown(const std::vector<AnalysedLoop> &onLine) {
  static const TextLines lines("a\nbcdefghijk\n");
  std::vector<ShownLoop> loops;
  for (const AnalysedLoop &loop : onLine)
    loops.push_back(shownLoop(loop, lines));
  return loops;
}

wire::Hint hintOf(const std::vector<AnalysedLoop> &onLine, const wire::TargetSummary &target = {}) {
  return makeHint(shown(onLine), target);
}

wire::Hover hoverOf(const std::vector<AnalysedLoop> &onLine) {
  return makeHover(shown(onLine), {});
}

std::string labelOf(const std::vector<AnalysedLoop> &onLine) {
  return hintOf(onLine).label();
}

/// All blocks, a line each.
std::string textOf(const wire::RichText &text) {
  std::string all;
  for (const wire::Block &block : text)
    all += block.text + "\n";
  return all;
}

TEST(Present, OnePath) {
  Presented made;
  EXPECT_EQ(labelOf({{made.add(loop(), 400, 948)}}), "IPC 2.37 · 4.0 cyc");
}

TEST(Present, ARangeOverThePaths) {
  Presented made;
  EXPECT_EQ(labelOf({{made.add(path("through line 3"), 500, 1200), made.add(path("through line 5"), 300, 570)}}),
            "IPC 1.90–2.40 · 3.0–5.0 cyc");
  EXPECT_EQ(labelOf({{made.add(path("a"), 300, 600), made.add(path("b"), 301, 602), made.add(path("c"), 302, 604)}}),
            "IPC 2.00 · 3.0 cyc")
      << "no range where both ends read the same";
  EXPECT_EQ(labelOf({{made.add(path("a"), 300, 600), made.add(path("b"), 600, 1200)}}), "IPC 2.00 · 3.0–6.0 cyc");
}

TEST(Present, CyclesOfTheSourcesIteration) {
  Presented made;
  EXPECT_EQ(labelOf({{made.add(loop(8), 400, 800)}}), "IPC 2.00 · 0.50 cyc/iter");
  EXPECT_EQ(labelOf({{made.add(loop(32), 100, 300)}}), "IPC 3.00 · 0.03 cyc/iter");
  EXPECT_EQ(labelOf({{made.add(loop(0), 400, 800)}}), "IPC 2.00 · 4.0 cyc") << "how many is unknown";
  const wire::Hint unknown = hintOf({{made.add(loop(0), 400, 800)}});
  EXPECT_EQ(unknown.parts.back().tooltip.front().text,
            "Cycles per iteration of the machine code: 4.00. How many iterations of the source's loop that is, is "
            "unknown.");
}

TEST(Present, DoubtOfAnyPathIsTheHints) {
  Presented made;
  Region doubtful = path("through line 5");
  doubtful.caveats = {"a line is missing"};
  EXPECT_EQ(labelOf({{made.add(path("through line 3"), 300, 600), made.add(doubtful, 300, 600)}}),
            "≈ IPC 2.00 · 3.0 cyc");
}

TEST(Present, ACallOnAnyPathMakesTheHintALowerBound) {
  Presented made;
  Region calling = path("through line 5");
  calling.calls = {"ns::visit"};
  const AnalysedLoop both{made.add(path("not through line 5"), 300, 600), made.add(calling, 500, 600)};
  const wire::Hint hint = hintOf({both});
  EXPECT_EQ(hint.label(), "≥ 3.0 cyc · calls ns::visit");
  const std::string tooltip = textOf(hint.tooltip);
  EXPECT_TRUE(tooltip.starts_with("loop in f: ≥ 3.0 cyc\n")) << tooltip;
  EXPECT_NE(tooltip.find("not through line 5: IPC 2.00 · 3.0 cyc\n"), std::string::npos) << tooltip;
  EXPECT_NE(tooltip.find("through line 5: ≥ 5.0 cyc; calls ns::visit, whose time is not in the cycles\n"),
            std::string::npos)
      << tooltip;
  ASSERT_EQ(hint.parts.size(), 3u);
  EXPECT_EQ(hint.parts[0].text, "≥ ");
  EXPECT_EQ(textOf(hint.parts[0].tooltip),
            "At least this many cycles: the code calls ns::visit, whose time is not in the cycles. They are those of "
            "the shortest path, on which it may make no call.\n");
  EXPECT_EQ(hint.parts[2].text, " · calls ns::visit");
}

TEST(Present, WhatTheLabelHasNoRoomForIsInTheTooltips) {
  Presented made;
  AnalysedRegion analysed = made.add(loop(32), 210, 700);
  analysed.verdict = {.kind = wire::Verdict::Kind::Dispatch, .busy = 2, .cycles = 2.1};
  const wire::Hint hint = hintOf({{analysed}, {made.add(loop(), 100, 100)}});
  EXPECT_EQ(hint.label(), "0.07 cyc/iter · dispatch +1");
  EXPECT_TRUE(textOf(hint.tooltip).starts_with("loop in f: IPC 3.33 · 0.07 cyc/iter\nLimited by dispatch: "))
      << textOf(hint.tooltip);
  EXPECT_NE(textOf(hint.parts[0].tooltip).find("Instructions per cycle: 3.33"), std::string::npos);
  analysed.verdict = {.kind = wire::Verdict::Kind::Resource, .units = {{"A-unit-whose-name-is-too-long-for-it"}}};
  const wire::Hint cut = hintOf({{analysed}});
  EXPECT_EQ(cut.label(), "IPC 3.33 · 0.07 cyc/iter");
  EXPECT_NE(textOf(cut.parts[1].tooltip).find("Limited by A-unit-whose"), std::string::npos);
}

TEST(Present, OtherLoopsOnTheLineAreCounted) {
  Presented made;
  Region body = loop(4), remainder = loop();
  body.variant = "vector body ×4";
  remainder.variant = "remainder";
  const std::vector<AnalysedLoop> onLine{{made.add(body, 400, 800)}, {made.add(remainder, 300, 300)}};
  const wire::Hint hint = hintOf(onLine);
  EXPECT_EQ(hint.label(), "IPC 2.00 · 1.00 cyc/iter +1");
  EXPECT_EQ(hint.offset, 4u);
  const std::string tooltip = textOf(hint.tooltip);
  EXPECT_TRUE(tooltip.starts_with("loop in f, vector body ×4: IPC 2.00 · 1.00 cyc/iter\n")) << tooltip;
  EXPECT_NE(tooltip.find("also here: loop in f, remainder, 3 instructions: IPC 1.00 · 3.0 cyc\n"), std::string::npos)
      << tooltip;
  const std::string hover = textOf(hoverOf(onLine).contents);
  EXPECT_NE(hover.find("remainder"), std::string::npos) << hover;
  EXPECT_NE(hover.find("Cycles per iteration       1.00\nCycles per 4 iterations    4.00\n"), std::string::npos)
      << hover;
}

TEST(Present, PathsAreListedWithTheirShares) {
  Presented made;
  const std::string tooltip = textOf(hintOf({{made.add(path("through line 3", 0.9), 300, 600),
                                              made.add(path("not through line 3", 0.0004), 500, 500)}})
                                         .tooltip);
  EXPECT_NE(tooltip.find("through line 3, 90 %: IPC 2.00 · 3.0 cyc\n"), std::string::npos) << tooltip;
  EXPECT_NE(tooltip.find("not through line 3, under 1 %: IPC 1.00 · 5.0 cyc\n"), std::string::npos) << tooltip;
  EXPECT_NE(tooltip.find("as the compiler expects"), std::string::npos) << tooltip;
  const std::string untold = textOf(hintOf({{made.add(path("a"), 300, 600), made.add(path("b"), 500, 500)}}).tooltip);
  EXPECT_EQ(untold.find("expects"), std::string::npos) << untold;
  EXPECT_EQ(untold.find('%'), std::string::npos) << untold;
}

TEST(Present, ALoopOfOnePathListsNone) {
  Presented made;
  EXPECT_EQ(textOf(hintOf({{made.add(loop(), 300, 600)}}).tooltip).find("paths"), std::string::npos);
}

TEST(Present, TheHoverReachesOverAllLoopsOfTheLine) {
  Presented made;
  Region other = loop();
  other.at = {7, 30};
  EXPECT_EQ(hoverOf({{made.add(loop(), 300, 600)}, {made.add(other, 300, 600)}}).at, (wire::ByteRange{3, 30}));
}

TEST(Present, EachPartOfTheLabelExplainsItself) {
  Presented made;
  Region region = loop(2);
  region.caveats = {"a line is missing"};
  AnalysedRegion analysed = made.add(region, 400, 800);
  analysed.verdict = {
      .kind = wire::Verdict::Kind::Registers, .chain = {{0, "%xmm0", 4, 1}}, .witnesses = {{.instruction = 0}}};
  const auto partsOf = [](const wire::Hint &hint) {
    std::vector<std::string> parts;
    for (const wire::HintPart &part : hint.parts)
      parts.push_back(part.text + "|" + textOf(part.tooltip));
    return parts;
  };
  const std::vector<std::string> parts = partsOf(hintOf({{analysed}, {made.add(loop(), 100, 100)}}));
  ASSERT_EQ(parts.size(), 5u);
  EXPECT_EQ(parts[0], "≈ |Less certain than it looks:\na line is missing\n");
  EXPECT_EQ(parts[1].substr(0, 9), "IPC 2.00|");
  EXPECT_TRUE(parts[2].starts_with(" · 2.00 cyc/iter|")) << parts[2];
  EXPECT_NE(parts[2].find("does 2 of them at once, in 4.00 cycles"), std::string::npos) << parts[2];
  EXPECT_TRUE(parts[3].starts_with(" · dep|Limited by")) << parts[3];
  EXPECT_TRUE(parts[4].starts_with(" +1|also here: ")) << parts[4];
  analysed.caveats.clear();
  const std::vector<std::string> certain = partsOf(hintOf({{analysed}}));
  ASSERT_EQ(certain.size(), 3u);
  EXPECT_EQ(certain[0].substr(0, 9), "IPC 2.00|");
  EXPECT_TRUE(certain[1].starts_with(" · 2.00 cyc/iter|")) << certain[1];
  region.sourceIterations = 1;
  AnalysedRegion plain = made.add(region, 400, 800);
  plain.caveats.clear();
  plain.verdict = {.kind = wire::Verdict::Kind::Resource, .units = {{"SKLPort5"}}};
  const std::vector<std::string> limited = partsOf(hintOf({{plain}}));
  ASSERT_EQ(limited.size(), 3u);
  EXPECT_TRUE(limited[2].starts_with(" · p5|Limited by SKLPort5: ")) << limited[2];
}

TEST(Present, PathsMustAgreeOnTheLimitThatIsShown) {
  Presented made;
  AnalysedRegion a = made.add(path("a"), 300, 600), b = made.add(path("b"), 300, 600);
  a.verdict = b.verdict = {.kind = wire::Verdict::Kind::Resource, .units = {{"SKLPort5"}}};
  EXPECT_EQ(labelOf({{a, b}}), "IPC 2.00 · 3.0 cyc · p5");
  b.verdict = {.kind = wire::Verdict::Kind::Registers};
  EXPECT_EQ(labelOf({{a, b}}), "IPC 2.00 · 3.0 cyc");
}

TEST(Present, TheSummaryOfAPath) {
  Presented made;
  Region region = path("through line 7", 0.25);
  region.variant = "unrolled ×2";
  region.sourceIterations = 2;
  region.loop = 5;
  const TextLines lines("a\nbcdefghijk\n");
  const wire::RegionSummary summary = summarize(made.add(region, 300, 600), lines);
  EXPECT_EQ(summary.name, "loop in f, unrolled ×2, through line 7");
  EXPECT_EQ(summary.kind, wire::RegionKind::Path);
  EXPECT_EQ(summary.line, 2u);
  EXPECT_EQ(summary.loop, 5u);
  EXPECT_EQ(summary.sourceIterations, 2u);
  EXPECT_EQ(summary.share, 0.25);
  EXPECT_EQ(summarize(made.add(loop(), 300, 600), lines).share, -1);
}

TEST(Present, WhatTheNumbersWouldBeIfLoadsWaitedForStores) {
  Presented made;
  const auto hoverWith = [&](std::optional<uint64_t> orderedCycles) {
    AnalysedRegion analysed = made.add(loop(), 400, 800);
    auto &instructions = const_cast<mca::Report *>(analysed.report)->instructions;
    instructions[0].mayLoad = instructions[1].mayStore = true;
    if (orderedCycles)
      analysed.ordered = mca::Summary{.iterations = 100, .rate = {*orderedCycles, 100}};
    return textOf(hoverOf({{analysed}}).contents);
  };
  EXPECT_NE(hoverWith(700).find("if each had to wait for the stores before it: 7.0 cycles"), std::string::npos);
  EXPECT_EQ(hoverWith(410).find("stores"), std::string::npos) << "it makes no difference";
  EXPECT_NE(hoverWith(std::nullopt).find("no load is assumed to depend"), std::string::npos);
}

TEST(Present, ARegionWithoutCyclesDividesByNothing) {
  Presented made;
  EXPECT_EQ(labelOf({{made.add(loop(), 0, 0)}}), "IPC 0.00 · 0.0 cyc");
  hoverOf({{made.add(loop(), 0, 0)}});
}

TEST(Present, NamesTheOtherCommandsOfTheFile) {
  wire::TargetSummary target{"x86_64", "znver4", "", "from -march", "its own model", "db"};
  Presented made;
  const std::vector<AnalysedLoop> one = {{made.add(loop(), 400, 948)}};
  EXPECT_EQ(hintOf(one, target).tooltip.back().text, "CPU znver4 (from -march); its own model.");
  target.commands = {"without -mavx2", "with -mavx2", "with -mavx512f"};
  target.command = "with -mavx2";
  EXPECT_EQ(hintOf(one, target).tooltip.back().text,
            "CPU znver4 (from -march); its own model. This is the code of the command with -mavx2; the file is also "
            "compiled by the command without -mavx2, and by the one with -mavx512f.");
}

} // namespace
} // namespace analysis
