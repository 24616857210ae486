#include "lsp/server/measure_run.h"

#include "lsp/protocol/json_rpc.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
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

bool isSpace(char c) {
  return c == ' ' || c == '\t';
}

/// Where the target of a jump stands in a line of x86 assembly; empty for other instructions. Names of jumps begin with
/// j, and of no other instruction do; `short` is Intel syntax.
std::string_view jumpTarget(std::string_view line) {
  const auto nextWord = [&] {
    line.remove_prefix(static_cast<size_t>(std::ranges::find_if_not(line, isSpace) - line.begin()));
    const std::string_view word =
        line.substr(0, static_cast<size_t>(std::ranges::find_if(line, isSpace) - line.begin()));
    line.remove_prefix(word.size());
    return word;
  };
  if (const std::string_view mnemonic = nextWord(); !mnemonic.starts_with('j') && !mnemonic.starts_with("loop"))
    return {};
  const std::string_view word = nextWord();
  return word == "short" ? nextWord() : word;
}

/// `listing` with labels for its jumps, which name those of a program that is not here.
std::string closedListing(std::string_view listing, const std::string &name) {
  const std::string label = ".Lmca_measured_" + name + "_";
  std::string text = label + "0:\n";
  for (size_t line = 1; !listing.empty(); ++line) {
    const std::string_view whole = listing.substr(0, listing.find('\n'));
    listing.remove_prefix(std::min(whole.size() + 1, listing.size()));
    if (whole.starts_with('#')) // an instrument, which is about the simulation
      continue;
    const std::string_view target = jumpTarget(whole);
    if (target.empty()) {
      text.append(whole) += '\n';
      continue;
    }
    const auto before = static_cast<size_t>(target.data() - whole.data());
    const std::string next = label + (listing.empty() ? "0" : std::to_string(line));
    text.append(whole.substr(0, before)).append(next) += '\n';
    if (!listing.empty())
      text += next + ":\n";
  }
  return text;
}

} // namespace

std::vector<std::string> measureArguments(const std::string &program, const analysis::wire::TargetSummary &target) {
  std::vector<std::string> arguments{program, "run", "-", "--json", "--form=loop", "--mtriple=" + target.triple};
  if (!target.cpu.empty())
    arguments.push_back("--mcpu=" + target.cpu);
  if (!target.features.empty())
    arguments.push_back("--mattr=" + target.features);
  return arguments;
}

std::string measuredText(const wording::ShownLoop &loop) {
  std::string text;
  for (size_t path = 0; path < loop.size(); ++path) {
    const std::string name = std::to_string(path);
    text += "# LLVM-MCA-BEGIN " + name + "\n" + closedListing(loop[path]->region.listing, name) + "# LLVM-MCA-END " +
            name + "\n";
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

} // namespace lsp
