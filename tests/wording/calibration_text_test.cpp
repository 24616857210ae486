// Calibrated numbers in hints, tooltips, hovers and findings: whose they are, and what LLVM's model says beside them.
#include "lsp/wording/calibration_text.h"

#include "lsp/wording/hint.h"
#include "lsp/wording/hover.h"
#include "lsp/wording/verdict_text.h"
#include "tests/wording/presented.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

using wire::CalibrationSummary;
using wire::ControlFlow;
using wire::Simulation;
using wire::TargetSummary;
using wire::Verdict;
using Source = CalibrationSummary::Source;

const TargetSummary kTarget{"x86_64-linux-gnu",
                            "znver3",
                            "",
                            "set in a test",
                            "znver3: its own model",
                            "",
                            {},
                            "",
                            wire::CpuModel::Own,
                            {Source::Own, "AMD EPYC 7763", "2026-11-23", "", "1f"}};

/// 4.1 cycles and 12 instructions as measured, 3.2 in LLVM's model.
Simulation calibrated(uint32_t fromLlvm = 0) {
  Simulation simulation = Presented::numbers(410, 1200);
  simulation.pressure = {{"load", 4.1}};
  simulation.verdict = {.kind = Verdict::Kind::Resource,
                        .busy = 4,
                        .cycles = 4.1,
                        .units = {{.resource = "load"}},
                        .users = 12,
                        .isCalibrated = true};
  simulation.calibrated = {
      .llvmCycles = 3.2, .llvmIpc = 3.75, .fromLlvm = fromLlvm, .bounds = {{"load", 4}, {"vector-logic", 2.5}}};
  return simulation;
}

std::string textOf(const RichText &text) {
  std::string all;
  for (const Block &block : text)
    all += block.text + "\n";
  return all;
}

