#include "lsp/tasks/calibrate_run.h"

#include "lsp/protocol/reading.h"

#include <algorithm>
#include <cmath>

namespace lsp {
namespace {

using protocol::Json;

constexpr double kLongestTime = 24 * 60 * 60; // in seconds: more is nothing to wait for, and not believed

uint32_t countAt(const Json &json, const char *pointer) {
  return protocol::naturalOf(protocol::at(json, pointer)).value_or(0);
}

/// Rounded, so that it changes seldom: "about 40 s left", "about 2 min left". Empty if it is not known.
std::string timeInWords(double seconds) {
  constexpr double kStep = 10, kMinute = 60, kLeastMinutes = 1.5;
  if (seconds < 0)
    return {};
  if (seconds < kLeastMinutes * kMinute)
    return ", about " + std::to_string(std::max(std::lround(seconds / kStep), 1L) * std::lround(kStep)) + " s left";
  return ", about " + std::to_string(std::lround(seconds / kMinute)) + " min left";
}

} // namespace

std::vector<std::string> calibrateArguments(const std::string &program, bool resume) {
  std::vector<std::string> arguments{program, "calibrate", "--progress=json"};
  if (resume)
    arguments.emplace_back("--resume");
  return arguments;
}

void CalibrationReport::read(std::string_view line) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    constexpr std::string_view kName = "error: ";
    if (!line.empty())
      error = line.starts_with(kName) ? line.substr(kName.size()) : line;
    return;
  }
  if (const auto phase = protocol::textAt(json, "/phase")) {
    measuresForms = *phase == "forms";
    done = countAt(json, "/done");
    total = countAt(json, "/total");
    const Json &left = protocol::at(json, "/secondsLeft");
    const double seconds = left.is_number() ? left.get<double>() : -1;
    secondsLeft = seconds >= 0 && seconds <= kLongestTime ? seconds : -1;
  }
  if (auto path = protocol::textAt(json, "/file")) {
    file = std::move(*path);
    forms = countAt(json, "/forms");
  }
  if (auto reason = protocol::textAt(json, "/error"))
    error = std::move(*reason);
}

std::string CalibrationReport::inWords() const {
  if (!measuresForms)
    return "the CPU's structure" + timeInWords(secondsLeft);
  return std::to_string(done) + " of " + std::to_string(total) + " forms" + timeInWords(secondsLeft);
}

unsigned CalibrationReport::percentage() const {
  return measuresForms && total != 0 ? static_cast<unsigned>(uint64_t{100} * std::min(done, total) / total) : 0;
}

} // namespace lsp
