// The hint's label and what stands with it: ranges over paths, iterations of the source's loop, several loops on a
// line; and the hover of such loops.
#include "lsp/wording/hint.h"
#include "lsp/wording/hover.h"
#include "tests/wording/presented.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

using analysis::wire::Caveat;
using analysis::wire::Region;
using analysis::wire::TargetSummary;
using analysis::wire::Verdict;

Hint hintOf(const LoopsOfLine &onLine, const TargetSummary &target = {}) {
  return makeHint(onLine, target, Text("a\nbcdefghijk\n"));
}

std::string labelIn(const Hint &hint) {
  std::string label;
  for (const HintPart &part : hint.parts)
    label += part.text;
  return label;
}

std::string labelFor(const LoopsOfLine &onLine) {
  const std::string label = labelIn(hintOf(onLine));
  EXPECT_EQ(hintLabel(onLine), label);
  return label;
}

/// All blocks, a line each.
std::string textOf(const RichText &text) {
  std::string all;
  for (const Block &block : text)
    all += block.text + "\n";
  return all;
}

std::string hoverOf(const LoopsOfLine &onLine) {
  return textOf(makeHover(onLine, {}, Text("a\nbcdefghijk\n")));
}

TEST(Hint, OnePath) {
  Presented made;
  EXPECT_EQ(labelFor({{made.add(loop(), 400, 948)}}), "IPC 2.37 · 4.0 cyc");
}

TEST(Hint, ARangeOverThePaths) {
  Presented made;
  EXPECT_EQ(labelFor({{made.add(path("through line 3"), 500, 1200), made.add(path("through line 5"), 300, 570)}}),
            "IPC 1.90–2.40 · 3.0–5.0 cyc");
  EXPECT_EQ(labelFor({{made.add(path("a"), 300, 600), made.add(path("b"), 301, 602), made.add(path("c"), 302, 604)}}),
            "IPC 2.00 · 3.0 cyc")
      << "no range where both ends read the same";
  EXPECT_EQ(labelFor({{made.add(path("a"), 300, 600), made.add(path("b"), 600, 1200)}}), "IPC 2.00 · 3.0–6.0 cyc");
}

TEST(Hint, CyclesOfTheSourcesIteration) {
  Presented made;
  EXPECT_EQ(labelFor({{made.add(loop(8), 400, 800)}}), "IPC 2.00 · 0.50 cyc/iter");
  EXPECT_EQ(labelFor({{made.add(loop(32), 100, 300)}}), "IPC 3.00 · 0.03 cyc/iter");
  EXPECT_EQ(labelFor({{made.add(loop(0), 400, 800)}}), "IPC 2.00 · 4.0 cyc") << "how many is unknown";
  const Hint unknown = hintOf({{made.add(loop(0), 400, 800)}});
  EXPECT_EQ(unknown.parts.back().tooltip.front().text,
            "Cycles per iteration of the machine code: 4.00. How many iterations of the source's loop that is, is "
            "unknown.");
}

TEST(Hint, DoubtOfAnyPathIsTheHints) {
  Presented made;
  Region doubtful = path("through line 5");
  doubtful.caveats = {{.kind = Caveat::Kind::RepeatPrefix}};
  EXPECT_EQ(labelFor({{made.add(path("through line 3"), 300, 600), made.add(doubtful, 300, 600)}}),
            "≈ IPC 2.00 · 3.0 cyc");
}

