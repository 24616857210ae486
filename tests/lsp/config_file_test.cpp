// Configuration files: what they mean, and what is said about those that are wrong.
#include "lsp/settings/config_file.h"

#include "lsp/settings/glob.h"
#include "lsp/settings/located_json.h"
#include "lsp/settings/near_miss.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace lsp::protocol {
namespace {

const std::string kPath = "/p/.mca-lsp.json";

ConfigFile read(std::string_view text, ConfigOwner owner = ConfigOwner::Folder) {
  return readConfigFile(text, kPath, owner);
}

UserSettings settings(const ConfigFile &file, std::string_view path = "/p/a.c") {
  UserSettings settings;
  layOver(file, path, settings);
  return settings;
}

std::string cpu(const ConfigFile &file, std::string_view path = "/p/a.c") {
  return settings(file, path).worker.cpu;
}

/// "CODE LINE:TEXT: MESSAGE" of each finding, lines from 1.
std::vector<std::string> findings(std::string_view text, ConfigOwner owner = ConfigOwner::Folder) {
  std::vector<std::string> lines;
  for (const analysis::wire::Finding &finding : read(text, owner).findings) {
    const std::string_view before = text.substr(0, finding.at.begin);
    lines.push_back(finding.code + " " + std::to_string(std::count(before.begin(), before.end(), '\n') + 1) + ":" +
                    std::string(text.substr(finding.at.begin, finding.at.end - finding.at.begin)) + ": " +
                    finding.message);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Glob, Matches) {
  EXPECT_TRUE(globMatches("src/*.c", "src/a.c"));
  EXPECT_FALSE(globMatches("src/*.c", "src/deep/a.c"));
  EXPECT_TRUE(globMatches("src/**/*.c", "src/a.c"));
  EXPECT_TRUE(globMatches("src/**/*.c", "src/deep/er/a.c"));
  EXPECT_FALSE(globMatches("src/**/*.c", "src/deep/a.cpp"));
  EXPECT_FALSE(globMatches("src/**/*.c", "other/src/a.c"));
  EXPECT_TRUE(globMatches("**/a.c", "a.c"));
  EXPECT_TRUE(globMatches("**/a.c", "x/y/a.c"));
  EXPECT_FALSE(globMatches("**/a.c", "x/ba.c"));
  EXPECT_TRUE(globMatches("src/**", "src/x/y"));
  EXPECT_FALSE(globMatches("src/**", "srcs/x"));
  EXPECT_TRUE(globMatches("a?c", "abc"));
  EXPECT_FALSE(globMatches("a?c", "a/c"));
  EXPECT_TRUE(globMatches("*", "abc"));
  EXPECT_FALSE(globMatches("*", "a/c"));
  EXPECT_TRUE(globMatches("", ""));
  EXPECT_FALSE(globMatches("", "a"));
  EXPECT_TRUE(globMatches("**/**/x", "x"));
}

TEST(Glob, HostileOnesTakeNoTime) {
  std::string stars;
  for (int i = 0; i < 200; ++i)
    stars += "*a";
  EXPECT_FALSE(globMatches(stars + "b", std::string(4000, 'a')));
}

TEST(Glob, TheLastOneDecides) {
  const std::vector<std::string> but{"src/**", "!src/x.c"};
  EXPECT_TRUE(globsMatch(but, "/p", "/p/src/a.c"));
  EXPECT_FALSE(globsMatch(but, "/p", "/p/src/x.c"));
  EXPECT_FALSE(globsMatch(but, "/p", "/q/src/a.c"));
  EXPECT_FALSE(globsMatch(but, "/p", "/psrc/a.c"));
  EXPECT_TRUE(globsMatch({"!src/x.c"}, "/p", "/p/b.c"));
  EXPECT_FALSE(globsMatch({"!src/x.c"}, "/p", "/p/src/x.c"));
  EXPECT_TRUE(globsMatch({"!**", "src/*"}, "/p", "/p/src/a.c"));
  EXPECT_TRUE(globsMatch({"/home/**"}, "/home/me/.config/mca-lsp", "/home/me/src/a.c"));
  EXPECT_TRUE(globsMatch({"a.c"}, "", "/a.c"));
}

TEST(NearMiss, IsCloseEnough) {
  const std::vector<std::string> known{"cpu", "cpus", "triple", "hover.enabled"};
  EXPECT_EQ(nearMiss("CPU", known), "cpu");
  EXPECT_EQ(nearMiss("tripel", known), "triple");
  EXPECT_EQ(nearMiss("hover.enable", known), "hover.enabled");
  EXPECT_EQ(nearMiss("nothing", known), "");
  EXPECT_EQ(nearMiss(std::string(100000, 'c'), known), "");
}

TEST(LocatedJson, KnowsWhereKeysStand) {
  const std::string text = "// c \"\n{\"a\": 1,\n \"q\\\"\\\\\": {\"b\" : [\"x\", 12, true]}}\n";
  const LocatedJson json = parseLocatedJson(text);
  ASSERT_FALSE(json.error);
  const auto at = [&](JsonPath path) {
    const auto range = json.placeOf(std::move(path));
    return text.substr(range.begin, range.end - range.begin);
  };
  EXPECT_EQ(json.value["q\"\\"]["b"][1], 12);
  EXPECT_EQ(at({"a"}), "\"a\"");
  EXPECT_EQ(at({"q\"\\"}), R"("q\"\\")");
  EXPECT_EQ(at({"q\"\\", "b"}), "\"b\"");
  EXPECT_EQ(at({"q\"\\", "b", "0"}), "\"x\"");
  EXPECT_EQ(at({"a", "none"}), "\"a\"") << "the innermost place that is known";
  EXPECT_EQ(at({}), "");
}

TEST(LocatedJson, ErrorsHaveTheirPlace) {
  const LocatedJson comma = parseLocatedJson("{\n  \"a\": 1,\n}");
  ASSERT_TRUE(comma.error);
  EXPECT_EQ(comma.error->offset, 12u);
  EXPECT_EQ(comma.error->message, "while parsing object key - unexpected '}'; expected string literal");
  EXPECT_TRUE(comma.value.is_null());
  EXPECT_TRUE(parseLocatedJson("").error);
  EXPECT_TRUE(parseLocatedJson("{} x").error);
  EXPECT_TRUE(parseLocatedJson("{\"a\": \"\xFF\"}").error);
  ASSERT_TRUE(parseLocatedJson("{\"a\": 1e999}").error);
  EXPECT_EQ(parseLocatedJson("{\"a\": 1e999}").error->message, "number overflow parsing '1e999'");
  EXPECT_FALSE(parseLocatedJson("\xEF\xBB\xBF{}").error);
}

TEST(LocatedJson, DepthHasALimit) {
  const auto nested = [](size_t depth) {
    return parseLocatedJson(std::string(depth, '[') + std::string(depth, ']')).error;
  };
  EXPECT_FALSE(nested(kDeepestJson));
  ASSERT_TRUE(nested(kDeepestJson + 1));
  EXPECT_EQ(nested(kDeepestJson + 1)->offset, kDeepestJson);
  EXPECT_EQ(nested(500000)->message, "nested deeper than 32 levels");
}

TEST(ConfigFile, FragmentsAreAboutTheirPaths) {
  const ConfigFile file = read(R"({
    "$schema": "x",
    "cpu": "root", // a comment
    "fragments": [
      {"paths": ["src/**/*.c", "!src/x.c"], "cpu": "znver4", "hover": {"enabled": false}},
      {"paths": ["src/deep/*"], "cpu": "skylake"}]})");
  EXPECT_TRUE(file.findings.empty());
  EXPECT_EQ(cpu(file, "/p/a.c"), "root");
  EXPECT_EQ(cpu(file, "/p/src/a.c"), "znver4");
  EXPECT_FALSE(settings(file, "/p/src/a.c").hover);
  EXPECT_EQ(cpu(file, "/p/src/x.c"), "root");
  EXPECT_EQ(cpu(file, "/p/src/deep/a.c"), "skylake") << "later fragments win";
  EXPECT_FALSE(settings(file, "/p/src/deep/a.c").hover);
}

TEST(ConfigFile, FoldersAreRelativeToTheFile) {
  EXPECT_EQ(settings(read(R"({"compileCommandsDir": "../out"})")).worker.compileCommandsDir, "/out");
  EXPECT_EQ(settings(read(R"({"trace": "../t.mcatrace"})")).worker.trace, "/t.mcatrace");
  EXPECT_EQ(settings(read(R"({"calibration": "ci/../a.calibration"})")).worker.calibration, "/p/a.calibration");
  EXPECT_EQ(settings(read(R"({"calibration": "auto"})")).worker.calibration, "auto") << "no path";
  EXPECT_EQ(settings(read(R"({"calibration": "off"})")).worker.calibration, "off");
  EXPECT_EQ(settings(read(R"({"compileCommandsDir": "/abs"})")).worker.compileCommandsDir, "/abs");
  EXPECT_EQ(settings(read(R"({"compileCommandsDir": ""})")).worker.compileCommandsDir, "");
}

TEST(ConfigFile, WhatIsWrongStandsOnItsLine) {
  EXPECT_EQ(
      findings("{\n\"cpu\": 5,\n\"hover\":\n {\"enabeld\": false},\n\"compileOn\": \"saved\"}"),
      (Lines{"config-bad-value 2:\"cpu\": cpu must be a string",
             "config-unknown-key 4:\"enabeld\": unknown key 'hover.enabeld'; did you mean 'hover.enabled'?",
             "config-bad-value 5:\"compileOn\": compileOn must be \"save\" or \"change\"; did you mean 'save'?"}));
  EXPECT_EQ(
      findings("{\"diagnostics.severity\": {\"call\": \"off\",\n\"cal\": \"off\"}}"),
      (Lines{"config-bad-value 2:\"cal\": diagnostics.severity names the unknown code 'cal'; did you mean 'call'?"}));
  EXPECT_EQ(findings("{\"hover\": true}"), (Lines{"config-bad-value 1:\"hover\": hover must be an object"}));
  EXPECT_EQ(findings("[]"), (Lines{"config-bad-value 1:: the configuration must be an object"}));
  EXPECT_EQ(findings("{\"cpu\": \"a\",\n\"cpu\": \"b\"}"),
            (Lines{"config-bad-value 2:\"cpu\": this key is there twice: the last one counts"}));
}

TEST(ConfigFile, AnElementsComplaintStandsOnItsLine) {
  const auto lines = findings("{\"cpus\": [\"a\",\n 5\n]}");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with("config-bad-value 2:")) << lines[0];
}

