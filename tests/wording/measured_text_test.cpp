// Measured cycles in labels and hovers: beside the predicted ones, for how many paths, and which reasons are named.
#include "lsp/wording/hint.h"
#include "lsp/wording/hover.h"
#include "lsp/wording/measured_text.h"
#include "tests/wording/presented.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

using analysis::wire::Caveat;
using analysis::wire::Region;
using analysis::wire::Simulation;
using analysis::wire::TargetSummary;

const TargetSummary kTarget{"x86_64-linux-gnu", "znver3", "", "set in a test", "znver3: its own model", "", {}, "",
                            wire::CpuModel::Own};

Measurement measurement(double cycles, const std::string &cpu = "znver3") {
  return {.cycles = cycles,
          .spread = 0.012,
          .form = "loop",
          .hasOwnBranch = true,
          .cpu = cpu,
          .predictedFor = "znver3",
          .when = 1795445400};
}

const AnalysedRegion *withMeasurement(AnalysedRegion *region, Measurement measured) {
  region->measured = std::make_shared<const Measurement>(std::move(measured));
  return region;
}

std::string textOf(const RichText &text) {
  std::string all;
  for (const Block &block : text)
    all += (block.kind == Block::Kind::Item ? "- " : "") + block.text + "\n";
  return all;
}

std::string about(const AnalysedRegion *region, const TargetSummary &target = kTarget) {
  RichText text;
  addMeasured(text, {region}, target);
  return textOf(text);
}

/// Without the sentence about how it was measured.
std::string comparisonOf(const AnalysedRegion *region, const TargetSummary &target = kTarget) {
  const std::string text = about(region, target);
  return text.substr(text.find('\n') + 1);
}

Simulation simulated(uint64_t cycles, uint64_t instructions) {
  return Presented::numbers(cycles, instructions);
}

TEST(MeasuredText, TheLabelHasItBesideThePrediction) {
  Presented made;
  EXPECT_EQ(hintLabel({{withMeasurement(made.add(loop(), 410, 1200), measurement(4.3))}}),
            "IPC 2.93 · 4.1 cyc (measured 4.3)");
  EXPECT_EQ(hintLabel({{withMeasurement(made.add(loop(8), 400, 800), measurement(4.4))}}),
            "0.50 cyc/iter (measured 0.55)");
  EXPECT_EQ(hintLabel({{withMeasurement(made.add(loop(), 410, 1200), measurement(9, "skylake"))}}),
            "4.1 cyc (measured here 9.0)")
      << "another CPU than the prediction's";
}

TEST(MeasuredText, TheLabelNeedsEachPath) {
  Presented made;
  AnalysedRegion *first = made.add(path("through line 3"), 300, 570), *second = made.add(path("a"), 500, 1200);
  withMeasurement(first, measurement(3.1));
  EXPECT_EQ(hintLabel({{first, second}}), "IPC 1.90–2.40 · 3.0–5.0 cyc");
  withMeasurement(second, measurement(5.3));
  EXPECT_EQ(hintLabel({{first, second}}), "3.0–5.0 cyc (measured 3.1–5.3)");
  first->chosen = true;
  EXPECT_EQ(hintLabel({{first, second}}), "IPC 1.90 · 3.0 cyc (measured 3.1)");
}

TEST(MeasuredText, WithoutRoomItIsInTheTooltip) {
  Presented made;
  const LoopsOfLine onLine{{withMeasurement(made.add(loop(), 123456789, 10), measurement(1234567.8))},
                           {made.add(loop(), 100, 100)}};
  EXPECT_EQ(hintLabel(onLine), "1.2M cyc (measured 1234567.8) +1");
  const LoopsOfLine longer{{withMeasurement(made.add(loop(2), 123456789, 10), measurement(123456789123.4))},
                           {made.add(loop(), 100, 100)}};
  const Hint hint = makeHint(longer, kTarget, Text("a\nbcdefghijk\n"));
  EXPECT_EQ(hintLabel(longer).find("measured"), std::string::npos) << hintLabel(longer);
  const auto hasIt = [](const HintPart &part) { return textOf(part.tooltip).find("Measured: ") != std::string::npos; };
  const auto part = std::ranges::find_if(hint.parts, hasIt);
  ASSERT_NE(part, hint.parts.end());
  EXPECT_NE(part->text.find("c/iter"), std::string::npos) << part->text;
}

TEST(MeasuredText, SaysWhenWhereAndHow) {
  Presented made;
  EXPECT_EQ(about(withMeasurement(made.add(loop(), 410, 1200), measurement(4.3))),
            "Measured: 4.3 cycles per iteration on this CPU (znver3), 2026-11-23 14:50 UTC, as a loop with its own "
            "branch; repeated "
            "runs differ by 1 %.\nThe prediction is right within 10 %.\n");
  Measurement unrolled = measurement(4.3);
  unrolled.form = "unrolled";
  EXPECT_NE(
      about(withMeasurement(made.add(path("through line 3"), 410, 1200), unrolled)).find("repeated without a loop"),
      std::string::npos);
}

TEST(MeasuredText, OtherCpusAreNotCompared) {
  Presented made;
  const std::string text = about(withMeasurement(made.add(loop(), 410, 1200), measurement(9, "skylake")));
  EXPECT_NE(text.find("on this CPU (skylake)"), std::string::npos) << text;
  EXPECT_NE(text.find("Predicted for znver3: the two are not compared"), std::string::npos) << text;
  EXPECT_EQ(text.find("That is"), std::string::npos) << text;
}