TEST(Hint, ACallOnAnyPathMakesTheHintALowerBound) {
  Presented made;
  Region calling = path("through line 5");
  calling.calls = {"ns::visit"};
  const ShownLoop both{made.add(path("not through line 5"), 300, 600), made.add(calling, 500, 600)};
  const Hint hint = hintOf({both});
  EXPECT_EQ(labelIn(hint), "≥ 3.0 cyc · calls ns::visit");
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

TEST(Hint, InstructionsThatAreLeftOutMakeALowerBound) {
  Presented made;
  const Verdict verdict{.kind = Verdict::Kind::Dispatch, .busy = 2, .cycles = 2.1};
  Region lacking = path("through line 5");
  lacking.caveats = {{.kind = Caveat::Kind::NoSchedulingData, .count = 2, .names = {"cortex-a78", "casb"}}};
  const ShownLoop both{made.add(path("not through line 5"), 300, 600, verdict), made.add(lacking, 500, 600, verdict)};
  const Hint hint = hintOf({both});
  EXPECT_EQ(labelIn(hint), "≥ 3.0 cyc · lacks casb");
  ASSERT_EQ(hint.parts.size(), 3u);
  const std::string about = "At least this many cycles: the code has 2 instructions without scheduling data. They are "
                            "those of the shortest path, which may lack nothing.\n";
  EXPECT_EQ(textOf(hint.parts[0].tooltip), about);
  EXPECT_EQ(textOf(hint.parts[2].tooltip), about);
  EXPECT_NE(textOf(hint.tooltip)
                .find("through line 5: ≥ 5.0 cyc; has 2 instructions without scheduling data; apart "
                      "from what is left out, limited by dispatch"),
            std::string::npos)
      << textOf(hint.tooltip);
  Region unread = loop();
  unread.caveats = {{.kind = Caveat::Kind::UnreadLine, .count = 1}, {.kind = Caveat::Kind::RepeatPrefix}};
  const Hint alone = hintOf({{made.add(unread, 300, 600, verdict)}});
  EXPECT_EQ(labelIn(alone), "≥ ≈ 3.0 cyc · lacks 1 line");
  EXPECT_NE(textOf(alone.tooltip).find("≥ a line in it could not be read and is missing\n"), std::string::npos)
      << textOf(alone.tooltip);
}

TEST(Hint, WhatTheLabelHasNoRoomForIsInTheTooltips) {
  Presented made;
  const Verdict dispatch{.kind = Verdict::Kind::Dispatch, .busy = 2, .cycles = 2.1};
  const Hint hint = hintOf({{made.add(loop(32), 210, 700, dispatch)}, {made.add(loop(), 100, 100)}});
  EXPECT_EQ(labelIn(hint), "0.07 cyc/iter · dispatch +1");
  EXPECT_TRUE(textOf(hint.tooltip).starts_with("loop in f: IPC 3.33 · 0.07 cyc/iter\nLimited by dispatch: "))
      << textOf(hint.tooltip);
  EXPECT_NE(textOf(hint.parts[0].tooltip).find("Instructions per cycle: 3.33"), std::string::npos);
  const Verdict resource{.kind = Verdict::Kind::Resource, .units = {{"A-unit-whose-name-is-too-long-for-it"}}};
  const Hint cut = hintOf({{made.add(loop(32), 210, 700, resource)}});
  EXPECT_EQ(labelIn(cut), "IPC 3.33 · 0.07 cyc/iter");
  EXPECT_NE(textOf(cut.parts[1].tooltip).find("Limited by A-unit-whose"), std::string::npos);
}

TEST(Hint, OtherLoopsOnTheLineAreCounted) {
  Presented made;
  Region body = loop(4), remainder = loop();
  body.variant = "vector body ×4";
  remainder.variant = "remainder";
  const LoopsOfLine onLine{{made.add(body, 400, 800)}, {made.add(remainder, 300, 300)}};
  const Hint hint = hintOf(onLine);
  EXPECT_EQ(labelIn(hint), "IPC 2.00 · 1.00 cyc/iter +1");
  const std::string tooltip = textOf(hint.tooltip);
  EXPECT_TRUE(tooltip.starts_with("loop in f, vector body ×4: IPC 2.00 · 1.00 cyc/iter\n")) << tooltip;
  EXPECT_NE(tooltip.find("also here: loop in f, remainder, 3 instructions: IPC 1.00 · 3.0 cyc\n"), std::string::npos)
      << tooltip;
  const std::string hover = hoverOf(onLine);
  EXPECT_NE(hover.find("remainder"), std::string::npos) << hover;
  EXPECT_NE(hover.find("Cycles per iteration       1.00\nCycles per 4 iterations    4.00\n"), std::string::npos)
      << hover;
}

TEST(Hint, PathsAreListedWithTheirShares) {
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

TEST(Hint, ALoopOfOnePathListsNone) {
  Presented made;
  EXPECT_EQ(textOf(hintOf({{made.add(loop(), 300, 600)}}).tooltip).find("paths"), std::string::npos);
}

TEST(Hint, EachPartOfTheLabelExplainsItself) {
  Presented made;
  Region region = loop(2);
  region.caveats = {{.kind = Caveat::Kind::BranchingText}};
  const Verdict verdict{
      .kind = Verdict::Kind::Registers, .chain = {{0, "%xmm0", 4, 1}}, .witnesses = {{.instruction = 0}}};
  const auto partsOf = [](const Hint &hint) {
    std::vector<std::string> parts;
    for (const HintPart &part : hint.parts)
      parts.push_back(part.text + "|" + textOf(part.tooltip));
    return parts;
  };
  const std::vector<std::string> parts =
      partsOf(hintOf({{made.add(region, 400, 800, verdict)}, {made.add(loop(), 100, 100)}}));
  ASSERT_EQ(parts.size(), 5u);
  EXPECT_EQ(parts[0],
            "≈ |Less certain than it looks:\nthe text branches: it is simulated from its first to its last line\n");
  EXPECT_EQ(parts[1].substr(0, 9), "IPC 2.00|");
  EXPECT_TRUE(parts[2].starts_with(" · 2.00 cyc/iter|")) << parts[2];
  EXPECT_NE(parts[2].find("does 2 of them at once, in 4.00 cycles"), std::string::npos) << parts[2];
  EXPECT_TRUE(parts[3].starts_with(" · dep|Limited by")) << parts[3];
  EXPECT_TRUE(parts[4].starts_with(" +1|also here: ")) << parts[4];
  region.caveats.clear();
  const std::vector<std::string> certain = partsOf(hintOf({{made.add(region, 400, 800, verdict)}}));
  ASSERT_EQ(certain.size(), 3u);
  EXPECT_EQ(certain[0].substr(0, 9), "IPC 2.00|");
  EXPECT_TRUE(certain[1].starts_with(" · 2.00 cyc/iter|")) << certain[1];
  region.sourceIterations = 1;
  const Verdict port{.kind = Verdict::Kind::Resource, .units = {{"SKLPort5"}}};
  const std::vector<std::string> limited = partsOf(hintOf({{made.add(region, 400, 800, port)}}));
  ASSERT_EQ(limited.size(), 3u);
  EXPECT_TRUE(limited[2].starts_with(" · p5|Limited by SKLPort5: ")) << limited[2];
}

TEST(Hint, PathsMustAgreeOnTheLimitThatIsShown) {
  Presented made;
  const Verdict port{.kind = Verdict::Kind::Resource, .units = {{"SKLPort5"}}};
  const AnalysedRegion *first = made.add(path("a"), 300, 600, port);
  EXPECT_EQ(labelFor({{first, made.add(path("b"), 300, 600, port)}}), "IPC 2.00 · 3.0 cyc · p5");
  EXPECT_EQ(labelFor({{first, made.add(path("b"), 300, 600, {.kind = Verdict::Kind::Registers})}}),
            "IPC 2.00 · 3.0 cyc");
}

TEST(Hint, WhatTheNumbersWouldBeIfLoadsWaitedForStores) {
  Presented made;
  const auto hoverWith = [&](double orderedCycles) {
    analysis::wire::Simulation simulation = Presented::numbers(400, 800);
    simulation.loadsAndStores = true;
    simulation.orderedCycles = orderedCycles;
    return hoverOf({{made.add(loop(), simulation)}});
  };
  EXPECT_NE(hoverWith(7).find("if each had to wait for the stores before it: 7.0 cycles"), std::string::npos);
  EXPECT_EQ(hoverWith(4.1).find("stores"), std::string::npos) << "it makes no difference";
  EXPECT_NE(hoverWith(-1).find("no load is assumed to depend"), std::string::npos);
  EXPECT_EQ(hoverOf({{made.add(loop(), 400, 800)}}).find("assumed"), std::string::npos) << "it does not do both";
}

TEST(Hint, SaysWhatUnalignedDataCost) {
  Presented made;
  const auto hoverWith = [&](double cycles) {
    analysis::wire::Simulation simulation = Presented::numbers(400, 800);
    simulation.calibrated = {.llvmCycles = 4, .llvmIpc = 2, .bounds = {}, .unalignedCycles = cycles};
    return hoverOf({{made.add(loop(), simulation)}});
  };
  EXPECT_NE(
      hoverWith(8).find("its data are assumed to begin a line of the cache; 16 bytes behind, as memory from malloc "
                        "may: 8.0 cycles per iteration"),
      std::string::npos);
  EXPECT_EQ(hoverWith(4.1).find("malloc"), std::string::npos) << "it makes no difference";
  EXPECT_EQ(hoverWith(0).find("malloc"), std::string::npos) << "not simulated";
}

TEST(Hint, ARegionWithoutCyclesDividesByNothing) {
  Presented made;
  EXPECT_EQ(labelFor({{made.add(loop(), 0, 0)}}), "IPC 0.00 · 0.0 cyc");
  hoverOf({{made.add(loop(), 0, 0)}});
}

TEST(Hint, NamesTheOtherCommandsOfTheFile) {
  TargetSummary target{"x86_64", "znver4", "", "from -march", "its own model", "db"};
  Presented made;
  const LoopsOfLine one = {{made.add(loop(), 400, 948)}};
  EXPECT_EQ(hintOf(one, target).tooltip.back().text, "CPU znver4 (from -march); its own model.");
  target.commands = {"without -mavx2", "with -mavx2", "with -mavx512f"};
  target.command = "with -mavx2";
  EXPECT_EQ(hintOf(one, target).tooltip.back().text,
            "CPU znver4 (from -march); its own model. This is the code of the command with -mavx2; the file is also "
            "compiled by the command without -mavx2, and by the one with -mavx512f.");
}

TEST(Hint, TellsWhatHasChanged) {
  Presented made;
  AnalysedRegion *region = made.add(loop(), 300, 600);
  region->changes = {{"the last save", {.cycles = 4, .ipc = 2}, {.cycles = 3, .ipc = 2}}};
  const std::string change = "4.0 → 3.0 cyc (−25 %) since the last save\n";
  const Hint hint = hintOf({{region}});
  EXPECT_NE(textOf(hint.tooltip).find(change), std::string::npos) << textOf(hint.tooltip);
  EXPECT_TRUE(textOf(hint.parts.at(1).tooltip).ends_with(change)) << textOf(hint.parts[1].tooltip);
  EXPECT_NE(hoverOf({{region}}).find(change), std::string::npos);
}

TEST(Hint, AShortOneHasNoTooltips) {
  Presented made;
  const LoopsOfLine onLine{{made.add(loop(), 400, 948)}, {made.add(loop(), 100, 100)}};
  const Hint hint = makeShortHint(onLine);
  EXPECT_EQ(labelIn(hint), labelFor(onLine));
  EXPECT_TRUE(hint.tooltip.empty());
  ASSERT_EQ(hint.parts.size(), hintOf(onLine).parts.size());
  for (const HintPart &part : hint.parts)
    EXPECT_TRUE(part.tooltip.empty()) << part.text;
}

// ---- the hover alone -----------------------------------------------------------------------------------------------

/// Two instructions on the lines 2 and 3, which pass a value on to each other; the first one's line may be edited away.
AnalysedRegion *chained(Presented &made, double chainCycles, bool edited = false) {
  analysis::wire::Simulation simulation = Presented::numbers(400, 200);
  simulation.body = {{.text = "mul a"}, {.text = "add b"}};
  simulation.chainCycles = chainCycles;
  simulation.chain = {{0, "%eax", 3, 0}, {1, "%ebx", 1, 1}};
  AnalysedRegion *region = made.add(loop(), simulation);
  region->region.places = {edited ? analysis::wire::ByteRange{} : analysis::wire::ByteRange{2, 7}, {8, 13}};
  return region;
}

std::string hoverOfChain(double chainCycles, bool edited = false) {
  Presented made;
  return textOf(makeHover({{chained(made, chainCycles, edited)}}, {}, Text("a\nmul a\nadd b\n")));
}

TEST(Hover, NamesTheLinesOfTheChain) {
  const std::string hover = hoverOfChain(3.6);
  EXPECT_NE(hover.find("Longest loop-carried chain, 3.6 cycles per iteration:\n"
                       "line 2     mul a                                  eax after 3\n"
                       "line 3     add b                                  ebx after 1\n"),
            std::string::npos)
      << hover;
}

TEST(Hover, AChainThatTakesLittleOfTheTimeIsNotTold) {
  EXPECT_EQ(hoverOfChain(1.9).find("chain"), std::string::npos);
}

TEST(Hover, ALineThatWasEditedHasNoNumber) {
  const std::string hover = hoverOfChain(3.6, /*edited=*/true);
  EXPECT_EQ(hover.find("line 2"), std::string::npos) << hover;
  EXPECT_NE(hover.find("           mul a "), std::string::npos) << hover;
}

TEST(Hover, OtherCpusAreComparedByTheSourcesIteration) {
  Presented made;
  analysis::wire::Simulation simulation = Presented::numbers(400, 800);
  simulation.otherCpus = {{.cpu = "haswell", .cycles = 8, .ipc = 1, .remark = "borrowed"},
                          {.cpu = "nonsense", .remark = "unknown", .simulated = false}};
  AnalysedRegion *region = made.add(loop(4), simulation);
  const TargetSummary target{.cpu = "skylake"};
  const auto tableOf = [&] { return textOf(makeHover({{region}}, target, Text())); };
  EXPECT_NE(tableOf().find("On other CPUs, cycles per iteration:\n"
                           "skylake       1.00 cyc  IPC 2.00\n"
                           "haswell       2.00 cyc  IPC 1.00  ≈ borrowed\n"
                           "nonsense  unknown\n"),
            std::string::npos)
      << tableOf();
  region->region.calls = {"f"};
  EXPECT_NE(tableOf().find("haswell   ≥     2.00 cyc  ≈ borrowed\n"), std::string::npos) << tableOf();
  region->region.calls.clear();
  region->region.caveats = {{.kind = Caveat::Kind::UnreadLine, .count = 1}};
  EXPECT_NE(tableOf().find("haswell   ≥     2.00 cyc  ≈ borrowed\n"), std::string::npos) << tableOf();
  region->region.caveats.clear();
  simulation.otherCpus[0].isLowerBound = true;
  region = made.add(loop(4), simulation);
  EXPECT_NE(tableOf().find("haswell   ≥     2.00 cyc  ≈ borrowed\n"), std::string::npos) << tableOf();
  EXPECT_NE(tableOf().find("skylake       1.00 cyc  IPC 2.00\n"), std::string::npos) << tableOf();
}

} // namespace
} // namespace lsp::wording
