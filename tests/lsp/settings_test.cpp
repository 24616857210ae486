// Sections, and layers of settings over each other.
#include "lsp/settings/settings.h"

#include "lsp/settings/setting_table.h"

#include <gtest/gtest.h>
#include <set>

namespace lsp::protocol {
namespace {

SettingsSection configure(const char *section, const std::vector<SettingValue> &lastGood = {}) {
  return readSection(Json::parse(section), SettingsSource::Configuration, lastGood);
}

UserSettings over(const UserSettings &below, const SettingsSection &section) {
  UserSettings settings = below;
  layOver(section.values, settings);
  return settings;
}

TEST(Settings, ReadsEveryKey) {
  const auto section = configure(R"({
    "cpu": "znver4", "cpus": ["skylake"], "triple": "x86_64", "features": "+avx2", "iterations": 50, "compileCommandsDir": "/b",
    "compileOn": "change", "trace": "/t", "predictor": "gshare", "mispredictPenalty": 14, "calibration": "/c",
    "model": "llvm", "fallbackFlags": ["-O3", "-g"], "inlayHints": {"enabled": false, "instructions": true, "tooltips": false},
    "diagnostics": {"enabled": false, "severity": {"call": "off", "dispatch-limit": "hint"}},
    "hover": {"enabled": false}, "regions": {"markers": false, "loops": false, "snippets": false},
    "codeLens": {"enabled": true}, "advice": "off", "semanticTokens": {"enabled": true},
    "comparison": {"head": false, "slowerPercent": 7},
    "profile": "/p", "profileMinimumPermille": 20})");
  UserSettings expected;
  expected.worker = {.cpu = "znver4",
                     .triple = "x86_64",
                     .cpus = {"skylake"},
                     .features = "+avx2",
                     .iterations = 50,
                     .compileCommandsDir = "/b",
                     .extraFlags = {"-O3", "-g"},
                     .markerRegions = false,
                     .loops = false,
                     .wholeSnippets = false,
                     .compileOnChange = true,
                     .trace = "/t",
                     .predictor = "gshare",
                     .mispredictPenalty = 14,
                     .calibration = "/c",
                     .model = "llvm",
                     .profile = "/p"};
  expected.inlayHints = expected.diagnostics = expected.hover = expected.hintTooltips = false;
  expected.instructionHints = expected.codeLens = expected.semanticTokens = true;
  expected.severities = {{"call", ReportAs::Off}, {"dispatch-limit", ReportAs::Hint}};
  expected.advice = expected.comparisonWithHead = false;
  expected.slowerPercent = 7;
  expected.minimumPermille = 20;
  EXPECT_EQ(over({}, section), expected);
  EXPECT_TRUE(section.wrong.empty());
  const size_t usersOnly = 4;
  EXPECT_EQ(section.values.size(), settingTable().size() - usersOnly) << "a setting of the table is not in the test";
}

TEST(Settings, KeysMayHaveDots) {
  EXPECT_FALSE(over({}, configure(R"({"hover.enabled": false})")).hover);
  EXPECT_FALSE(over({}, configure(R"({"hover": {}, "hover.enabled": false})")).hover);
}

TEST(Settings, AbsentAndNullKeysAreTheLayersBelow) {
  UserSettings below;
  below.worker.cpu = "a72";
  EXPECT_EQ(over(below, configure("null")), below);
  EXPECT_EQ(over(below, configure(R"({"cpu": null, "unknown": 5, "regions": null})")), below);
}

TEST(Settings, AWrongTypeIsNamedAndTheLastGoodValueStays) {
  const auto good = configure(R"({"cpu": "znver4", "iterations": 7, "features": "gone"})");
  const auto section = configure(R"({"cpu": 5, "iterations": -1, "triple": "x", "hover": true, "compileOn": "chnge",
                                     "fallbackFlags": ["-a", 3],
                                     "diagnostics": {"severity": {"dispatch-limits": "off"}}})",
                                 good.values);
  const UserSettings settings = over({}, section);
  EXPECT_EQ(settings.worker.cpu, "znver4");
  EXPECT_EQ(settings.worker.iterations, 7u);
  EXPECT_EQ(settings.worker.triple, "x");
  EXPECT_EQ(settings.worker.features, "");
  EXPECT_EQ(section.wrong,
            (std::vector<std::string>{
                "the setting mca.cpu must be a string", "the setting mca.iterations must be a natural number",
                "the setting mca.compileOn must be \"save\" or \"change\"; did you mean 'change'?",
                "the setting mca.fallbackFlags must be an array of strings",
                "the setting mca.diagnostics.severity names the unknown code 'dispatch-limits'; did you mean "
                "'dispatch-limit'?",
                "the setting mca.hover.enabled must be true or false"}));
  EXPECT_EQ(over({}, configure("[]", good.values)), over({}, good));
}

