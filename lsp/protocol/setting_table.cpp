// The table, and what the values of each kind must be.
#include "lsp/protocol/setting_table.h"

#include "analysis/wire/enum_names.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/protocol/near_miss.h"

#include <algorithm>
#include <limits>

namespace lsp::protocol {
namespace {

using Problem = std::optional<SettingProblem>;

std::string quotedList(const std::vector<std::string> &words) {
  std::string list;
  for (size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + ("\"" + words[i] + "\"");
  return list;
}

Problem checkTexts(const Json &value) {
  if (!value.is_array())
    return SettingProblem{{}, "must be an array of strings"};
  for (size_t i = 0; i < value.size(); ++i)
    if (!value[i].is_string())
      return SettingProblem{{std::to_string(i)}, "must be an array of strings"};
  return std::nullopt;
}

Problem checkNatural(const Json &value) {
  if (value.is_number_unsigned() && value.get<uint64_t>() <= std::numeric_limits<uint32_t>::max())
    return std::nullopt;
  return SettingProblem{{}, "must be a natural number"};
}

Problem checkChoice(const Json &value, const std::vector<std::string> &choices) {
  if (value.is_string() && std::find(choices.begin(), choices.end(), value.get<std::string>()) != choices.end())
    return std::nullopt;
  const std::string meant = value.is_string() ? didYouMean(value.get<std::string>(), choices) : "";
  return SettingProblem{{}, "must be " + quotedList(choices) + meant};
}

Problem checkSeverities(const Json &value) {
  if (!value.is_object())
    return SettingProblem{{}, "must be an object of codes and severities"};
  std::vector<std::string> codes;
  for (const analysis::wire::FindingKind &kind : analysis::wire::kFindingKinds)
    codes.emplace_back(kind.code);
  for (const auto &[code, severity] : value.items()) {
    if (std::find(codes.begin(), codes.end(), code) == codes.end())
      return SettingProblem{{code}, "names the unknown code '" + code + "'" + didYouMean(code, codes)};
    if (const Problem problem = checkChoice(severity, severityNames()))
      return SettingProblem{{code}, "for " + code + " " + problem->what};
  }
  return std::nullopt;
}

/// A setting whose value is one member; `access` finds it.
template <class Access>
Setting entry(Setting::Kind kind, std::string name, Access access, std::string description) {
  Setting setting{.name = std::move(name), .kind = kind, .description = std::move(description)};
  setting.set = [access](const Json &value, UserSettings &settings) { value.get_to(access(settings)); };
  setting.get = [access](const UserSettings &settings) {
    UserSettings copy = settings;
    return Json(access(copy));
  };
  return setting;
}

Setting usersOnly(Setting setting) {
  setting.usersOnly = true;
  return setting;
}

Setting compileOn() {
  Setting setting{.name = "compileOn",
                  .kind = Setting::Kind::Choice,
                  .description = "When C and C++ are compiled: when the file is saved, or at each change (with clang; "
                                 "gcc compiles what is saved).",
                  .choices = {"save", "change"}};
  setting.set = [](const Json &value, UserSettings &settings) { settings.worker.compileOnChange = value == "change"; };
  setting.get = [](const UserSettings &settings) { return settings.worker.compileOnChange ? "change" : "save"; };
  return setting;
}

Setting severities() {
  Setting setting{.name = "diagnostics.severity",
                  .kind = Setting::Kind::Severities,
                  .description = "What findings of a code are shown as, by code; `off` drops them. The codes and their "
                                 "own severities: [diagnostics](diagnostics/README.md)."};
  setting.set = [](const Json &value, UserSettings &settings) {
    const std::vector<std::string> &names = severityNames();
    for (const auto &[code, severity] : value.items()) {
      const auto name = std::find(names.begin(), names.end(), severity.get<std::string>());
      settings.severities[code] = static_cast<ReportAs>(name - names.begin());
    }
  };
  setting.get = [](const UserSettings &settings) {
    Json value = Json::object();
    for (const auto &[code, as] : settings.severities)
      value[code] = severityNames()[static_cast<size_t>(as)];
    return value;
  };
  return setting;
}

using S = UserSettings;
using Kind = Setting::Kind;

std::vector<Setting> targetSettings() {
  return {
      entry(
          Kind::Text, "cpu", [](S &s) -> auto & { return s.worker.cpu; },
          "The CPU to model, by LLVM's name. A comment in the file (`# mca: cpu=znver4`) comes before it, the compile "
          "command's `-march` or `-mcpu` and this machine's CPU after it."),
      entry(
          Kind::Texts, "cpus", [](S &s) -> auto & { return s.worker.cpus; },
          "Other CPUs whose numbers the hover shows beside it."),
      entry(
          Kind::Text, "triple", [](S &s) -> auto & { return s.worker.triple; }, "The LLVM target triple."),
      entry(
          Kind::Text, "features", [](S &s) -> auto & { return s.worker.features; },
          "LLVM subtarget features, as `+avx2,-fma`."),
      entry(
          Kind::Natural, "iterations", [](S &s) -> auto & { return s.worker.iterations; },
          "Iterations of a region to simulate; 0 stands for llvm-mca's 100."),
  };
}

std::vector<Setting> compilerSettings() {
  return {
      entry(
          Kind::Folder, "compileCommandsDir", [](S &s) -> auto & { return s.worker.compileCommandsDir; },
          "The folder of `compile_commands.json`. Without it the database is looked for upward of the file, and in "
          "`build/` there."),
      compileOn(),
      usersOnly(entry(
          Kind::Text, "compiler", [](S &s) -> auto & { return s.worker.compiler; },
          "A clang or gcc to lower C and C++ with, or `project` for the one that the build uses. Without it "
          "clang-22.")),
      usersOnly(entry(
          Kind::Texts, "trustedFolders", [](S &s) -> auto & { return s.worker.trustedFolders; },
          "With `project`: folders, by their absolute paths, whose `compile_commands.json` may name the "
          "program that runs.")),
      usersOnly(entry(
          Kind::Texts, "allowedCompilers", [](S &s) -> auto & { return s.worker.allowedCompilers; },
          "With `project`: globs of the absolute paths of programs that may run; `*` matches `/`, too.")),
      entry(
          Kind::Texts, "fallbackFlags", [](S &s) -> auto & { return s.worker.extraFlags; },
          "Flags for a file that no compile command names, beside `-O2` and a standard."),
  };
}

std::vector<Setting> featureSettings() {
  return {
      entry(
          Kind::Flag, "inlayHints.enabled", [](S &s) -> auto & { return s.inlayHints; },
          "Show each region's numbers at the end of its line."),
      entry(
          Kind::Flag, "inlayHints.instructions", [](S &s) -> auto & { return s.instructionHints; },
          "Show hints on the instructions of assembly, too: latency, reciprocal throughput, ports."),
      entry(
          Kind::Flag, "inlayHints.tooltips", [](S &s) -> auto & { return s.hintTooltips; },
          "Give hints a tooltip that says what the numbers rest on."),
      entry(
          Kind::Flag, "codeLens.enabled", [](S &s) -> auto & { return s.codeLens; },
          "Show each region's numbers in a line above it, where hints are off."),
      entry(
          Kind::Flag, "semanticTokens.enabled", [](S &s) -> auto & { return s.semanticTokens; },
          "Colour instructions by how much of the busiest resource's time they take."),
      entry(
          Kind::Flag, "diagnostics.enabled", [](S &s) -> auto & { return s.diagnostics; },
          "Show findings: what limits a region, and what is wrong."),
      severities(),
      entry(
          Kind::Flag, "hover.enabled", [](S &s) -> auto & { return s.hover; },
          "Show the timeline and the pressure on each port in a hover."),
  };
}

std::vector<Setting> regionSettings() {
  return {
      entry(
          Kind::Flag, "regions.markers", [](S &s) -> auto & { return s.worker.markerRegions; },
          "Analyse what stands between `LLVM-MCA-BEGIN` and `LLVM-MCA-END`."),
      entry(
          Kind::Flag, "regions.loops", [](S &s) -> auto & { return s.worker.loops; }, "Analyse innermost loops."),
      entry(
          Kind::Flag, "regions.snippets", [](S &s) -> auto & { return s.worker.wholeSnippets; },
          "Analyse assembly that has neither as one region."),
      entry(
          Kind::Flag, "comparison.head", [](S &s) -> auto & { return s.comparisonWithHead; },
          "Compare with the version in git's `HEAD`, beside the one of the last save."),
      entry(
          Kind::Natural, "comparison.slowerPercent", [](S &s) -> auto & { return s.slowerPercent; },
          "A region that got slower by more than this many per cent is a finding."),
  };
}

} // namespace

std::optional<SettingProblem> Setting::check(const Json &value) const {
  switch (kind) {
  case Kind::Text:
  case Kind::Folder:
    return value.is_string() ? std::nullopt : Problem({{}, "must be a string"});
  case Kind::Texts:
    return checkTexts(value);
  case Kind::Flag:
    return value.is_boolean() ? std::nullopt : Problem({{}, "must be true or false"});
  case Kind::Natural:
    return checkNatural(value);
  case Kind::Choice:
    return checkChoice(value, choices);
  case Kind::Severities:
    return checkSeverities(value);
  }
  return std::nullopt;
}

const std::vector<Setting> &settingTable() {
  static const std::vector<Setting> table = [] {
    std::vector<Setting> all;
    for (const auto &part : {targetSettings(), compilerSettings(), featureSettings(), regionSettings()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return table;
}

const Setting *findSetting(std::string_view name) {
  for (const Setting &setting : settingTable())
    if (setting.name == name)
      return &setting;
  return nullptr;
}

const std::vector<std::string> &severityNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"off"};
    all.insert(all.end(), analysis::wire::kSeverityNames.begin(), analysis::wire::kSeverityNames.end());
    return all;
  }();
  return names;
}

} // namespace lsp::protocol
