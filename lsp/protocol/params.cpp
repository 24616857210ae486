// The parameters of requests and notifications (conversions.h), one function a struct.
#include "lsp/protocol/reading.h"

#include <climits>

namespace lsp::protocol {
namespace {

/// The folders of the workspace; from a client without such folders its one root (LSP 3.17, InitializeParams).
std::vector<std::string> readRoots(const Json &params) {
  std::vector<std::string> uris;
  for (const Json &folder : arrayAt(params, "/workspaceFolders"))
    if (std::optional<std::string> uri = textAt(folder, "/uri"))
      uris.push_back(std::move(*uri));
  if (std::optional<std::string> root = textAt(params, "/rootUri"); root && uris.empty())
    uris.push_back(std::move(*root));
  return uris;
}

/// No value for one that the protocol does not know.
std::optional<TraceValue> readTrace(const Json &json) {
  if (json == "off")
    return TraceValue::Off;
  if (json == "messages")
    return TraceValue::Messages;
  return json == "verbose" ? std::optional(TraceValue::Verbose) : std::nullopt;
}

/// Requires that the URI was read, so that `textDocument` is an object.
void readChanges(Json &params, DidChangeParams &out) {
  out.version = versionMember(params["textDocument"]);
  for (Json &change : arrayMember(params, "contentChanges")) {
    ContentChange &added = out.changes.emplace_back();
    added.text = stringMember(change, "text", "contentChanges");
    if (const auto range = change.find("range"); range != change.end() && !range->is_null())
      added.range = rangeMember(change, "range", "contentChanges");
  }
}

/// A label is a text, or an array of parts.
std::string labelText(Json &hint) {
  const Json &label = member(hint, "label");
  if (label.is_string())
    return label.get<std::string>();
  std::string text;
  for (Json &part : arrayMember(hint, "label")) {
    const Json &value = member(part, "value", "label");
    if (!value.is_string())
      throw InvalidParams("label.value is not a string");
    text += value.get<std::string>();
  }
  return text;
}

} // namespace

std::string documentOf(const Json &params) {
  return textAt(params, "/textDocument/uri").value_or("");
}

/// Only an object is required: a client with an odd member still gets a session.
void fromJson(Json &params, InitializeParams &out) {
  if (!params.is_object())
    throw InvalidParams("params is not an object");
  // Another number is no process: it must not be taken for one after its upper bits are lost.
  if (const Json &pid = at(params, "/processId"); pid.is_number_unsigned() && pid.get<uint64_t>() <= INT_MAX)
    out.processId = pid.get<int>();
  out.clientName = textAt(params, "/clientInfo/name").value_or("");
  out.capabilities = readCapabilities(at(params, "/capabilities"));
  out.rootUris = readRoots(params);
  out.trace = readTrace(at(params, "/trace")).value_or(TraceValue::Off);
  out.initializationOptions = at(params, "/initializationOptions");
}

void fromJson(Json &params, DidOpenParams &out) {
  Json &document = member(params, "textDocument");
  out.uri = stringMember(document, "uri", "textDocument");
  out.languageId = stringMember(document, "languageId", "textDocument");
  out.version = versionMember(document);
  out.text = stringMember(document, "text", "textDocument");
}

/// The changes are all there or none, as each applies to the text that the one before it left.
void fromJson(Json &params, DidChangeParams &out) {
  out.uri = uriMember(params);
  try {
    readChanges(params, out);
  } catch (const InvalidParams &error) {
    out.changes.clear();
    out.unreadable = error.what();
  }
}

void fromJson(Json &params, DidSaveParams &out) {
  out.uri = uriMember(params);
  out.text = textAt(params, "/text");
}

void fromJson(Json &params, DocumentParams &out) {
  out.uri = uriMember(params);
}

void fromJson(Json &params, DocumentDiagnosticParams &out) {
  out.uri = uriMember(params);
  out.previousResultId = textAt(params, "/previousResultId").value_or("");
}

void fromJson(Json &params, DidChangeWatchedFilesParams &out) {
  for (Json &change : arrayMember(params, "changes"))
    out.uris.push_back(stringMember(change, "uri", "changes"));
}

void fromJson(Json &params, SetTraceParams &out) {
  out.value = readTrace(at(params, "/value"));
}

void fromJson(Json &params, ProgressTokenParams &out) {
  out.token = textAt(params, "/token").value_or("");
}

void fromJson(Json &params, InlayHintParams &out) {
  out.uri = uriMember(params);
  out.range = rangeMember(params, "range");
}

void fromJson(Json &params, HoverParams &out) {
  out.uri = uriMember(params);
  out.position = positionMember(params, "position");
}

void fromJson(Json &params, CancelParams &out) {
  member(params, "id");
  const std::optional<RequestId> id = readId(params);
  if (!id)
    throw InvalidParams("id is neither an integer nor a string");
  out.id = *id;
}

void fromJson(Json &params, DidChangeConfigurationParams &out) {
  out.settings = at(params, "/settings");
}

void fromJson(Json &, NoParams &) {}

void fromJson(Json &params, InlayHintResolveParams &out) {
  out.position = positionMember(params, "position");
  out.uri = textAt(params, "/data/uri").value_or("");
  out.label = labelText(params);
  out.hint = std::move(params);
}

void fromJson(Json &params, CodeActionParams &out) {
  out.uri = uriMember(params);
  out.range = rangeMember(params, "range");
  Json &context = member(params, "context");
  for (const Json &kind : arrayAt(context, "/only"))
    if (kind.is_string())
      out.only.push_back(kind.get<std::string>());
  for (Json &whole : arrayMember(context, "diagnostics")) {
    const Range range = rangeMember(whole, "range", "diagnostics");
    // A code may also be a number or absent (LSP 3.17, Diagnostic); ours are texts.
    std::string code = textAt(whole, "/code").value_or("");
    out.diagnostics.push_back({range, std::move(code), std::move(whole)});
  }
}

} // namespace lsp::protocol
