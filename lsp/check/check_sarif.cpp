// A rule is a finding's code. Findings of the severity Hint, which editors keep out of their list of problems, too, are
// left out. Paths are relative to the folder of the run, `%SRCROOT%` in SARIF's terms; an absolute
// one becomes a file URI.
#include "lsp/check/check_sarif.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/check/run_wide.h"
#include "lsp/protocol/uri.h"

#include <map>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

namespace lsp::protocol {
namespace {

using analysis::wire::Severity;
/// Keeps the order in which members are added.
using OrderedJson = nlohmann::ordered_json;

constexpr const char *kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

const char *levelOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Information:
  case Severity::Hint:
    return "note";
  }
  return "none";
}

bool isShown(const CheckFinding &finding) {
  return finding.severity != Severity::Hint;
}

/// The codes that occur, in their order, each with the gravest severity that it occurs with.
std::map<std::string, Severity> codesOf(const CheckDocument &document) {
  std::map<std::string, Severity> codes;
  for (const CheckFile &file : document.files)
    for (const CheckFinding &finding : std::views::filter(file.findings, isShown)) {
      const auto [known, added] = codes.emplace(finding.code, finding.severity);
      known->second = std::min(known->second, finding.severity);
    }
  return codes;
}

OrderedJson ruleOf(const std::string &code, Severity severity) {
  const analysis::wire::FindingKind *kind = analysis::wire::findFindingKind(code);
  const std::string_view text = kind ? kind->summary : "";
  return {{"id", code},
          {"name", code},
          {"shortDescription", {{"text", text.empty() ? std::string_view(code) : text}}},
          {"fullDescription", {{"text", text.empty() ? std::string_view(code) : text}}},
          {"defaultConfiguration", {{"level", levelOf(severity)}}}};
}

/// A message's text, in which a brace begins or ends a placeholder unless it is doubled (§3.11.5).
OrderedJson messageText(const std::string &text) {
  std::string escaped;
  for (const char c : text)
    escaped.append(c == '{' || c == '}' ? 2 : 1, c);
  return {{"text", escaped}};
}

OrderedJson artifactOf(const std::string &path) {
  const std::string uri = fileUri(path);
  if (path.starts_with("/"))
    return {{"uri", uri}};
  return {{"uri", uri.substr(std::string_view("file://").size())}, {"uriBaseId", "%SRCROOT%"}};
}

OrderedJson locationOf(const std::string &path, OrderedJson region) {
  return {{"physicalLocation", {{"artifactLocation", artifactOf(path)}, {"region", std::move(region)}}}};
}

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

/// Of a file that several commands compile, each has its own results.
OrderedJson resultOf(const CheckFinding &finding, const CheckFile &of, size_t rule) {
  const std::string &file = of.name, &command = of.target.command;
  OrderedJson result = {{"ruleId", finding.code},
                        {"ruleIndex", rule},
                        {"level", levelOf(finding.severity)},
                        {"message", messageText(messageOf(of, finding))},
                        {"locations", OrderedJson::array({locationOf(file, regionOf(finding.at))})}};
  OrderedJson related = OrderedJson::array();
  for (const CheckRelated &place : finding.related)
    related.push_back(relatedOf(place, file, related.size()));
  if (!related.empty())
    result["relatedLocations"] = std::move(related);
  if (!command.empty())
    result["properties"] = {{"command", command}};
  return result;
}

} // namespace

std::string checkSarif(const CheckDocument &document) {
  const std::map<std::string, Severity> codes = codesOf(document);
  OrderedJson rules = OrderedJson::array(), results = OrderedJson::array();
  for (const auto &[code, severity] : codes)
    rules.push_back(ruleOf(code, severity));
  std::set<const CheckFinding *> ofSetUp; // once for all files
  for (const RunWideLine &line : runWideLines(document.files))
    ofSetUp.insert(line.finding);
  for (const CheckFile &file : document.files)
    for (const CheckFinding &finding : std::views::filter(file.findings, isShown)) {
      if (isOfSetUp(finding) && !ofSetUp.contains(&finding))
        continue;
      const auto rule = static_cast<size_t>(std::distance(codes.begin(), codes.find(finding.code)));
      results.push_back(resultOf(finding, file, rule));
    }
  const OrderedJson driver = {{"name", "mca-lsp"}, {"version", document.version}, {"rules", std::move(rules)}};
  const OrderedJson run = {
      {"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"}, {"results", std::move(results)}};
  const OrderedJson sarif = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", OrderedJson::array({run})}};
  return sarif.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

} // namespace lsp::protocol
