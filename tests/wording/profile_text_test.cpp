// Shares of time and cycles in the program: in labels, hovers, and which loops are worth a hint.
#include "lsp/wording/hint.h"
#include "lsp/wording/hint_label.h"
#include "lsp/wording/profile_text.h"
#include "tests/wording/presented.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

using analysis::wire::ProfiledLoop;
using analysis::wire::ProfileSummary;
using analysis::wire::Region;

const ProfileSummary kProfile{
    .file = "/p.mcaprofile", .event = "cpu-clock", .isTime = true, .samples = 1000, .hasCode = true, .inText = 0.5};

Region profiled(double share, double cycles = 0, uint32_t sourceIterations = 1) {
  Region region = loop(sourceIterations);
  region.profiled = {.match = ProfiledLoop::Match::Exact, .share = share, .cycles = cycles};
  return region;
}

std::string textOf(const RichText &text) {
  std::string all;
  for (const Block &block : text)
    all += (block.kind == Block::Kind::Item ? "- " : "") + block.text + "\n";
  return all;
}

std::string about(const LoopsOfLine &onLine, const ProfileSummary &profile = kProfile) {
  RichText text;
  addProfiled(text, onLine, profile);
  return textOf(text);
}

TEST(ProfileText, TheLabelBeginsWithTheShare) {
  Presented made;
  EXPECT_EQ(hintLabel({{made.add(profiled(0.1234), 400, 800)}}), "12 % · IPC 2.00 · 4.0 cyc");
  EXPECT_EQ(hintLabel({{made.add(profiled(0.034, 9.6), 410, 800)}}), "3.4 % · 4.1 cyc (in program 9.6)");
  EXPECT_EQ(hintLabel({{made.add(profiled(0.034, 16, 8), 800, 1600)}}), "3.4 % · 1.0 c/iter (in program 2.00)")
      << "in the unit of the hint";
  EXPECT_EQ(hintLabel({{made.add(loop(), 400, 800)}}), "IPC 2.00 · 4.0 cyc");
  Region changed = loop();
  changed.profiled = {.match = ProfiledLoop::Match::Changed, .share = 0.2, .difference = "d"};
  EXPECT_EQ(hintLabel({{made.add(changed, 400, 800)}}), "IPC 2.00 · 4.0 cyc") << "the loop's own share is not known";
}

TEST(ProfileText, TheShareAndTheCyclesStayInALabelThatIsTooLong) {
  const LoopNumbers numbers{.leastIpc = 2,
                            .mostIpc = 2,
                            .leastCycles = 123456.7,
                            .mostCycles = 234567.8,
                            .leftOut = {},
                            .leastMeasured = -1,
                            .observed = 345678};
  EXPECT_EQ(fitLabel(numbers, "p5", 3, "50 % · ").whole(), "50 % · 123k–235k cyc · p5 +3");
}

TEST(ProfileText, ATinyShareIsNotNothing) {
  EXPECT_EQ(shareInWords(0.0004), "< 0.1 %");
  EXPECT_EQ(shareInWords(0.0006), "0.1 %");
  EXPECT_EQ(shareInWords(0.0996), "10 %");
}

TEST(ProfileText, CopiesOfALoopAddUpAndAreListed) {
  Presented made;
  Region copy = profiled(0.05);
  copy.variant = "in g";
  const LoopsOfLine onLine{{made.add(profiled(0.1), 400, 800)}, {made.add(copy, 400, 800)}};
  EXPECT_DOUBLE_EQ(shareOfLine(onLine), 0.15);
  EXPECT_EQ(hintLabel(onLine), "15 % · IPC 2.00 · 4.0 cyc +1");
  EXPECT_EQ(about(onLine), "15 % of the program's time (cpu-clock) in the loops of this line:\n"
                           "- 10 % in loop in f\n- 5.0 % in loop in f, in g\n");
}

TEST(ProfileText, SaysWhatThePredictionLeavesOut) {
  Presented made;
  EXPECT_EQ(about({{made.add(profiled(0.5, 4.2), 400, 800)}}),
            "50 % of the program's time (cpu-clock).\nIn the program it took 4.2 cycles per iteration.\n");
  auto simulation = Presented::numbers(400, 800);
  simulation.body = {{.text = "movl (%rdi), %eax", .loads = true}};
  simulation.orderedCycles = 9;
  EXPECT_EQ(about({{made.add(profiled(0.5, 12), simulation)}}),
            "50 % of the program's time (cpu-clock).\n"
            "In the program it took 12.0 cycles per iteration, 3.0 times the prediction. What is not in the "
            "prediction:\n"
            "- loads that wait for the stores before them: 9.0 cycles per iteration if each does\n"
            "- loads that miss the first cache, if there are any: the prediction has none of them\n");
  Region calling = profiled(0.5, 12);
  calling.calls = {"g"};
  EXPECT_NE(
      about({{made.add(calling, 400, 800)}}).find("- it calls g, whose time is not in the cycles; nor are they in"),
      std::string::npos);
}

