// The table, and what the values of each kind must be.
//
// The order is that of docs/settings.md. Descriptions go into that page, into the schema and into the settings of the
// VS Code extension (editors/vscode/settings.mjs), so they are Markdown.
#include "lsp/settings/setting_table.h"

#include "analysis/wire/enum_names.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/settings/near_miss.h"

#include <algorithm>
#include <concepts>
#include <iterator>
#include <limits>

namespace lsp::protocol {
namespace {

using Problem = std::optional<SettingProblem>;
using Worker = analysis::wire::Settings;

std::string quotedList(const std::vector<std::string> &words) {
  std::string list;
  for (size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + ("\"" + words[i] + "\"");
  return list;
}

/// The place of the problem is the first element that is wrong.
Problem checkTexts(const Json &value) {
  if (!value.is_array())
    return SettingProblem{{}, "must be an array of strings"};
  for (size_t i = 0; i < value.size(); ++i)
    if (!value[i].is_string())
      return SettingProblem{{std::to_string(i)}, "must be an array of strings"};
  return std::nullopt;
}

/// The worker's and the server's members are uint32_t.
Problem checkNatural(const Json &value) {
  if (value.is_number_unsigned() && value.get<uint64_t>() <= std::numeric_limits<uint32_t>::max())
    return std::nullopt;
  return SettingProblem{{}, "must be a natural number"};
}

Problem checkChoice(const Json &value, const std::vector<std::string> &choices) {
  const std::string choice = value.is_string() ? value.get<std::string>() : ""; // no choice is empty
  if (std::ranges::find(choices, choice) != choices.end())
    return std::nullopt;
  return SettingProblem{{}, "must be " + quotedList(choices) + didYouMean(choice, choices)};
}

Problem checkSeverities(const Json &value) {
  if (!value.is_object())
    return SettingProblem{{}, "must be an object of codes and severities"};
  std::vector<std::string> codes;
  for (const analysis::wire::FindingKind &kind : analysis::wire::kFindingKinds)
    codes.emplace_back(kind.code);
  for (const auto &[code, severity] : value.items()) {
    if (std::ranges::find(codes, code) == codes.end())
      return SettingProblem{{code}, "names the unknown code '" + code + "'" + didYouMean(code, codes)};
    if (const Problem problem = checkChoice(severity, severityNames()))
      return SettingProblem{{code}, "for " + code + " " + problem->what};
  }
  return std::nullopt;
}

template <class Value>
constexpr Setting::Kind kKindOf = Setting::Kind::Texts;
template <>
constexpr Setting::Kind kKindOf<std::string> = Setting::Kind::Text;
template <>
constexpr Setting::Kind kKindOf<bool> = Setting::Kind::Flag;
template <>
constexpr Setting::Kind kKindOf<uint32_t> = Setting::Kind::Natural;

/// A setting whose value is one member, of the worker's settings or of the user's.
template <class Owner, class Value>
// NOLINTNEXTLINE(performance-unnecessary-value-param): both are moved
Setting entry(std::string name, Value Owner::*member, std::string description) {
  const auto access = [member](auto &settings) -> auto & {
    if constexpr (std::same_as<Owner, Worker>)
      return settings.worker.*member;
    else
      return settings.*member;
  };
  return {.name = std::move(name),
          .kind = kKindOf<Value>,
          .description = std::move(description),
          .set = [access](const Json &value, UserSettings &settings) { value.get_to(access(settings)); },
          .get = [access](const UserSettings &settings) { return Json(access(settings)); }};
}

/// For a folder, whose path is relative to the configuration file that names it.
Setting folder(Setting setting) {
  setting.kind = Setting::Kind::Folder;
  return setting;
}

/// The same for a file.
Setting file(Setting setting) {
  setting.kind = Setting::Kind::File;
  return setting;
}

/// A file, unless it is one of these words.
Setting fileOr(std::vector<std::string> words, Setting setting) {
  setting.choices = std::move(words);
  return file(std::move(setting));
}

/// For a setting by which a folder could run a program on the user's machine.
Setting usersOnly(Setting setting) {
  setting.usersOnly = true;
  return setting;
}

/// A choice of two, for users; the worker needs a flag.
Setting advice() {
  return {.name = "advice",
          .kind = Setting::Kind::Choice,
          .description = "What would make a loop faster: `onRequest` compiles the file with changes when that is asked "
                         "for; `off` offers nothing.",
          .choices = {"onRequest", "off"},
          .set = [](const Json &value, UserSettings &settings) { settings.advice = value == "onRequest"; },
          .get = [](const UserSettings &settings) { return settings.advice ? "onRequest" : "off"; }};
}

Setting compileOn() {
  return {.name = "compileOn",
          .kind = Setting::Kind::Choice,
          .description = "When C and C++ are compiled: when the file is saved, or at each change (with clang; gcc "
                         "compiles what is saved).",
          .choices = {"save", "change"},
          .set = [](const Json &value, UserSettings &settings) { settings.worker.compileOnChange = value == "change"; },
          .get = [](const UserSettings &settings) { return settings.worker.compileOnChange ? "change" : "save"; }};
}

/// The worker has its own default for an empty name.
Setting predictor() {
  constexpr const char *kDefault = "tage";
  return {.name = "predictor",
          .kind = Setting::Kind::Choice,
          .description = "The branch predictor that is simulated along a [trace](control-flow.md#predictors).",
          .choices = {"perfect", "static", "bimodal", "gshare", "tage", "measured", "none"},
          .set =
              [](const Json &value, UserSettings &settings) {
                settings.worker.predictor = value == kDefault ? "" : value.get<std::string>();
              },
          .get =
              [](const UserSettings &settings) {
                return Json(settings.worker.predictor.empty() ? kDefault : settings.worker.predictor);
              }};
}

/// The worker takes what is not `llvm` for a wish for documented profiles.
Setting model() {
  constexpr const char *kDefault = "documented";
  return {
      .name = "model",
      .kind = Setting::Kind::Choice,
      .description = "With `calibration` at `auto`, what the numbers of a CPU without a calibration come from: what is "
                     "[published](features/calibration.md#documented-profiles) of it, or LLVM's model alone.",
      .choices = {kDefault, "llvm"},
      .set = [](const Json &value,
                UserSettings &settings) { settings.worker.model = value == kDefault ? "" : value.get<std::string>(); },
      .get =
          [](const UserSettings &settings) {
            return Json(settings.worker.model.empty() ? kDefault : settings.worker.model);
          }};
}

/// Layers add up code by code, so a folder can turn one finding off and leave the user's choice for the others.
Setting severities() {
  const auto set = [](const Json &value, UserSettings &settings) {
    for (const auto &[code, severity] : value.items()) {
      const auto name = std::ranges::find(severityNames(), severity.get<std::string>());
      settings.severities[code] = static_cast<ReportAs>(name - severityNames().begin());
    }
  };
  const auto get = [](const UserSettings &settings) {
    Json value = Json::object();
    for (const auto &[code, as] : settings.severities)
      value[code] = severityNames()[static_cast<size_t>(as)];
    return value;
  };
  return {.name = "diagnostics.severity",
          .kind = Setting::Kind::Severities,
          .description = "What findings of a code are shown as, by code; `off` drops them. The codes and their own "
                         "severities: [diagnostics](diagnostics/README.md).",
          .set = set,
          .get = get};
}

std::vector<Setting> analysisSettings() {
  return {
      entry("cpu", &Worker::cpu,
            "The CPU to model, by LLVM's name. A comment in the file (`# mca: cpu=znver4`) comes before it, the "
            "compile command's `-march` or `-mcpu` and this machine's CPU after it."),
      entry("cpus", &Worker::cpus, "Other CPUs whose numbers the hover shows beside it."),
      entry("triple", &Worker::triple,
            "The LLVM target triple of assembly, and of C and C++ without a compile command. Empty: what the text "
            "tells, or this machine's."),
      entry("features", &Worker::features, "LLVM subtarget features, as `+avx2,-fma`."),
      entry("iterations", &Worker::iterations, "Iterations of a region to simulate; 0 means llvm-mca's 100."),
      folder(entry("compileCommandsDir", &Worker::compileCommandsDir,
                   "The folder of `compile_commands.json`. Without it the database is looked for upward of the file, "
                   "and in `build/` there.")),
      compileOn(),
      usersOnly(entry("compiler", &Worker::compiler,
                      "A clang or gcc to lower C and C++ with, or `project` for the one that the build uses. Without "
                      "it clang-22.")),
      usersOnly(entry("trustedFolders", &Worker::trustedFolders,
                      "Folders that you trust, by their absolute paths: their loops may be "
                      "[measured](features/measuring.md), and with `project` their `compile_commands.json` may name "
                      "the program that runs.")),
      usersOnly(
          entry("readableFolders", &Worker::readableFolders,
                "Folders that the compiler may read and its messages may quote, by their absolute paths, beside the "
                "opened folders and the system's. What else the compile command names is read, unless it is "
                "hidden in your home folder, but not quoted.")),
      usersOnly(entry("allowedCompilers", &Worker::allowedCompilers,
                      "With `project`: globs of the absolute paths of programs that may run; `*` matches `/`, too.")),
      entry("fallbackFlags", &Worker::extraFlags,
            "Flags for a file that no compile command names, beside `-O2` and a standard."),
      file(entry("trace", &Worker::trace,
                 "The [branch trace](control-flow.md) along which loops are simulated. Without it the file beside the "
                 "document, `FILE.mcatrace`.")),
      predictor(),
      entry("mispredictPenalty", &Worker::mispredictPenalty,
            "Cycles from the execution of a mispredicted branch until the next instruction enters; 0 means the "
            "calibration's or the scheduling model's."),
      fileOr(
          {"auto", "off"},
          entry("calibration", &Worker::calibration,
                "Which [calibration](features/calibration.md) of the CPU the numbers come from: with `auto` your own "
                "of this machine's CPU, or else one that is shipped; with `off` none, so that all numbers are "
                "LLVM's; or a file. A folder's file and the editor's section may only name one inside the opened "
                "folder.")),
      model(),
      file(entry(
          "profile", &Worker::profile,
          "A [profile](features/profile.md) of the program: hints show the share of its time that a loop takes. A "
          "folder's file and the editor's section may only name one inside the opened folder.")),
  };
}

std::vector<Setting> editorSettings() {
  using User = UserSettings;
  return {
      entry("inlayHints.enabled", &User::inlayHints, "Show each region's numbers at the end of its line."),
      entry("inlayHints.instructions", &User::instructionHints,
            "Show hints on the instructions of assembly, too: latency, reciprocal throughput, ports."),
      entry("inlayHints.tooltips", &User::hintTooltips, "Give hints a tooltip that says what the numbers rest on."),
      entry("codeLens.enabled", &User::codeLens,
            "Show lines above loops: to look at one path or with another predictor, to measure, and where hints are "
            "off, the numbers."),
      entry("semanticTokens.enabled", &User::semanticTokens,
            "Colour instructions by how much of the busiest resource's time they take."),
      entry("diagnostics.enabled", &User::diagnostics, "Show findings: what limits a region, and what is wrong."),
      severities(),
      entry("hover.enabled", &User::hover, "Show the timeline and the pressure on each port in a hover."),
      entry("regions.markers", &Worker::markerRegions, "Analyse what is between `LLVM-MCA-BEGIN` and `LLVM-MCA-END`."),
      entry("regions.loops", &Worker::loops, "Analyse innermost loops."),
      entry("regions.snippets", &Worker::wholeSnippets,
            "Analyse assembly that has neither: each function, or all of it if it is one or none."),
      advice(),
      entry("comparison.head", &User::comparisonWithHead,
            "Compare with the version in git's `HEAD`, beside the one of the last save."),
      entry("comparison.slowerPercent", &User::slowerPercent,
            "A region that got slower by more than this many per cent is a finding."),
      entry("profileMinimumPermille", &User::minimumPermille,
            "With a [profile](features/profile.md): loops that take less than this many thousandths of the program's "
            "time have no hint, and their findings are hints. Only in files of which the profile has code."),
  };
}

} // namespace

std::optional<SettingProblem> Setting::check(const Json &value) const {
  switch (kind) {
  case Kind::Text:
  case Kind::Folder:
  case Kind::File:
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
    std::vector<Setting> all = analysisSettings();
    std::ranges::move(editorSettings(), std::back_inserter(all));
    return all;
  }();
  return table;
}

const Setting *findSetting(std::string_view name) {
  const auto found = std::ranges::find(settingTable(), name, &Setting::name);
  return found == settingTable().end() ? nullptr : &*found;
}

const std::vector<std::string> &severityNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"off"};
    std::ranges::copy(analysis::wire::kSeverityNames, std::back_inserter(all));
    return all;
  }();
  return names;
}

} // namespace lsp::protocol
