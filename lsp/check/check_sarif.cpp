// A rule is a finding's code. Findings of severity Hint are left out, because editors keep those out of their list of
// problems, too. Paths are relative to the folder of the run, which SARIF calls `%SRCROOT%`; an absolute path becomes a
// file URI. Sections are those of the SARIF standard.
#include "lsp/check/check_report.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/protocol/uri.h"

#include <map>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

namespace lsp {
namespace {

using analysis::wire::Severity;
/// Keeps the order in which members are added.
using OrderedJson = nlohmann::ordered_json;

constexpr const char *kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

/// The levels of results (§3.27.10); "none" is for results that are no problem.
const char *levelOf(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

auto shownFindings(const CheckFile &file) {
  return std::views::filter(file.findings, [](const CheckFinding &one) { return one.severity != Severity::Hint; });
}

/// The codes that occur, in alphabetical order, each with its gravest severity.
std::map<std::string, Severity> codesOf(const CheckDocument &document) {
  std::map<std::string, Severity> codes;
  for (const CheckFile &file : document.files)
    for (const CheckFinding &finding : shownFindings(file)) {
      const auto [known, added] = codes.emplace(finding.code, finding.severity);
      known->second = std::min(known->second, finding.severity);
    }
  return codes;
}

/// The level of a rule is that of its gravest finding. Each result has its own level, which counts (§3.27.10).
OrderedJson ruleOf(const std::string &code, Severity severity) {
  const analysis::wire::FindingKind *kind = analysis::wire::findFindingKind(code);
  const OrderedJson text = {{"text", kind && *kind->summary ? kind->summary : code}};
  return {{"id", code},
          {"name", code},
          {"shortDescription", text},
          {"fullDescription", text},
          {"defaultConfiguration", {{"level", levelOf(severity)}}}};
}

/// A message's text. A brace begins or ends a placeholder there unless it is doubled (§3.11.5).
OrderedJson messageText(const std::string &text) {
  std::string escaped;
  for (const char c : text)
    escaped.append(c == '{' || c == '}' ? 2 : 1, c);
  return {{"text", escaped}};
}

/// A relative reference needs the base that it is relative to (§3.4.4); GitHub takes %SRCROOT% for the repository's
/// root.
OrderedJson artifactOf(const std::string &path) {
  const std::string uri = protocol::fileUri(path);
  if (path.starts_with("/"))
    return {{"uri", uri}};
  return {{"uri", uri.substr(std::string_view("file://").size())}, {"uriBaseId", "%SRCROOT%"}};
}

OrderedJson locationOf(const std::string &path, OrderedJson region) {
  return {{"physicalLocation", {{"artifactLocation", artifactOf(path)}, {"region", std::move(region)}}}};
}

/// Columns are in UTF-16 units, as the run's `columnKind` says.
OrderedJson regionOf(const CheckPlace &place) {
  return {{"startLine", place.line},
          {"startColumn", place.utf16Column},
          {"endLine", place.endLine},
          {"endColumn", place.utf16EndColumn}};
}

OrderedJson relatedOf(const CheckRelated &related, const std::string &file, size_t id) {
  OrderedJson location = related.path.empty() ? locationOf(file, regionOf(related.at))
                                              : locationOf(related.path, {{"startLine", related.at.line}});
  location["id"] = id;
  location["message"] = messageText(related.message);
  return location;
}

/// The command is in the message, for a reader, and in the property bag (§3.8), for scripts.
OrderedJson resultOf(const CheckFinding &finding, const CheckFile &file, size_t rule) {
  OrderedJson result = {{"ruleId", finding.code},
                        {"ruleIndex", rule},
                        {"level", levelOf(finding.severity)},
                        {"message", messageText(messageOf(file, finding))},
                        {"locations", OrderedJson::array({locationOf(file.name, regionOf(finding.at))})}};
  for (size_t id = 0; id < finding.related.size(); ++id)
    result["relatedLocations"].push_back(relatedOf(finding.related[id], file.name, id));
  if (const std::string &command = file.target.command; !command.empty())
    result["properties"] = {{"command", command}};
  return result;
}

} // namespace

void checkSarif(const CheckDocument &document, const JsonWriter &write) {
  const std::map<std::string, Severity> codes = codesOf(document);
  OrderedJson rules = OrderedJson::array();
  for (const auto &[code, severity] : codes)
    rules.push_back(ruleOf(code, severity));
  std::set<const CheckFinding *> ofSetUp; // each once for all files
  for (const SetUpMessage &message : setUpMessages(document.files))
    ofSetUp.insert(message.finding);
  const auto addResults = [&](const AddElement &add) {
    for (const CheckFile &file : document.files)
      for (const CheckFinding &finding : shownFindings(file)) {
        if (isOfSetUp(finding) && !ofSetUp.contains(&finding))
          continue;
        // The rules are in the order of the codes, so the index of a code is that of its rule.
        const auto rule = static_cast<size_t>(std::distance(codes.begin(), codes.find(finding.code)));
        add(resultOf(finding, file, rule));
      }
  };
  const OrderedJson driver = {{"name", "mca-lsp"}, {"version", document.version}, {"rules", std::move(rules)}};
  OrderedJson run = {
      {"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"}, {"results", OrderedJson::array()}};
  if (const std::vector<std::string> calibrations = calibrationsOf(document.files); !calibrations.empty())
    run["properties"] = {{"calibrations", calibrations}};
  const OrderedJson sarif = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", OrderedJson::array({run})}};
  writeJson(sarif, {"results", 4}, addResults, write);
}

} // namespace lsp