TEST(ProfileText, WaitingForMemoryNeedsEvidence) {
  Presented made;
  auto simulation = Presented::numbers(400, 800);
  simulation.body = {{.text = "movl (%rdi), %eax", .loads = true}};
  const auto expectEvidence = [&](const Region &region, const std::string &words) {
    const AnalysedRegion *const analysed = made.add(region, simulation);
    EXPECT_EQ(isOutsideOfCore(*analysed), !words.empty());
    const std::string all = about({{analysed}});
    EXPECT_EQ(all.find("outside of the core") != std::string::npos, !words.empty()) << all;
    EXPECT_NE(all.find(words), std::string::npos) << all;
  };
  Region region = profiled(0.5, 12);
  region.profiled.bytesPerRun = 128 << 10;
  region.profiled.serialCycles = 12;
  expectEvidence(region, "");
  region.profiled.bytesPerRun = 3 << 19;
  expectEvidence(region, "- outside of the core: loads and stores miss the first cache, as a run of the loop goes "
                         "through 1.5 MiB\n");
  region.profiled.bytesPerRun = 0;
  region.profiled.serialCycles = 11;
  expectEvidence(region, "- outside of the core: loads that miss caches, as the core takes at most 11.0 cycles per "
                         "iteration, if each instruction waits for the one before and each branch is mispredicted\n");
  region.profiled.cycles = 4.5;
  region.profiled.bytesPerRun = 1e9;
  expectEvidence(region, "");
}

TEST(ProfileText, AShareOfSourceLinesSaysSo) {
  Presented made;
  Region region = loop();
  region.profiled = {.match = ProfiledLoop::Match::ByLines, .share = 0.2, .difference = "the program has `a` for `b`"};
  const LoopsOfLine onLine{{made.add(region, 400, 800)}};
  EXPECT_EQ(hintLabel(onLine), "≈ 20 % · IPC 2.00 · 4.0 cyc");
  EXPECT_EQ(about(onLine), "≈ 20 % of the program's time (cpu-clock).\n- by the lines of the source, as the machine "
                           "code is not what was recorded: the program has `a` for `b`\n");
}

TEST(ProfileText, AShareFromBeforeAnEditSaysSo) {
  Presented made;
  Region region = loop();
  region.profiled = {.match = ProfiledLoop::Match::Edited, .share = 0.2, .difference = "the program has `a` for `b`"};
  const LoopsOfLine onLine{{made.add(region, 400, 800)}};
  EXPECT_EQ(hintLabel(onLine), "≈ 20 % · IPC 2.00 · 4.0 cyc");
  EXPECT_EQ(about(onLine),
            "≈ 20 % of the program's time (cpu-clock).\n- recorded before the function was edited: the program has `a` "
            "for `b`. Build and record the program again to know its share now.\n");
}

TEST(ProfileText, OfChangedCodeOnlyTheFunctionIsKnown) {
  Presented made;
  Region changed = loop();
  changed.profiled = {.match = ProfiledLoop::Match::Changed, .share = 0.2, .difference = "the program has `a` for `b`"};
  EXPECT_EQ(about({{made.add(changed, 400, 800)}}),
            "Its function took 20 % of the program's time (cpu-clock), but its code is not what was recorded: the "
            "program has `a` for `b`. Build and record the program again to know the loop's share.\n");
}

TEST(ProfileText, WithoutSamplesItSaysSo) {
  Presented made;
  const LoopsOfLine onLine{{made.add(loop(), 400, 800)}};
  EXPECT_EQ(about(onLine), "The profile has no sample in the loop's function.\n");
  EXPECT_EQ(about(onLine, {}), "") << "there is no profile";
  ProfileSummary instructions = kProfile;
  instructions.event = "Ir";
  instructions.isTime = false;
  EXPECT_EQ(about({{made.add(profiled(0.5), 400, 800)}}, instructions), "50 % of what was counted (Ir).\n");
}

TEST(ProfileText, ColdLoopsAreNotWorthAHint) {
  Presented made;
  const LoopsOfLine cold{{made.add(profiled(0.0005), 400, 800)}}, hot{{made.add(profiled(0.001), 400, 800)}},
      unknown{{made.add(loop(), 400, 800)}};
  EXPECT_TRUE(isBelowShare(cold, kProfile, 1));
  EXPECT_FALSE(isBelowShare(cold, kProfile, 0));
  EXPECT_FALSE(isBelowShare(hot, kProfile, 1));
  EXPECT_TRUE(isBelowShare(unknown, kProfile, 1));
  EXPECT_FALSE(isBelowShare(unknown, {}, 1)) << "without a profile all loops have hints";
  ProfileSummary other = kProfile;
  other.hasCode = false;
  EXPECT_FALSE(isBelowShare(unknown, other, 1)) << "the profile may be another program's";
  Region marked = loop();
  marked.kind = analysis::wire::RegionKind::Marker;
  EXPECT_FALSE(isBelowShare({{made.add(marked, 400, 800)}}, kProfile, 1));
}

} // namespace
} // namespace lsp::wording
