// The codes of findings, the settings and their pages: none is missing, and what is generated is current.
#include "analysis/wire/finding_codes.h"
#include "lsp/settings/setting_table.h"
#include "lsp/settings/settings_docs.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

namespace lsp::protocol {
namespace {

namespace fs = std::filesystem;
using analysis::wire::FindingKind;
using analysis::wire::kFindingKinds;

const fs::path kRoot = MCA_SOURCE_DIR;

std::string readFile(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return std::move(text).str();
}

/// What the first group matches, everywhere in a text.
std::set<std::string> allMatches(const std::string &text, const std::string &pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
    found.insert((*match)[1]);
  return found;
}

std::string sources() {
  std::string all;
  for (const char *folder : {"analysis", "lsp"})
    for (const auto &entry : fs::recursive_directory_iterator(kRoot / folder))
      if (entry.path().extension() == ".cpp")
        all += readFile(entry.path());
  return all;
}

TEST(FindingCodes, AreInTheTableOnce) {
  std::set<std::string> table;
  for (const FindingKind &kind : kFindingKinds)
    EXPECT_TRUE(table.insert(kind.code).second) << kind.code;
  const std::string header = readFile(kRoot / "analysis/wire/finding_codes.h");
  EXPECT_EQ(allMatches(header, "char \\*k\\w+ = \"([a-z-]+)\""), table);
}

TEST(FindingCodes, AreTheConstantsWhereFindingsAreMade) {
  const std::string all = sources();
  EXPECT_EQ(allMatches(all, "\\bcode = (?:\\w+ \\? )?\"([a-z-]+)\""), std::set<std::string>());
  EXPECT_EQ(allMatches(all, "Severity::\\w+,\\s*\"([a-z]+(?:-[a-z]+)+)\""), std::set<std::string>());
}

/// The page that lists them. With MCA_UPDATE_GOLDENS set, it is written.
TEST(FindingCodes, EachHasAPage) {
  const fs::path indexPath = kRoot / "docs/diagnostics/README.md";
  const std::string index = readFile(indexPath), head = "|---|---|---|\n";
  std::string table = index.substr(0, index.find(head)) + head;
  for (const FindingKind &kind : kFindingKinds) {
    const std::string page = readFile(kRoot / "docs/diagnostics" / (std::string(kind.code) + ".md"));
    const std::string severity = severityNames().at(static_cast<size_t>(kind.severity));
    EXPECT_TRUE(page.starts_with("# `" + std::string(kind.code) + "`\n\n" + kind.summary)) << kind.code;
    EXPECT_NE(page.find("Severity: " + severity + ".\n"), std::string::npos) << kind.code << " is of " << severity;
    table += "| [`" + std::string(kind.code) + "`](" + kind.code + ".md) | " + severity + " | " + kind.summary + " |\n";
  }
  if (std::getenv("MCA_UPDATE_GOLDENS"))
    std::ofstream(indexPath) << table;
  else
    EXPECT_EQ(index, table);
}

TEST(FindingCodes, EachPageHasACode) {
  for (const auto &entry : fs::directory_iterator(kRoot / "docs/diagnostics"))
    EXPECT_TRUE(entry.path().stem() == "README" || analysis::wire::findFindingKind(entry.path().stem().string()))
        << entry.path();
}

TEST(SettingsDocs, AreCurrent) {
  EXPECT_EQ(settingsPage(), readFile(kRoot / "docs/settings.md")) << "mca-lsp --print-settings > docs/settings.md";
  EXPECT_EQ(settingsSchema(), readFile(kRoot / "docs/mca-lsp.schema.json"))
      << "mca-lsp --print-schema > docs/mca-lsp.schema.json";
}

TEST(SettingsDocs, TheSchemaHasEverySettingInBothForms) {
  const Json schema = Json::parse(settingsSchema());
  const Json &properties = schema["properties"];
  const Json &inFragments = schema["properties"]["fragments"]["items"]["properties"];
  for (const Setting &setting : settingTable()) {
    const Json reference{{"$ref", "#/definitions/" + setting.name}};
    EXPECT_EQ(properties.value(setting.name, Json()), reference);
    EXPECT_EQ(inFragments.value(setting.name, Json()), reference);
    const size_t dot = setting.name.find('.');
    if (dot != std::string::npos) {
      EXPECT_EQ(properties[setting.name.substr(0, dot)]["properties"][setting.name.substr(dot + 1)], reference);
    }
    EXPECT_FALSE(setting.check(schema["definitions"][setting.name]["default"])) << "a default is a value of its type";
  }
}

} // namespace
} // namespace lsp::protocol