std::string about(const ShownLoop &loop, const TargetSummary &target = kTarget) {
  RichText text;
  addCalibration(text, loop, target);
  return textOf(text);
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(CalibrationText, SaysWhoseFileItIs) {
  const auto words = [](Source source, const std::string &file) {
    return calibrationInWords({source, "AMD EPYC 7763", "2026-11-23", file, "1f"});
  };
  EXPECT_EQ(words(Source::None, ""), "");
  EXPECT_EQ(words(Source::Own, ""), "AMD EPYC 7763 of 2026-11-23 (your own)");
  EXPECT_EQ(words(Source::Shipped, ""), "AMD EPYC 7763 of 2026-11-23 (shipped with mca-lsp)");
  EXPECT_EQ(words(Source::User, "/a.calibration"), "AMD EPYC 7763 of 2026-11-23 (/a.calibration)");
  EXPECT_EQ(words(Source::Project, "/p/a.calibration"), "AMD EPYC 7763 of 2026-11-23 (the project's /p/a.calibration)");
  EXPECT_EQ(words(Source::Profile, ""), "AMD EPYC 7763 (what is published of it)");
}

TEST(CalibrationText, AProfileIsNotCalledMeasured) {
  Presented made;
  TargetSummary target = kTarget;
  target.calibration = {Source::Profile, "Intel Golden Cove", "2026-11-26", "", "1f"};
  EXPECT_EQ(about({made.add(loop(), calibrated(2))}, target),
            "Documented, not measured: LLVM's values under what is published of Intel Golden Cove. LLVM's model: 3.20 "
            "cycles per iteration, IPC 3.75.\n");
}

TEST(CalibrationText, TheHintHasTheCalibratedNumber) {
  Presented made;
  const LoopsOfLine onLine{{made.add(loop(), calibrated(2))}};
  EXPECT_EQ(hintLabel(onLine), "IPC 2.93 · 4.1 cyc · load");
  const Hint hint = makeHint(onLine, kTarget, Text("a\nbcdefghijk\n"));
  const std::string kWhose = "Calibrated: the CPU as it was measured, AMD EPYC 7763 of 2026-11-23 (your own). LLVM's "
                             "model: 3.20 cycles per iteration, IPC 3.75. 2 of 12 instructions have LLVM's values.\n";
  EXPECT_TRUE(has(textOf(hint.tooltip), kWhose)) << textOf(hint.tooltip);
  for (const HintPart &part : hint.parts)
    if (has(part.text, "cyc")) {
      EXPECT_TRUE(has(textOf(part.tooltip), kWhose)) << textOf(part.tooltip);
      EXPECT_TRUE(has(textOf(part.tooltip), "from an empty CPU")) << textOf(part.tooltip);
    } else if (has(part.text, "IPC")) {
      EXPECT_TRUE(has(textOf(part.tooltip), "slots per cycle")) << textOf(part.tooltip);
    }
}

TEST(CalibrationText, NothingIsSaidOfLlvmsValuesIfThereAreNone) {
  Presented made;
  EXPECT_FALSE(has(about({made.add(loop(), calibrated())}), "values"));
  EXPECT_EQ(about({made.add(loop(), 320, 1200)}, TargetSummary{}), "") << "without a calibration";
}

TEST(CalibrationText, VectorizedLoopsCountIterationsOfTheSource) {
  Presented made;
  EXPECT_TRUE(has(about({made.add(loop(8), calibrated())}), "LLVM's model: 0.40 cycles per iteration, IPC 3.75."));
}

TEST(CalibrationText, WhatHasLlvmsNumbersSaysSo) {
  Presented made;
  const ShownLoop loop{made.add(path("through line 3"), 300, 570), made.add(path("not through line 3"), 500, 1200)};
  EXPECT_EQ(hintLabel({loop}), "IPC 1.90–2.40 · 3.0–5.0 cyc");
  EXPECT_EQ(about(loop), "These numbers are LLVM's: the region could not be simulated with the calibration of AMD EPYC "
                         "7763 of 2026-11-23 (your own).\n");
}

TEST(CalibrationText, ARangeBeginsWithTheCalibratedNumber) {
  Presented made;
  AnalysedRegion *region = made.add(loop(), calibrated());
  ControlFlow flow{.source = ControlFlow::Source::Odds, .iterations = 100, .instructions = 1200, .cycles = 13};
  region->flow = std::make_shared<const ControlFlow>(flow);
  EXPECT_EQ(hintLabel({{region}}), "IPC 0.92–2.93 · 4.1–13 cyc · load");
  flow.cycles = 4.2; // hardly more
  region->flow = std::make_shared<const ControlFlow>(flow);
  EXPECT_EQ(hintLabel({{region}}), "IPC 2.93 · 4.1 cyc · load");
}

TEST(CalibrationText, TheHoverHasTheLimitsAndLlvmsNumbers) {
  Presented made;
  const std::string hover = textOf(makeHover({{made.add(loop(), calibrated(1))}}, kTarget, Text("a\nbcdefghijk\n")));
  EXPECT_TRUE(has(hover, "1 of 12 instructions has LLVM's values.")) << hover;
  EXPECT_TRUE(has(hover, "At least so many cycles per iteration by each limit:\n"
                         "load             4.00\nvector-logic     2.50\n"))
      << hover;
  EXPECT_TRUE(has(hover, "Cycles per iteration       4.10\n")) << hover;
  EXPECT_TRUE(has(hover, "In LLVM's model            3.20 cycles per iteration, IPC 3.75\n")) << hover;
  EXPECT_TRUE(has(hover, "load     4.10  ████████████████████\n")) << hover;
  const std::string llvms = textOf(makeHover({{made.add(loop(), 320, 1200)}}, {}, Text("a\nbcdefghijk\n")));
  EXPECT_FALSE(has(llvms, "LLVM's")) << llvms;
}

TEST(CalibrationText, TheCalibratedMachinesVerdicts) {
  Verdict verdict{.kind = Verdict::Kind::Dispatch,
                  .busy = 2,
                  .cycles = 2,
                  .microOps = 12,
                  .dispatchWidth = 6,
                  .isCalibrated = true};
  EXPECT_EQ(sentenceOf(verdict, 1),
            "limited by dispatch: 12.0 slots, at most 6 per cycle, take 2.0 of 2.0 cycles per iteration");
}

TEST(CalibrationText, WhatIsAssumedAboutMemory) {
  Presented made;
  Simulation simulation = calibrated();
  simulation.loadsAndStores = true;
  simulation.orderedCycles = 9;
  const std::string tooltip =
      textOf(makeHint({{made.add(loop(), simulation)}}, kTarget, Text("a\nbcdefghijk\n")).tooltip);
  EXPECT_TRUE(has(tooltip, "only if the code shows that their addresses are the same")) << tooltip;
  EXPECT_FALSE(has(tooltip, "9.0 cycles")) << tooltip;
}

} // namespace
} // namespace lsp::wording
