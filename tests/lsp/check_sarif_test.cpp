// SARIF 2.1.0: the properties that the standard requires, and those that code scanning reads.
#include "lsp/check/check_report.h"
#include "tests/lsp/check_samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lsp {
namespace {

using analysis::wire::Severity;
using nlohmann::json;

CheckDocument document() {
  CheckFile file = checkedFile("src/a b.cpp");
  CheckFinding finding = checkedFinding(Severity::Warning, "budget-exceeded");
  finding.at = {2, 9, 3, 2, 12, 6};
  finding.related = {{"", {4, 1, 1, 4, 5, 5}, "ld1 { v0.4s }"}, {"/usr/h.h", {7, 1, 1, 7, 1, 1}, "there"}};
  file.findings = {finding, checkedFinding(Severity::Error, "parse-error"),
                   checkedFinding(Severity::Information, "call"), checkedFinding(Severity::Hint, "loops-elsewhere"),
                   checkedFinding(Severity::Error, "call")};
  return {"0.1", {}, {file, checkedFile("b.s")}};
}

/// The physical location's uri, after checking what each location must have.
std::string uriOf(const json &location) {
  const json &artifact = location.at("physicalLocation").at("artifactLocation");
  const std::string uri = artifact.at("uri");
  EXPECT_EQ(artifact.contains("uriBaseId"), !uri.starts_with("file:///")) << uri;
  EXPECT_GE(location.at("physicalLocation").at("region").at("startLine"), 1);
  return uri;
}

std::string written(const CheckDocument &document) {
  std::string text;
  checkSarif(document, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(CheckSarif, HasWhatTheStandardRequires) {
  const json sarif = json::parse(written(document()));
  EXPECT_EQ(sarif.at("version"), "2.1.0");
  EXPECT_NE(sarif.at("$schema").get<std::string>().find("sarif"), std::string::npos);
  ASSERT_EQ(sarif.at("runs").size(), 1u);
  const json &run = sarif["runs"][0];
  const json &driver = run.at("tool").at("driver");
  EXPECT_EQ(driver.at("name"), "mca-lsp");
  EXPECT_EQ(driver.at("version"), "0.1");
  EXPECT_EQ(run.at("columnKind"), "utf16CodeUnits");
  const json &rules = driver.at("rules");
  for (const json &result : run.at("results")) {
    const json &rule = rules.at(result.at("ruleIndex").get<size_t>());
    EXPECT_EQ(rule.at("id"), result.at("ruleId"));
    EXPECT_FALSE(rule.at("shortDescription").at("text").get<std::string>().empty());
    EXPECT_FALSE(result.at("message").at("text").get<std::string>().empty());
    EXPECT_EQ(result.at("locations").size(), 1u);
    EXPECT_EQ(uriOf(result["locations"][0]), "src/a%20b.cpp");
  }
}

TEST(CheckSarif, NamesTheCalibrations) {
  CheckDocument calibrated = document();
  EXPECT_FALSE(json::parse(written(calibrated))["runs"][0].contains("properties"));
  calibrated.files[0].target.calibration = {analysis::wire::CalibrationSummary::Source::Shipped, "AMD EPYC",
                                            "2026-11-23", "", "1f"};
  EXPECT_EQ(json::parse(written(calibrated))["runs"][0]["properties"]["calibrations"],
            json{"AMD EPYC of 2026-11-23 (shipped with mca-lsp)"});
}

TEST(CheckSarif, HasAResultForEachFinding) {
  const json results = json::parse(written(document()))["runs"][0]["results"];
  std::vector<std::string> levels;
  for (const json &result : results)
    levels.push_back(result.at("ruleId").get<std::string>() + " " + result.at("level").get<std::string>());
  EXPECT_EQ(levels,
            (std::vector<std::string>{"budget-exceeded warning", "parse-error error", "call note", "call error"}))
      << "not the hint";
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["region"],
            (json{{"startLine", 2}, {"startColumn", 3}, {"endLine", 2}, {"endColumn", 6}}));
}

TEST(CheckSarif, HasEachRuleOnce) {
  const json rules = json::parse(written(document()))["runs"][0]["tool"]["driver"]["rules"];
  std::vector<std::string> ids;
  for (const json &rule : rules)
    ids.push_back(rule["id"]);
  EXPECT_EQ(ids, (std::vector<std::string>{"budget-exceeded", "call", "parse-error"}));
  EXPECT_EQ(rules[1]["defaultConfiguration"]["level"], "error") << "the gravest that occurs";
}

TEST(CheckSarif, HasRelatedLocations) {
  const json result = json::parse(written(document()))["runs"][0]["results"][0];
  ASSERT_EQ(result.at("relatedLocations").size(), 2u);
  const json &here = result["relatedLocations"][0], &there = result["relatedLocations"][1];
  EXPECT_EQ(uriOf(here), "src/a%20b.cpp");
  EXPECT_EQ(here["message"]["text"], "ld1 {{ v0.4s }}") << "a lone brace is a placeholder's";
  EXPECT_EQ(uriOf(there), "file:///usr/h.h");
  EXPECT_EQ(there["physicalLocation"]["region"], (json{{"startLine", 7}}));
  EXPECT_NE(here["id"], there["id"]);
}

TEST(CheckSarif, WithoutFindings) {
  const json run = json::parse(written({"0.1", {}, {checkedFile("a.s")}}))["runs"][0];
  EXPECT_EQ(run["results"], json::array());
  EXPECT_EQ(run["tool"]["driver"]["rules"], json::array());
}

TEST(CheckSarif, HasWhatIsOfTheSetUpOnce) {
  CheckDocument both{"0.1", {}, {checkedFile("a.c"), checkedFile("b.c")}};
  for (CheckFile &file : both.files)
    file.findings = {checkedFinding(Severity::Information, "assumed-cpu"), checkedFinding(Severity::Warning, "call")};
  std::vector<std::string> results;
  const json sarif = json::parse(written(both));
  for (const json &result : sarif["runs"][0]["results"])
    results.push_back(result["ruleId"].get<std::string>() + " " + uriOf(result["locations"][0]));
  EXPECT_EQ(results, (std::vector<std::string>{"assumed-cpu a.c", "call a.c", "call b.c"}));
}

TEST(CheckSarif, PiecesAreIndentedAsOneObject) {
  for (const CheckDocument &one : {document(), CheckDocument{"0.1", {}, {}}}) {
    const std::string text = written(one);
    EXPECT_EQ(text, nlohmann::ordered_json::parse(text).dump(1) + "\n");
  }
}

} // namespace
} // namespace lsp