TEST(ConfigFile, WrongFragmentsAreSaid) {
  EXPECT_EQ(findings(R"({"fragments": {}})"),
            (Lines{"config-bad-value 1:\"fragments\": fragments must be an array of objects"}));
  EXPECT_EQ(findings(R"({"fragments": [{"cpu": "x"}]})").size(), 1u);
  EXPECT_EQ(findings(R"({"fragments": [{"paths": []}]})").size(), 1u);
  EXPECT_EQ(findings(R"({"fragments": [{"paths": ["a", 5]}]})").size(), 1u);
  EXPECT_EQ(findings(R"({"fragments": [{"path": ["a"], "paths": ["a"]}]})"),
            (Lines{"config-unknown-key 1:\"path\": unknown key 'path'; did you mean 'paths'?"}));
  EXPECT_EQ(cpu(read(R"({"fragments": [{"cpu": "x"}, {"paths": "**", "cpu": "y"}]})")), "")
      << "a fragment without paths is about nothing";
}

TEST(ConfigFile, TextThatIsNotJsonIsSaidWithItsPlace) {
  EXPECT_EQ(findings("{\n\"cpu\": \"x\"\n\"triple\": 1}"),
            (Lines{"config-unreadable 3:: not JSON: while parsing object - unexpected string literal; expected '}'"}));
  const std::string tooLong(kLongestConfig + 1, ' ');
  EXPECT_EQ(findings(tooLong),
            (Lines{"config-unreadable 1:: a configuration has at most 1 MiB: this one is not read"}));
}