TEST(MeasuredText, ADifferenceWithoutAKnownReason) {
  Presented made;
  EXPECT_EQ(comparisonOf(withMeasurement(made.add(loop(), 400, 1200), measurement(5))),
            "That is 25 % more than the 4.0 cycles per iteration that are predicted. Nothing that is known about this "
            "loop explains it: LLVM's numbers for these instructions may be wrong for this CPU.\n");
  EXPECT_TRUE(comparisonOf(withMeasurement(made.add(loop(), 400, 1200), measurement(3)))
                  .starts_with("That is 25 % less than the 4.0 cycles"));
}

TEST(MeasuredText, ABorrowedModelIsAReason) {
  Presented made;
  TargetSummary borrowed = kTarget;
  borrowed.model = wire::CpuModel::Borrowed;
  borrowed.modelOrigin = "znver3: modelled as znver2";
  EXPECT_EQ(comparisonOf(withMeasurement(made.add(loop(), 400, 1200), measurement(5)), borrowed),
            "That is 25 % more than the 4.0 cycles per iteration that are predicted. Likely reasons:\n"
            "- the scheduling model is not this CPU's own (znver3: modelled as znver2)\n");
}

TEST(MeasuredText, MemoryIsAReasonIfTheOtherAssumptionIsCloser) {
  Presented made;
  Simulation aliasing = simulated(400, 1200);
  aliasing.loadsAndStores = true;
  aliasing.orderedCycles = 9;
  EXPECT_EQ(comparisonOf(withMeasurement(made.add(loop(), aliasing), measurement(8))),
            "That is 100 % more than the 4.0 cycles per iteration that are predicted. Likely reasons:\n"
            "- no load is assumed to depend on one of the region's stores; if each has to wait for the stores before "
            "it: 9.0 cycles per iteration\n");
  EXPECT_EQ(comparisonOf(withMeasurement(made.add(loop(), aliasing), measurement(5))).find("assumed"),
            std::string::npos);
  EXPECT_EQ(comparisonOf(withMeasurement(made.add(loop(), aliasing), measurement(3))).find("assumed"),
            std::string::npos);
  aliasing.orderedCycles = -1;
  EXPECT_NE(comparisonOf(withMeasurement(made.add(loop(), aliasing), measurement(5)))
                .find("- no load is assumed to depend on one of the region's stores\n"),
            std::string::npos);
}

TEST(MeasuredText, CaveatsAndTheMemoryOfTheRunAreReasons) {
  Presented made;
  Region doubtful = loop();
  doubtful.caveats = {{.kind = Caveat::Kind::UnreadLine}, {.kind = Caveat::Kind::RepeatPrefix}};
  Measurement seen = measurement(6);
  seen.furtherPages = 9;
  seen.symbols = 3;
  const std::string text = comparisonOf(withMeasurement(made.add(doubtful, 400, 1200), seen));
  EXPECT_NE(text.find("\n- ≈ how often"), std::string::npos) << text;
  EXPECT_NE(text.find("\n- ≥ a line"), std::string::npos) << text;
  EXPECT_NE(text.find("\n- it touches 9 further pages of memory"), std::string::npos) << text;
  EXPECT_NE(text.find("\n- it reads 3 symbols of the program's data"), std::string::npos) << text;
}

TEST(MeasuredText, TheHoverHasIt) {
  Presented made;
  const std::string hover = textOf(
      makeHover({{withMeasurement(made.add(loop(), 410, 1200), measurement(4.3))}}, kTarget, Text("a\nbcdefghijk\n")));
  EXPECT_TRUE(hover.starts_with("loop in f: IPC 2.93 · 4.1 cyc (measured 4.3)\nMeasured: 4.3 cycles")) << hover;
}

TEST(MeasuredText, NamesTheArchitecturesThatCannotBeMeasured) {
  EXPECT_EQ(whyNotMeasurable("x86_64-pc-linux-gnu"), "");
  EXPECT_EQ(whyNotMeasurable("aarch64-linux-gnu"), "cannot be measured here: AArch64");
  EXPECT_EQ(whyNotMeasurable("thumbv7em-none-eabi"), "cannot be measured here: ARM");
  EXPECT_EQ(whyNotMeasurable("riscv64"), "cannot be measured here: RISC-V");
  EXPECT_EQ(whyNotMeasurable("i686-linux"), "cannot be measured here: 32-bit x86");
  EXPECT_EQ(whyNotMeasurable("wasm32"), "cannot be measured here: wasm32");
}

TEST(MeasuredText, ComparesWithTheCalibratedNumber) {
  Presented made;
  const auto calibrated = [&](double measured, uint32_t fromLlvm) {
    Simulation simulation = simulated(500, 1200);
    simulation.loadsAndStores = true;
    simulation.orderedCycles = 9;
    simulation.calibrated = {.llvmCycles = 4, .llvmIpc = 3, .fromLlvm = fromLlvm, .bounds = {}};
    return withMeasurement(made.add(loop(), simulation), measurement(measured));
  };
  TargetSummary borrowed = kTarget;
  borrowed.model = wire::CpuModel::Borrowed;
  EXPECT_EQ(comparisonOf(calibrated(5.2, 2), borrowed), "The prediction is right within 10 %.\n")
      << "and LLVM's is not";
  EXPECT_EQ(comparisonOf(calibrated(10, 2), borrowed),
            "That is 100 % more than the 5.0 cycles per iteration that are predicted with the calibration. Likely "
            "reasons:\n- the calibration lacks values of 2 of 12 instructions, which are LLVM's\n");
  EXPECT_EQ(
      comparisonOf(calibrated(10, 0), borrowed),
      "That is 100 % more than the 5.0 cycles per iteration that are predicted with the calibration. Nothing that "
      "is known about this loop explains it: the calibration may be wrong for this CPU.\n");
}

} // namespace
} // namespace lsp::wording
