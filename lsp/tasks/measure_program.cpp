#include "lsp/tasks/measure_program.h"

#include "lsp/protocol/reading.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace lsp {
namespace {

using protocol::Json;

std::string textOf(const Json &object, const char *name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// No value unless it is a natural or fractional number that a text can be made of.
std::optional<double> numberOf(const Json &object, const char *name) {
  constexpr double kMost = 1e15;
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number())
    return std::nullopt;
  const double number = found->get<double>();
  return number >= 0 && number <= kMost ? std::optional(number) : std::nullopt;
}

uint32_t countOf(const Json &object, const char *name) {
  return static_cast<uint32_t>(std::min(numberOf(object, name).value_or(0), 1e9));
}

/// No value if it has neither cycles nor a reason for having none.
std::optional<PathMeasured> readForm(const Json &form, const std::string &cpu) {
  PathMeasured path{.measurement = {.form = textOf(form, "Form"),
                                    .hasOwnBranch = form.value("OwnBranch", Json()) == true,
                                    .furtherPages = countOf(form, "FurtherPages"),
                                    .symbols = countOf(form, "Symbols"),
                                    .cpu = cpu},
                    .refused = textOf(form, "Refused")};
  if (!path.refused.empty()) {
    if (const std::string instruction = textOf(form, "Instruction"); !instruction.empty())
      path.refused += " (" + instruction + ")";
    return path;
  }
  const std::optional<double> cycles = numberOf(form, "Cycles");
  if (!cycles)
    return std::nullopt;
  path.measurement.cycles = *cycles;
  path.measurement.spread = numberOf(form, "Spread").value_or(0);
  return path;
}

/// Each region has the one form that was requested.
std::optional<PathMeasured> readRegion(const Json &regions, const std::string &name, const std::string &cpu) {
  const auto region =
      std::ranges::find_if(regions, [&](const Json &one) { return one.is_object() && textOf(one, "Name") == name; });
  if (region == regions.end())
    return std::nullopt;
  const auto forms = region->find("Forms");
  if (forms == region->end() || !forms->is_array() || forms->size() != 1 || !forms->front().is_object())
    return std::nullopt;
  return readForm(forms->front(), cpu);
}

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

// ---- mca-measure run -----------------------------------------------------------------------------------------------

std::vector<std::string> measureArguments(const std::string &program, const analysis::wire::TargetSummary &target) {
  std::vector<std::string> arguments{program, "run", "-", "--json", "--form=loop", "--mtriple=" + target.triple};
  if (!target.cpu.empty())
    arguments.push_back("--mcpu=" + target.cpu);
  if (!target.features.empty())
    arguments.push_back("--mattr=" + target.features);
  return arguments;
}

std::string measuredText(const std::vector<std::string> &paths) {
  std::string text;
  for (size_t path = 0; path < paths.size(); ++path) {
    const std::string name = std::to_string(path);
    text += "# LLVM-MCA-BEGIN " + name + "\n" + paths[path] + "# LLVM-MCA-END " + name + "\n";
  }
  return text;
}

std::variant<std::vector<PathMeasured>, std::string> readMeasurements(const std::string &reply, size_t paths) {
  const Json json = Json::parse(reply, nullptr, /*allow_exceptions=*/false);
  const Json regions = json.is_object() ? json.value("Regions", Json()) : Json();
  if (!regions.is_array())
    return "mca-measure printed no list of regions";
  std::vector<PathMeasured> all;
  for (size_t path = 0; path < paths; ++path) {
    const std::string name = std::to_string(path);
    auto read = readRegion(regions, name, textOf(json, "CPU"));
    if (!read)
      return "mca-measure printed no cycles of region " + name;
    all.push_back(std::move(*read));
  }
  return all;
}

// ---- mca-measure calibrate
// -------------------------------------------------------------------------------------------

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
