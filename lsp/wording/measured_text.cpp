#include "lsp/wording/measured_text.h"

#include "lsp/wording/caveat_text.h"
#include "lsp/wording/region_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <string_view>
#include <utility>

namespace lsp::wording {
namespace {

using Kind = Block::Kind;

constexpr double kAgreement = 0.1;  // of the prediction: a larger difference is explained
constexpr uint32_t kCachePages = 8; // of 4 KiB

/// "4.3 cycles per iteration", in the unit of the hint.
std::string cyclesOfMachineCode(double cycles, const AnalysedRegion &path) {
  return cyclesInWords(
      {.leastCycles = cycles, .mostCycles = cycles, .sourceIterations = path.region.sourceIterations, .calls = {}});
}

/// "2026-11-23 14:50 UTC".
std::string dateOf(uint64_t secondsSince1970) {
  const auto time = static_cast<std::time_t>(secondsSince1970);
  std::tm date{};
  std::array<char, 32> text{};
  if (!gmtime_r(&time, &date))
    return "at an unknown time";
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &date)};
}

std::string formInWords(const Measurement &measured) {
  if (measured.form == "loop")
    return measured.hasOwnBranch ? "as a loop with its own branch" : "as a loop that a counter closes";
  return measured.form == "unrolled" ? "repeated without a loop" : "in the form '" + measured.form + "'";
}

/// When, where and how.
std::string measuredInWords(const AnalysedRegion &path, bool isAlone) {
  const Measurement &measured = *path.measured;
  return (isAlone ? "Measured: " : "Measured, " + path.region.path + ": ") +
         cyclesOfMachineCode(measured.cycles, path) + " on " +
         (measured.cpu.empty() ? "this machine" : "this CPU (" + measured.cpu + ")") + ", " + dateOf(measured.when) +
         ", " + formInWords(measured) + "; repeated runs differ by " + percent(measured.spread) + ".";
}

/// Without memory dependences, if these are likely to be the reason; empty otherwise.
std::string memoryReason(const AnalysedRegion &path) {
  const wire::Simulation &predicted = *path.simulation;
  const double measured = path.measured->cycles;
  if (isCalibrated(predicted)) // it depends on stores that the code shows to be of the same address
    return {};
  if (!predicted.loadsAndStores || measured < predicted.cyclesPerIteration)
    return {};
  std::string assumed = "no load is assumed to depend on one of the region's stores";
  if (predicted.orderedCycles < 0) // not simulated
    return assumed;
  const bool isCloser =
      std::abs(predicted.orderedCycles - measured) < std::abs(predicted.cyclesPerIteration - measured);
  return isCloser ? assumed + "; if each has to wait for the stores before it: " +
                        cyclesOfMachineCode(predicted.orderedCycles, path)
                  : "";
}

std::string machineInWords(const wire::Simulation &predicted, const wire::TargetSummary &target) {
  if (!isCalibrated(predicted))
    return "";
  return target.calibration.source == wire::CalibrationSummary::Source::Profile ? " with the documented profile"
                                                                                : " with the calibration";
}

