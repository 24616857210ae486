#include "lsp/wording/calibration_text.h"

#include "lsp/wording/region_text.h"
#include "lsp/workspace/region_numbers.h"

#include <algorithm>

namespace lsp::wording {
namespace {

using Kind = Block::Kind;
using Source = wire::CalibrationSummary::Source;

std::string sourceInWords(const wire::CalibrationSummary &calibration) {
  switch (calibration.source) {
  case Source::None:
    return "";
  case Source::Own:
    return "your own";
  case Source::Shipped:
    return "shipped with mca-lsp";
  case Source::User:
    return calibration.file;
  case Source::Project:
    return "the project's " + calibration.file;
  case Source::Profile:
    return "what is published of it";
  }
  return "";
}

/// "2 of 7 instructions have LLVM's values."; empty if none has.
std::string llvmsShare(const wire::Simulation &numbers) {
  const uint32_t some = numbers.calibrated.fromLlvm;
  if (!some)
    return "";
  return " " + std::to_string(some) + " of " + counted(numbers.instructions, "instruction") +
         (some == 1 ? " has" : " have") + " LLVM's values.";
}

} // namespace

std::string calibrationInWords(const wire::CalibrationSummary &calibration) {
  if (calibration.source == Source::None)
    return "";
  const std::string date = calibration.source == Source::Profile ? "" : " of " + calibration.date;
  return calibration.cpu + date + " (" + sourceInWords(calibration) + ")";
}

std::string llvmNumbersInWords(const AnalysedRegion &region) {
  const uint32_t several = region.region.sourceIterations;
  const double cycles = cyclesPerSourceIteration(llvmCycles(*region.simulation), several);
  const bool isBound = isLowerBound(region.region);
  const std::string ipc = isBound ? "" : ", IPC " + decimals(llvmIpc(*region.simulation), 2);
  return boundMark(isBound) + decimals(cycles, 2) + " cycles " + perIterations(std::min(several, 1u)) + ipc;
}

void addCalibration(RichText &text, const ShownLoop &loop, const wire::TargetSummary &target) {
  const std::string calibration = calibrationInWords(target.calibration);
  if (calibration.empty())
    return;
  const AnalysedRegion &first = *loop.front();
  if (!isCalibrated(*first.simulation))
    return add(text, Kind::Paragraph,
               "These numbers are LLVM's: the region could not be simulated with the calibration of " + calibration +
                   ".");
  const std::string llvms = " LLVM's model: " + llvmNumbersInWords(first) + ".";
  if (target.calibration.source == Source::Profile)
    return add(text, Kind::Paragraph,
               "Documented, not measured: LLVM's values under what is published of " + target.calibration.cpu + "." +
                   llvms);
  add(text, Kind::Paragraph,
      "Calibrated: the CPU as it was measured, " + calibration + "." + llvms + llvmsShare(*first.simulation));
}

void addBounds(RichText &text, const AnalysedRegion &region) {
  const std::vector<wire::ResourceUse> &bounds = region.simulation->calibrated.bounds;
  if (bounds.empty())
    return;
  add(text, Kind::Paragraph,
      "At least so many cycles " + perIterations(region.region.sourceIterations) + " by each limit:");
  size_t width = 0;
  for (const wire::ResourceUse &bound : bounds)
    width = std::max(width, bound.name.size());
  std::string rows;
  for (const wire::ResourceUse &bound : bounds)
    rows += padded(bound.name, width + 2) + rightAligned(decimals(bound.perIteration, 2), 7) + "\n";
  add(text, Kind::Preformatted, std::move(rows));
}

} // namespace lsp::wording