TEST(ConfigFile, OnlyTheUserNamesPrograms) {
  const char *text = R"({"compiler": "project", "trustedFolders": ["/"], "allowedCompilers": ["*"],
                         "fragments": [{"paths": ["**"], "compiler": "/evil"}]})";
  EXPECT_EQ(settings(read(text)), UserSettings());
  EXPECT_EQ(findings(text).size(), 4u);
  EXPECT_TRUE(findings(text)[0].starts_with("config-not-allowed 1:\"compiler\": compiler is ignored here"));
  const ConfigFile users = read(text, ConfigOwner::User);
  EXPECT_TRUE(users.findings.empty());
  EXPECT_EQ(settings(users).worker.compiler, "/evil");
  EXPECT_EQ(settings(users).worker.trustedFolders, std::vector<std::string>{"/"});
}

TEST(ConfigFile, TheLastGoodContentStays) {
  const ConfigFile good = read(R"({"cpu": "a", "triple": "t", "fragments": [{"paths": ["*"], "features": "+x"}]})");
  ConfigFile broken = read("{\"cpu\": ");
  keepLastGood(broken, good);
  EXPECT_EQ(settings(broken), settings(good));
  ConfigFile wrong = read(R"({"cpu": 5, "fragments": [{"paths": ["*"], "features": 6}]})");
  keepLastGood(wrong, good);
  EXPECT_EQ(cpu(wrong), "a");
  EXPECT_EQ(settings(wrong).worker.triple, "") << "a key that is gone is gone";
  EXPECT_EQ(settings(wrong).worker.features, "+x");
  ConfigFile moved = read(R"({"fragments": [{"paths": ["other"], "features": 6}]})");
  keepLastGood(moved, good);
  EXPECT_EQ(settings(moved, "/p/other").worker.features, "");
}

} // namespace
} // namespace lsp::protocol