std::vector<std::string> reasonsOf(const AnalysedRegion &path, const wire::TargetSummary &target) {
  std::vector<std::string> reasons;
  const wire::Simulation &predicted = *path.simulation;
  const bool isProfile = target.calibration.source == wire::CalibrationSummary::Source::Profile;
  if (isProfile && isCalibrated(predicted))
    reasons.push_back("the prediction rests on what is published of this CPU, and on no measurement of it");
  else if (const uint32_t some = predicted.calibrated.fromLlvm)
    reasons.push_back("the calibration lacks values of " + std::to_string(some) + " of " +
                      counted(predicted.instructions, "instruction") + ", which are LLVM's");
  if (target.model != wire::CpuModel::Own && !isCalibrated(predicted))
    reasons.push_back("the scheduling model is not this CPU's own (" + target.modelOrigin + ")");
  for (const wire::Caveat &caveat : path.region.caveats)
    reasons.push_back(markedInWords(caveat));
  if (std::string memory = memoryReason(path); !memory.empty())
    reasons.push_back(std::move(memory));
  if (!path.region.pointers.empty())
    reasons.push_back("each pointer points to memory of its own here, whatever comments say of them");
  if (!path.measured->hasOwnBranch && path.measured->cycles > path.simulation->cyclesPerIteration)
    reasons.push_back("a counter closes the loop here, with two instructions of its own");
  if (const uint32_t pages = path.measured->furtherPages; pages > kCachePages)
    reasons.push_back("it touches " + counted(pages, "further page") +
                      " of memory, more than a first-level cache of 32 KiB holds");
  if (const uint32_t symbols = path.measured->symbols)
    reasons.push_back("it reads " + counted(symbols, "symbol") + " of the program's data, with other contents here");
  return reasons;
}

void addComparison(RichText &text, const AnalysedRegion &path, const wire::TargetSummary &target) {
  const Measurement &measured = *path.measured;
  const double predicted = path.simulation->cyclesPerIteration;
  if (!measured.isComparable())
    return add(text, Kind::Paragraph,
               "Predicted for " + measured.predictedFor +
                   ": the two are not compared, as they are about different CPUs.");
  if (predicted <= 0)
    return;
  const double difference = measured.cycles / predicted - 1;
  if (std::abs(difference) <= kAgreement)
    return add(text, Kind::Paragraph, "The prediction is right within 10 %.");
  const std::string sentence = "That is " + percent(std::abs(difference)) + (difference > 0 ? " more" : " less") +
                               " than the " + cyclesOfMachineCode(predicted, path) + " that are predicted" +
                               machineInWords(*path.simulation, target);
  const std::vector<std::string> reasons = reasonsOf(path, target);
  if (reasons.empty())
    return add(text, Kind::Paragraph,
               sentence + ". Nothing that is known about this loop explains it: " +
                   (isCalibrated(*path.simulation) ? "the calibration" : "LLVM's numbers for these instructions") +
                   " may be wrong for this CPU.");
  add(text, Kind::Paragraph, sentence + ". Likely reasons:");
  for (const std::string &reason : reasons)
    add(text, Kind::Item, reason);
}

} // namespace

std::string architectureName(const std::string &triple) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNames{{{"aarch64", "AArch64"},
                                                                                 {"arm64", "AArch64"},
                                                                                 {"arm", "ARM"},
                                                                                 {"thumb", "ARM"},
                                                                                 {"riscv", "RISC-V"},
                                                                                 {"powerpc", "PowerPC"},
                                                                                 {"i", "32-bit x86"},
                                                                                 {"s390x", "SystemZ"}}};
  const std::string architecture = triple.substr(0, triple.find('-'));
  const auto name =
      std::ranges::find_if(kNames, [&](const auto &known) { return architecture.starts_with(known.first); });
  return name == kNames.end() ? architecture : std::string(name->second);
}

std::string whyNotMeasurable(const std::string &triple) {
  return triple.starts_with("x86_64") ? "" : "cannot be measured here: " + architectureName(triple);
}

bool isMeasurable(const wire::TargetSummary &target) {
  return !target.triple.empty() && whyNotMeasurable(target.triple).empty();
}

std::string measureTitle(const ShownLoop &loop) {
  const wire::RegionKind kind = loop.front()->region.kind;
  const bool isLoop = kind == wire::RegionKind::Loop || kind == wire::RegionKind::Path;
  return isLoop ? "Measure this loop" : "Measure this region";
}

void addMeasured(RichText &text, const ShownLoop &loop, const wire::TargetSummary &target) {
  for (const AnalysedRegion *path : loop)
    if (path->measured) {
      add(text, Kind::Paragraph, measuredInWords(*path, loop.size() == 1));
      addComparison(text, *path, target);
    }
}

} // namespace lsp::wording
