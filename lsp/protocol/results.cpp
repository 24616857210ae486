// The results of requests as JSON (conversions.h), one function a struct.
//
// A function for what only occurs inside a result is static: the JSON library finds to_json by argument-dependent
// lookup, which does not look into an unnamed namespace.
//
// An initializer list makes an array of each name and value before it makes the object. A message may have thousands of
// hints, ranges and diagnostics, so ranges and diagnostics are filled in place.
#include "lsp/protocol/conversions.h"

#include <algorithm>

namespace lsp::protocol {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Position, line, character)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Range, start, end)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TextEdit, range, newText)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DocumentSymbol, name, detail, kind, range, selectionRange, children)

static void to_json(Json &json, const MarkupContent &content) {
  json = {{"kind", content.markdown ? "markdown" : "plaintext"}, {"value", content.value}};
}

/// Plain text is a string, which LSP 3.17 allows besides MarkupContent.
static Json tooltipJson(const MarkupContent &tooltip) {
  return tooltip.markdown ? Json(tooltip) : Json(tooltip.value);
}

static void to_json(Json &json, const InlayHintLabelPart &part) {
  json["value"] = part.value;
  if (part.tooltip)
    json["tooltip"] = tooltipJson(*part.tooltip);
}

/// A plain text unless a part of it has a tooltip.
static Json labelJson(const std::vector<InlayHintLabelPart> &label) {
  if (std::ranges::any_of(label, [](const InlayHintLabelPart &part) { return part.tooltip.has_value(); }))
    return label;
  std::string text;
  for (const InlayHintLabelPart &part : label)
    text += part.value;
  return text;
}

void to_json(Json &json, const InlayHint &hint) {
  json = {{"position", hint.position}, {"label", labelJson(hint.label)}, {"paddingLeft", true}};
  if (hint.tooltip)
    json["tooltip"] = tooltipJson(*hint.tooltip);
  if (!hint.resolveUri.empty())
    json["data"] = {{"uri", hint.resolveUri}};
}

void to_json(Json &json, const ResolvedInlayHint &hint) {
  json = hint.original;
  if (hint.resolved)
    json.update(Json(*hint.resolved));
}

static void to_json(Json &json, const DiagnosticRelatedInformation &related) {
  json["message"] = related.message;
  Json &location = json["location"];
  location["uri"] = related.uri;
  location["range"] = related.range;
}

void to_json(Json &json, const Diagnostic &diagnostic) {
  constexpr int kUnnecessary = 1;
  json["range"] = diagnostic.range;
  json["severity"] = diagnostic.severity;
  json["code"] = diagnostic.code;
  json["source"] = "mca";
  json["message"] = diagnostic.message;
  if (!diagnostic.codeLink.empty())
    json["codeDescription"] = {{"href", diagnostic.codeLink}};
  if (diagnostic.unnecessary)
    json["tags"] = Json::array({kUnnecessary});
  if (!diagnostic.related.empty())
    json["relatedInformation"] = diagnostic.related;
}

void to_json(Json &json, const DocumentDiagnosticReport &report) {
  json = {{"kind", report.unchanged ? "unchanged" : "full"}, {"resultId", report.resultId}};
  if (!report.unchanged)
    json["items"] = report.items;
}

void to_json(Json &json, const std::optional<Hover> &hover) {
  json = hover ? Json{{"contents", hover->contents}, {"range", hover->range}} : Json();
}

/// TextDocumentEdit of LSP 3.17: with a version, the client can refuse edits of a text that has changed since.
static Json versionedEdits(const std::string &uri, const Json &version, const std::vector<TextEdit> &edits) {
  return {{"textDocument", {{"uri", uri}, {"version", version}}}, {"edits", edits}};
}

/// `changes` is for clients without ClientCapabilities::documentChanges. It can create no file.
static void to_json(Json &json, const WorkspaceEdit &edit) {
  if (edit.file) {
    const Json create{{"kind", "create"}, {"uri", edit.file->uri}};
    const TextEdit whole{{}, edit.file->text};
    json = {{"documentChanges", {create, versionedEdits(edit.file->uri, nullptr, {whole})}}};
  } else if (edit.asDocumentChanges) {
    const Json version = edit.version ? Json(*edit.version) : Json();
    json = {{"documentChanges", Json::array({versionedEdits(edit.uri, version, edit.edits)})}};
  } else {
    json = {{"changes", {{edit.uri, edit.edits}}}};
  }
}

void to_json(Json &json, const CodeAction &action) {
  json = {{"title", action.title}, {"kind", action.kind}};
  if (action.call)
    json["command"] = {{"title", action.title},
                       {"command", action.call->command},
                       {"arguments", Json::array({action.call->argument})}};
  else
    json["edit"] = action.edit;
  if (!action.diagnostics.empty())
    json["diagnostics"] = action.diagnostics;
}

/// The command's argument is that of mca.showReport (docs/commands.md).
void to_json(Json &json, const CodeLens &lens) {
  const Json place{{"uri", lens.uri}, {"position", lens.range.start}};
  json = {{"range", lens.range},
          {"command", {{"title", lens.title}, {"command", lens.command}, {"arguments", Json::array({place})}}}};
}

/// SymbolInformation of LSP 3.17, for clients that know no symbols inside each other.
static void addFlat(Json &flat, const std::string &uri, const std::vector<DocumentSymbol> &symbols,
                    const std::string &container) {
  for (const DocumentSymbol &symbol : symbols) {
    Json &added = flat.emplace_back(
        Json{{"name", symbol.name}, {"kind", symbol.kind}, {"location", {{"uri", uri}, {"range", symbol.range}}}});
    if (!container.empty())
      added["containerName"] = container;
    addFlat(flat, uri, symbol.children, symbol.name);
  }
}

void to_json(Json &json, const DocumentSymbols &symbols) {
  json = Json::array();
  if (symbols.hierarchical)
    json = symbols.symbols;
  else
    addFlat(json, symbols.uri, symbols.symbols, "");
}

void to_json(Json &json, const FoldingRange &range) {
  json = {{"startLine", range.startLine}, {"endLine", range.endLine}, {"kind", "region"}};
}

void to_json(Json &json, const DocumentHighlight &highlight) {
  json = {{"range", highlight.range}, {"kind", highlight.kind}};
}

void to_json(Json &json, const Definition &definition) {
  json = Json::array();
  for (const LocationLink &link : definition.links)
    json.push_back(definition.asLinks ? Json{{"originSelectionRange", link.originSelectionRange},
                                             {"targetUri", link.targetUri},
                                             {"targetRange", link.targetRange},
                                             {"targetSelectionRange", link.targetRange}}
                                      : Json{{"uri", link.targetUri}, {"range", link.targetRange}});
}

void to_json(Json &json, const CompletionItem &item) {
  json = {{"label", item.label}, {"kind", item.kind}, {"textEdit", item.edit}};
}

void to_json(Json &json, const SemanticTokens &tokens) {
  json = tokens.data.empty() ? Json() : Json{{"data", tokens.data}};
}

std::string configurationText(const std::string &cpu) {
  return Json{{"cpu", cpu}}.dump(2) + "\n";
}

} // namespace lsp::protocol
