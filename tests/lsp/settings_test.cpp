// The layers of the settings.
#include "lsp/protocol/settings.h"

#include <gtest/gtest.h>

namespace lsp::protocol {
namespace {

SettingsUpdate configure(const char *section, const UserSettings &base = {}, const UserSettings &current = {}) {
  return readSettings(Json::parse(section), SettingsSource::Configuration, base, current);
}

TEST(Settings, ReadsEveryKey) {
  const auto update = configure(R"({
    "cpu": "znver4", "cpus": ["skylake"], "triple": "x86_64", "features": "+avx2", "iterations": 50, "compileCommandsDir": "/b",
    "compileOn": "change",
    "fallbackFlags": ["-O3", "-g"], "inlayHints": {"enabled": false}, "diagnostics": {"enabled": false},
    "hover": {"enabled": false}, "regions": {"markers": false, "loops": false, "snippets": false}})");
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
                     .compileOnChange = true};
  expected.inlayHints = expected.diagnostics = expected.hover = false;
  EXPECT_EQ(update.settings, expected);
  EXPECT_TRUE(update.wrong.empty());
}

TEST(Settings, AbsentAndNullKeysAreTheBases) {
  UserSettings base;
  base.worker.cpu = "a72";
  UserSettings current = base;
  current.worker.cpu = "znver4";
  EXPECT_EQ(configure("null", base, current).settings, base);
  EXPECT_EQ(configure(R"({"cpu": null, "unknown": 5, "regions": null})", base, current).settings, base);
}

TEST(Settings, AWrongTypeIsNamedAndTheLastGoodValueStays) {
  UserSettings current;
  current.worker.cpu = "znver4";
  current.worker.iterations = 7;
  const auto update = configure(R"({"cpu": 5, "iterations": -1, "triple": "x", "hover": true, "compileOn": "never",
                                    "fallbackFlags": ["-a", 3]})",
                                {}, current);
  EXPECT_EQ(update.settings.worker.cpu, "znver4");
  EXPECT_EQ(update.settings.worker.iterations, 7u);
  EXPECT_EQ(update.settings.worker.triple, "x");
  EXPECT_EQ(update.wrong, (std::vector<std::string>{"the setting mca.cpu must be a string",
                                                    "the setting mca.iterations must be a natural number",
                                                    "the setting mca.fallbackFlags must be an array of strings",
                                                    "the setting mca.compileOn must be \"save\" or \"change\"",
                                                    "the setting mca.hover.enabled must be true or false"}));
  EXPECT_EQ(configure("[]", {}, current).settings, current);
}

TEST(Settings, AFolderCannotChooseAProgram) {
  const Json section =
      Json::parse(R"({"compiler": "project", "trustedFolders": ["/"], "allowedCompilers": ["*"], "cpu": "x"})");
  const auto update = readSettings(section, SettingsSource::Configuration, {}, {});
  UserSettings expected;
  expected.worker.cpu = "x";
  EXPECT_EQ(update.settings, expected);
  EXPECT_EQ(update.ignored, (std::vector<std::string>{"mca.compiler", "mca.trustedFolders", "mca.allowedCompilers"}));

  expected.worker.compiler = "project";
  expected.worker.trustedFolders = {"/"};
  expected.worker.allowedCompilers = {"*"};
  EXPECT_EQ(readSettings(section, SettingsSource::InitializationOptions, {}, {}).settings, expected);
}

} // namespace
} // namespace lsp::protocol
