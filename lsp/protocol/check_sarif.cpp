// A rule is a finding's code. Paths are relative to the folder of the run, `%SRCROOT%` in SARIF's terms; an absolute
// one becomes a file URI.
#include "lsp/protocol/check_sarif.h"

#include "lsp/protocol/uri.h"

#include <map>
#include <nlohmann/json.hpp>

namespace lsp::protocol {
namespace {

using analysis::wire::Severity;
/// Keeps the order in which members are added.
using Json = nlohmann::ordered_json;

constexpr const char *kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

struct Rule {
  std::string_view code;
  std::string_view text;
};

constexpr Rule kRules[] = {
    {"analysis-timeout", "The analysis of the file took too long and was ended"},
    {"assumed-cpu", "Nothing names the CPU, so the numbers are those of this machine's or of a generic one"},
    {"budget-exceeded", "A marked region takes more than its budget allows"},
    {"budget-unchecked", "A budget could not be checked, as its region could not be simulated"},
    {"buffer-settings", "A comment with settings or a budget is mistaken"},
    {"call", "A loop makes a call, which is not simulated"},
    {"compile-error", "The compiler refuses the file"},
    {"dispatch-limit", "A loop is limited by the micro-ops that are dispatched per cycle"},
    {"empty-region", "The compiler made no instruction for the marked lines"},
    {"indirect-jump", "A loop makes a computed jump, which is simulated as if it were always predicted"},
    {"inferred-command", "The file was compiled with the flags of another one"},
    {"loops-elsewhere", "Loops of the code stand in functions of other files"},
    {"marker-error", "A marker comment is mistaken"},
    {"marker-stops-vectorizer", "A marker in inline assembly keeps the loop from being vectorized"},
    {"no-compile-command", "No compile command names the file"},
    {"no-scheduling-data", "An instruction has no scheduling data on the CPU and is left out of the numbers"},
    {"no-scheduling-model", "LLVM has no scheduling model for the CPU"},
    {"not-analysed", "The file could not be read or analysed"},
    {"not-saved", "The buffer differs from the file on disk"},
    {"not-simulated", "A region could not be simulated"},
    {"out-of-memory", "The analysis of the file ran out of memory"},
    {"parse-error", "A line of assembly could not be read"},
    {"register-dependency", "A loop is limited by a chain of register dependencies"},
    {"resource-bottleneck", "A loop is limited by a unit of the CPU"},
    {"slower-than-baseline", "A region is slower than in the baseline"},
    {"unknown-cpu", "LLVM does not know the CPU"},
    {"unknown-feature", "LLVM does not know a feature of the target"},
    {"unknown-target", "LLVM does not know the target"},
    {"worker-crashed", "The analysis of the file crashed"},
};

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

/// The codes that occur, in their order, each with the gravest severity that it occurs with.
std::map<std::string, Severity> codesOf(const CheckDocument &document) {
  std::map<std::string, Severity> codes;
  for (const CheckFile &file : document.files)
    for (const CheckFinding &finding : file.findings) {
      const auto [known, added] = codes.emplace(finding.code, finding.severity);
      known->second = std::min(known->second, finding.severity);
    }
  return codes;
}

Json ruleOf(const std::string &code, Severity severity) {
  const std::string_view text = ruleText(code);
  return {{"id", code},
          {"name", code},
          {"shortDescription", {{"text", text.empty() ? std::string_view(code) : text}}},
          {"fullDescription", {{"text", text.empty() ? std::string_view(code) : text}}},
          {"defaultConfiguration", {{"level", levelOf(severity)}}}};
}

/// A message's text, in which a brace begins or ends a placeholder unless it is doubled (§3.11.5).
Json messageOf(const std::string &text) {
  std::string escaped;
  for (const char c : text)
    escaped.append(c == '{' || c == '}' ? 2 : 1, c);
  return {{"text", escaped}};
}

Json artifactOf(const std::string &path) {
  const std::string uri = fileUri(path);
  if (path.starts_with("/"))
    return {{"uri", uri}};
  return {{"uri", uri.substr(std::string_view("file://").size())}, {"uriBaseId", "%SRCROOT%"}};
}

Json locationOf(const std::string &path, Json region) {
  return {{"physicalLocation", {{"artifactLocation", artifactOf(path)}, {"region", std::move(region)}}}};
}

Json regionOf(const CheckPlace &place) {
  return {{"startLine", place.line},
          {"startColumn", place.utf16Column},
          {"endLine", place.endLine},
          {"endColumn", place.utf16EndColumn}};
}

Json relatedOf(const CheckRelated &related, const std::string &file, size_t id) {
  Json location = related.path.empty() ? locationOf(file, regionOf(related.at))
                                       : locationOf(related.path, {{"startLine", related.at.line}});
  location["id"] = id;
  location["message"] = messageOf(related.message);
  return location;
}

Json resultOf(const CheckFinding &finding, const std::string &file, size_t rule) {
  Json result = {{"ruleId", finding.code},
                 {"ruleIndex", rule},
                 {"level", levelOf(finding.severity)},
                 {"message", messageOf(finding.message)},
                 {"locations", Json::array({locationOf(file, regionOf(finding.at))})}};
  Json related = Json::array();
  for (const CheckRelated &place : finding.related)
    related.push_back(relatedOf(place, file, related.size()));
  if (!related.empty())
    result["relatedLocations"] = std::move(related);
  return result;
}

} // namespace

std::string_view ruleText(std::string_view code) {
  for (const Rule &rule : kRules)
    if (rule.code == code)
      return rule.text;
  return {};
}

std::string checkSarif(const CheckDocument &document) {
  const std::map<std::string, Severity> codes = codesOf(document);
  Json rules = Json::array(), results = Json::array();
  for (const auto &[code, severity] : codes)
    rules.push_back(ruleOf(code, severity));
  for (const CheckFile &file : document.files)
    for (const CheckFinding &finding : file.findings) {
      const auto rule = static_cast<size_t>(std::distance(codes.begin(), codes.find(finding.code)));
      results.push_back(resultOf(finding, file.name, rule));
    }
  const Json driver = {{"name", "mca-lsp"}, {"version", document.version}, {"rules", std::move(rules)}};
  const Json run = {{"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"}, {"results", std::move(results)}};
  const Json sarif = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return sarif.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace lsp::protocol