TEST(Settings, PredictorsAreChecked) {
  EXPECT_EQ(configure(R"({"predictor": "tagee"})").wrong,
            (std::vector<std::string>{"the setting mca.predictor must be \"perfect\", \"static\", \"bimodal\", "
                                      "\"gshare\", \"tage\", \"measured\" or \"none\"; did you mean 'tage'?"}));
  EXPECT_EQ(over(over({}, configure(R"({"predictor": "none"})")), configure(R"({"predictor": "tage"})")),
            UserSettings())
      << "the default is the worker's";
}

TEST(Settings, CalibrationsAreFoundUnlessTheUserSaysOtherwise) {
  EXPECT_EQ(UserSettings().worker.calibration, "auto");
  EXPECT_EQ(analysis::wire::Settings().calibration, "") << "the worker uses none on its own";
  EXPECT_EQ(over({}, configure(R"({"calibration": "off"})")).worker.calibration, "off");
  EXPECT_EQ(configure(R"({"calibration": true})").wrong,
            (std::vector<std::string>{"the setting mca.calibration must be a string"}));
}

TEST(Settings, AFolderCannotChooseAProgram) {
  const Json section = Json::parse(R"({"compiler": "project", "trustedFolders": ["/"], "allowedCompilers": ["*"],
                       "readableFolders": ["/etc"], "cpu": "x"})");
  const auto fromFolder = readSection(section, SettingsSource::Configuration, {});
  UserSettings expected;
  expected.worker.cpu = "x";
  EXPECT_EQ(over({}, fromFolder), expected);
  EXPECT_EQ(
      std::set(fromFolder.ignored.begin(), fromFolder.ignored.end()),
      (std::set<std::string>{"mca.compiler", "mca.trustedFolders", "mca.allowedCompilers", "mca.readableFolders"}));

  expected.worker.compiler = "project";
  expected.worker.trustedFolders = {"/"};
  expected.worker.allowedCompilers = {"*"};
  expected.worker.readableFolders = {"/etc"};
  EXPECT_EQ(over({}, readSection(section, SettingsSource::InitializationOptions, {})), expected);
}

TEST(Settings, SeveritiesOfLayersAddUp) {
  const auto low = configure(R"({"diagnostics": {"severity": {"call": "off", "not-saved": "error"}}})");
  const auto high = configure(R"({"diagnostics": {"severity": {"call": "hint"}}})");
  EXPECT_EQ(over(over({}, low), high).severities,
            (std::map<std::string, ReportAs>{{"call", ReportAs::Hint}, {"not-saved", ReportAs::Error}}));
}

TEST(Settings, DifferencesAreWhatWasSet) {
  UserSettings changed;
  changed.worker.cpu = "znver4";
  changed.hover = false;
  UserSettings other;
  other.worker.triple = "kept";
  layOver(differences(changed), other);
  EXPECT_EQ(other.worker.cpu, "znver4");
  EXPECT_EQ(other.worker.triple, "kept");
  EXPECT_FALSE(other.hover);
  EXPECT_TRUE(differences({}).empty());
}

} // namespace
} // namespace lsp::protocol
