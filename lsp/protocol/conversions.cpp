// One function a struct. A path such as "textDocument.uri" names the place in every complaint.
#include "lsp/protocol/conversions.h"

#include "lsp/protocol/conversions_features.h"
#include "lsp/protocol/reading.h"

#include <algorithm>

namespace lsp::protocol {
namespace {

// ---- reading -------------------------------------------------------------------------------------------------------

PositionEncoding chooseEncoding(const Json &capabilities) {
  const Json &offered = at(capabilities, "/general/positionEncodings");
  const auto offers = [&](const char *name) {
    return offered.is_array() && std::find(offered.begin(), offered.end(), Json(name)) != offered.end();
  };
  if (offers("utf-8"))
    return PositionEncoding::Utf8;
  return offers("utf-32") && !offers("utf-16") ? PositionEncoding::Utf32 : PositionEncoding::Utf16;
}

bool prefersMarkdown(const Json &capabilities) {
  const Json &formats = at(capabilities, "/textDocument/hover/contentFormat");
  for (const Json &format : formats.is_array() ? formats : Json::array()) {
    if (format == "markdown")
      return true;
    if (format == "plaintext")
      return false;
  }
  return false;
}

/// What a number in an array of numbers stands for is the protocol's; a client may send any.
bool contains(const Json &array, int number) {
  return array.is_array() && std::find(array.begin(), array.end(), Json(number)) != array.end();
}

std::vector<std::string> readRoots(const Json &params) {
  std::vector<std::string> uris;
  const Json &folders = at(params, "/workspaceFolders");
  for (const Json &folder : folders.is_array() ? folders : Json::array())
    if (const Json &uri = at(folder, "/uri"); uri.is_string())
      uris.push_back(uri.get<std::string>());
  if (const Json &root = at(params, "/rootUri"); uris.empty() && root.is_string())
    uris.push_back(root.get<std::string>());
  return uris;
}

std::optional<TraceValue> readTrace(const Json &json) {
  if (json == "off")
    return TraceValue::Off;
  if (json == "messages")
    return TraceValue::Messages;
  return json == "verbose" ? std::optional(TraceValue::Verbose) : std::nullopt;
}

void readDiagnosticCapabilities(const Json &capabilities, ClientCapabilities &out) {
  constexpr int kUnnecessary = 1;
  out.relatedInformation = flag(capabilities, "/textDocument/publishDiagnostics/relatedInformation");
  out.codeDescriptions = flag(capabilities, "/textDocument/publishDiagnostics/codeDescriptionSupport");
  out.unnecessaryTag = contains(at(capabilities, "/textDocument/publishDiagnostics/tagSupport/valueSet"), kUnnecessary);
  out.pullsDiagnostics = at(capabilities, "/textDocument/diagnostic").is_object();
  out.refreshesDiagnostics = flag(capabilities, "/workspace/diagnostics/refreshSupport");
}

void readChanges(Json &params, DidChangeParams &out) {
  out.version = versionMember(params["textDocument"]);
  Json &changes = member(params, "contentChanges", "");
  if (!changes.is_array())
    throw InvalidParams("contentChanges is not an array");
  for (Json &change : changes) {
    ContentChange &added = out.changes.emplace_back();
    added.text = stringMember(change, "text", "contentChanges");
    if (const auto range = change.find("range"); range != change.end() && !range->is_null())
      added.range = readRange(*range, "contentChanges.range");
  }
}

const char *encodingName(PositionEncoding encoding) {
  switch (encoding) {
  case PositionEncoding::Utf8:
    return "utf-8";
  case PositionEncoding::Utf16:
    return "utf-16";
  case PositionEncoding::Utf32:
    return "utf-32";
  }
  return "";
}

} // namespace

std::string documentOf(const Json &params) {
  const Json &uri = at(params, "/textDocument/uri");
  return uri.is_string() ? uri.get<std::string>() : "";
}

void fromJson(Json &params, InitializeParams &out) {
  if (!params.is_object())
    throw InvalidParams("params is not an object");
  if (const Json &pid = at(params, "/processId"); pid.is_number_integer())
    out.processId = pid.get<int>();
  if (const Json &name = at(params, "/clientInfo/name"); name.is_string())
    out.clientName = name.get<std::string>();
  const Json &capabilities = at(params, "/capabilities");
  out.capabilities.encoding = chooseEncoding(capabilities);
  out.capabilities.configuration = flag(capabilities, "/workspace/configuration");
  out.capabilities.registersConfiguration = flag(capabilities, "/workspace/didChangeConfiguration/dynamicRegistration");
  out.capabilities.refreshesInlayHints = flag(capabilities, "/workspace/inlayHint/refreshSupport");
  out.capabilities.workDoneProgress = flag(capabilities, "/window/workDoneProgress");
  out.capabilities.markdownHover = prefersMarkdown(capabilities);
  readDiagnosticCapabilities(capabilities, out.capabilities);
  out.capabilities.registersWatchedFiles = flag(capabilities, "/workspace/didChangeWatchedFiles/dynamicRegistration");
  out.rootUris = readRoots(params);
  out.trace = readTrace(at(params, "/trace")).value_or(TraceValue::Off);
  readFeatureCapabilities(capabilities, out.capabilities);
  out.capabilities.textDocumentContent = at(capabilities, "/workspace/textDocumentContent").is_object();
  out.capabilities.showDocument = flag(capabilities, "/window/showDocument/support");
  out.initializationOptions = at(params, "/initializationOptions");
}

void fromJson(Json &params, DidOpenParams &out) {
  Json &document = member(params, "textDocument", "");
  out.uri = stringMember(document, "uri", "textDocument");
  out.languageId = stringMember(document, "languageId", "textDocument");
  out.version = versionMember(document);
  out.text = stringMember(document, "text", "textDocument");
}

void fromJson(Json &params, DidChangeParams &out) {
  out.uri = readUri(params);
  try {
    readChanges(params, out);
  } catch (const InvalidParams &error) {
    out.changes.clear();
    out.unreadable = error.what();
  }
}

void fromJson(Json &params, DidSaveParams &out) {
  out.uri = readUri(params);
  if (const Json &text = at(params, "/text"); text.is_string())
    out.text = text.get<std::string>();
}

void fromJson(Json &params, DocumentParams &out) {
  out.uri = readUri(params);
}

void fromJson(Json &params, DocumentDiagnosticParams &out) {
  out.uri = readUri(params);
  if (const Json &previous = at(params, "/previousResultId"); previous.is_string())
    out.previousResultId = previous.get<std::string>();
}

void fromJson(Json &params, DidChangeWatchedFilesParams &out) {
  Json &changes = member(params, "changes", "");
  if (!changes.is_array())
    throw InvalidParams("changes is not an array");
  for (Json &change : changes)
    out.uris.push_back(stringMember(change, "uri", "changes"));
}

void fromJson(Json &params, SetTraceParams &out) {
  out.value = readTrace(at(params, "/value"));
}

void fromJson(Json &params, InlayHintParams &out) {
  out.uri = readUri(params);
  out.range = readRange(member(params, "range", ""), "range");
}

void fromJson(Json &params, HoverParams &out) {
  out.uri = readUri(params);
  out.position = readPosition(member(params, "position", ""), "position");
}

void fromJson(Json &params, CancelParams &out) {
  const Json &id = member(params, "id", "");
  if (id.is_string())
    out.id = id.get<std::string>();
  else if (id.is_number_integer())
    out.id = id.get<int64_t>();
  else
    throw InvalidParams("id is neither an integer nor a string");
}

void fromJson(Json &params, DidChangeConfigurationParams &out) {
  out.settings = at(params, "/settings");
}

void fromJson(Json &params, NoParams &out) {}

// ---- writing -------------------------------------------------------------------------------------------------------

// An initializer list makes an array of each name and value before it makes the object: what there is thousands of in a
// message is filled in place.

Json toJson(const Position &position) {
  Json json;
  json["line"] = position.line;
  json["character"] = position.character;
  return json;
}

Json toJson(const Range &range) {
  Json json;
  json["start"] = toJson(range.start);
  json["end"] = toJson(range.end);
  return json;
}

Json toJson(const MarkupContent &content) {
  return {{"kind", content.markdown ? "markdown" : "plaintext"}, {"value", content.value}};
}

Json toJson(const DiagnosticRelatedInformation &related) {
  Json json;
  json["message"] = related.message;
  Json &location = json["location"];
  location["uri"] = related.uri;
  location["range"] = toJson(related.range);
  return json;
}

Json toJson(const Diagnostic &diagnostic) {
  constexpr int kUnnecessary = 1;
  Json json;
  json["range"] = toJson(diagnostic.range);
  json["severity"] = diagnostic.severity;
  json["code"] = diagnostic.code;
  json["source"] = "mca";
  json["message"] = diagnostic.message;
  if (!diagnostic.codeLink.empty())
    json["codeDescription"] = {{"href", diagnostic.codeLink}};
  if (diagnostic.unnecessary)
    json["tags"] = Json::array({kUnnecessary});
  for (const DiagnosticRelatedInformation &related : diagnostic.related)
    json["relatedInformation"].push_back(toJson(related));
  return json;
}

Json toJson(const DocumentDiagnosticReport &report) {
  if (report.unchanged)
    return {{"kind", "unchanged"}, {"resultId", report.resultId}};
  Json json{{"kind", "full"}, {"resultId", report.resultId}, {"items", Json::array()}};
  for (const Diagnostic &diagnostic : report.items)
    json["items"].push_back(toJson(diagnostic));
  return json;
}

Json toJson(const std::optional<Hover> &hover) {
  if (!hover)
    return nullptr;
  return {{"contents", toJson(hover->contents)}, {"range", toJson(hover->range)}};
}

Json toJson(const InitializeResult &result) {
  constexpr int kIncremental = 2;
  const Json sync{{"openClose", true}, {"change", kIncremental}, {"save", {{"includeText", false}}}};
  Json capabilities{{"positionEncoding", encodingName(result.encoding)},
                    {"textDocumentSync", sync},
                    {"hoverProvider", true},
                    {"executeCommandProvider", {{"commands", commandNames()}}},
                    {"workspace", {{"textDocumentContent", {{"schemes", Json::array({"mca"})}}}}}};
  if (result.diagnosticProvider)
    capabilities["diagnosticProvider"] = {
        {"identifier", "mca"}, {"interFileDependencies", false}, {"workspaceDiagnostics", false}};
  capabilities.update(featureProviders(result));
  return {{"capabilities", std::move(capabilities)}, {"serverInfo", {{"name", "mca-lsp"}, {"version", MCA_VERSION}}}};
}

Json toJson(const Null &) {
  return nullptr;
}

Json messageParams(MessageType type, const std::string &message) {
  return {{"type", static_cast<int>(type)}, {"message", message}};
}

Json configurationParams(const std::string &section) {
  return {{"items", Json::array({{{"section", section}}})}};
}

Json registrationParams(const std::string &method) {
  return {{"registrations", Json::array({{{"id", method}, {"method", method}}})}};
}

Json watchedFilesParams(const std::string &glob) {
  const std::string method = "workspace/didChangeWatchedFiles";
  const Json options{{"watchers", Json::array({{{"globPattern", glob}}})}};
  return {{"registrations", Json::array({{{"id", method}, {"method", method}, {"registerOptions", options}}})}};
}

Json serverCancelledData(bool retrigger) {
  return {{"retriggerRequest", retrigger}};
}

Json logTraceParams(const std::string &message, const std::string &verbose) {
  Json json{{"message", message}};
  if (!verbose.empty())
    json["verbose"] = verbose;
  return json;
}

Json progressCreateParams(const std::string &token) {
  return {{"token", token}};
}

Json progressBeginParams(const std::string &token, const std::string &title, const std::string &message) {
  return {{"token", token},
          {"value", {{"kind", "begin"}, {"title", title}, {"message", message}, {"cancellable", false}}}};
}

Json progressReportParams(const std::string &token, const std::string &message) {
  return {{"token", token}, {"value", {{"kind", "report"}, {"message", message}}}};
}

Json progressEndParams(const std::string &token) {
  return {{"token", token}, {"value", {{"kind", "end"}}}};
}

} // namespace lsp::protocol
