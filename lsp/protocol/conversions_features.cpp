// One function a struct, and the capabilities of both sides.
#include "lsp/protocol/conversions_features.h"

#include "lsp/protocol/reading.h"

#include <algorithm>
#include <limits>

namespace lsp::protocol {
namespace {

bool contains(const Json &array, const char *value) {
  return array.is_array() && std::find(array.begin(), array.end(), Json(value)) != array.end();
}

/// The code of a diagnostic may be a number, and may be absent.
std::string codeOf(const Json &diagnostic) {
  const Json &code = at(diagnostic, "/code");
  return code.is_string() ? code.get<std::string>() : "";
}

std::string labelText(const Json &label) {
  if (label.is_string())
    return label.get<std::string>();
  std::string text;
  for (const Json &part : label.is_array() ? label : Json::array())
    if (const Json &value = at(part, "/value"); value.is_string())
      text += value.get<std::string>();
  return text;
}

Json tooltipJson(const MarkupContent &tooltip) {
  return tooltip.markdown ? toJson(tooltip) : Json(tooltip.value);
}

/// A plain text unless a part of it has a tooltip.
Json labelJson(const std::vector<InlayHintLabelPart> &label) {
  std::string text;
  bool plain = true;
  for (const InlayHintLabelPart &part : label) {
    text += part.value;
    plain &= !part.tooltip;
  }
  if (plain)
    return text;
  Json parts = Json::array();
  for (const InlayHintLabelPart &part : label) {
    Json &added = parts.emplace_back(Json{{"value", part.value}});
    if (part.tooltip)
      added["tooltip"] = tooltipJson(*part.tooltip);
  }
  return parts;
}

template <class T>
Json arrayOf(const std::vector<T> &items, Json (*one)(const T &)) {
  Json json = Json::array();
  for (const T &item : items)
    json.push_back(one(item));
  return json;
}

Json editJson(const TextEdit &edit) {
  return {{"range", toJson(edit.range)}, {"newText", edit.newText}};
}

Json versionedEdits(const std::string &uri, const Json &version, const std::vector<TextEdit> &edits) {
  return {{"textDocument", {{"uri", uri}, {"version", version}}}, {"edits", arrayOf(edits, editJson)}};
}

Json actionJson(const CodeAction &action) {
  Json json{{"title", action.title}, {"kind", action.kind}};
  if (action.call)
    json["command"] = {{"title", action.title},
                       {"command", action.call->command},
                       {"arguments", Json::array({action.call->argument})}};
  else
    json["edit"] = toJson(action.edit);
  if (!action.diagnostics.empty())
    json["diagnostics"] = action.diagnostics;
  return json;
}

Json lensJson(const CodeLens &lens) {
  return {{"range", toJson(lens.range)},
          {"command",
           {{"title", lens.title},
            {"command", lens.command},
            {"arguments", Json::array({{{"uri", lens.uri}, {"position", toJson(lens.range.start)}}})}}}};
}

Json symbolJson(const DocumentSymbol &symbol) {
  return {{"name", symbol.name},
          {"detail", symbol.detail},
          {"kind", static_cast<int>(symbol.kind)},
          {"range", toJson(symbol.range)},
          {"selectionRange", toJson(symbol.selectionRange)},
          {"children", arrayOf(symbol.children, symbolJson)}};
}

void addFlat(Json &flat, const std::string &uri, const std::vector<DocumentSymbol> &symbols,
             const std::string &container) {
  for (const DocumentSymbol &symbol : symbols) {
    Json &added = flat.emplace_back(Json{{"name", symbol.name},
                                         {"kind", static_cast<int>(symbol.kind)},
                                         {"location", {{"uri", uri}, {"range", toJson(symbol.range)}}}});
    if (!container.empty())
      added["containerName"] = container;
    addFlat(flat, uri, symbol.children, symbol.name);
  }
}

Json foldingJson(const FoldingRange &range) {
  return {{"startLine", range.startLine}, {"endLine", range.endLine}, {"kind", "region"}};
}

Json highlightJson(const DocumentHighlight &highlight) {
  return {{"range", toJson(highlight.range)}, {"kind", static_cast<int>(highlight.kind)}};
}

Json locationJson(const LocationLink &link) {
  return {{"uri", link.targetUri}, {"range", toJson(link.targetRange)}};
}

Json linkJson(const LocationLink &link) {
  return {{"originSelectionRange", toJson(link.originSelectionRange)},
          {"targetUri", link.targetUri},
          {"targetRange", toJson(link.targetRange)},
          {"targetSelectionRange", toJson(link.targetRange)}};
}

Json completionJson(const CompletionItem &item) {
  return {{"label", item.label}, {"kind", static_cast<int>(item.kind)}, {"textEdit", editJson(item.edit)}};
}

} // namespace

// ---- reading -------------------------------------------------------------------------------------------------------

void fromJson(Json &params, InlayHintResolveParams &out) {
  out.position = readPosition(member(params, "position", ""), "position");
  if (const Json &uri = at(params, "/data/uri"); uri.is_string())
    out.uri = uri.get<std::string>();
  out.label = labelText(at(params, "/label"));
  out.hint = std::move(params);
}

void fromJson(Json &params, CodeActionParams &out) {
  out.uri = readUri(params);
  out.range = readRange(member(params, "range", ""), "range");
  const Json &only = at(params, "/context/only");
  for (const Json &kind : only.is_array() ? only : Json::array())
    if (kind.is_string())
      out.only.push_back(kind.get<std::string>());
  const Json &diagnostics = at(params, "/context/diagnostics");
  for (const Json &one : diagnostics.is_array() ? diagnostics : Json::array()) {
    Json whole = one;
    const Range range = readRange(member(whole, "range", "diagnostics"), "diagnostics.range");
    out.diagnostics.push_back({range, codeOf(one), one});
  }
}

void readFeatureCapabilities(const Json &capabilities, ClientCapabilities &out) {
  const Json &resolved = at(capabilities, "/textDocument/inlayHint/resolveSupport/properties");
  out.resolvesHintTooltips = contains(resolved, "tooltip");
  out.resolvesHintLabelTooltips = contains(resolved, "label.tooltip");
  out.refreshesCodeLenses = flag(capabilities, "/workspace/codeLens/refreshSupport");
  out.refreshesSemanticTokens = flag(capabilities, "/workspace/semanticTokens/refreshSupport");
  out.codeActionLiterals = at(capabilities, "/textDocument/codeAction/codeActionLiteralSupport").is_object();
  out.documentChanges = flag(capabilities, "/workspace/workspaceEdit/documentChanges");
  out.createsFiles =
      out.documentChanges && contains(at(capabilities, "/workspace/workspaceEdit/resourceOperations"), "create");
  out.hierarchicalSymbols = flag(capabilities, "/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport");
  out.definitionLinks = flag(capabilities, "/textDocument/definition/linkSupport");
  const Json &limit = at(capabilities, "/textDocument/foldingRange/rangeLimit");
  if (limit.is_number_unsigned())
    out.foldingRangeLimit =
        static_cast<uint32_t>(std::min<uint64_t>(limit.get<uint64_t>(), std::numeric_limits<uint32_t>::max()));
}

Json featureProviders(const InitializeResult &result) {
  const Json legend{{"tokenTypes", kTokenTypes}, {"tokenModifiers", kTokenModifiers}};
  Json providers{{"inlayHintProvider", {{"resolveProvider", true}}},
                 {"codeLensProvider", {{"resolveProvider", false}}},
                 {"documentSymbolProvider", true},
                 {"foldingRangeProvider", true},
                 {"documentHighlightProvider", true},
                 {"definitionProvider", true},
                 {"completionProvider", {{"triggerCharacters", Json::array({"-", ":", "="})}}},
                 {"semanticTokensProvider", {{"legend", legend}, {"full", true}, {"range", true}}}};
  if (result.codeActions)
    providers["codeActionProvider"] = {{"codeActionKinds", Json::array({"quickfix", "refactor"})}};
  return providers;
}

// ---- writing -------------------------------------------------------------------------------------------------------

std::string configurationText(const std::string &cpu) {
  return Json{{"cpu", cpu}}.dump(2) + "\n";
}

Json toJson(const InlayHint &hint) {
  Json json{{"position", toJson(hint.position)}, {"label", labelJson(hint.label)}, {"paddingLeft", true}};
  if (hint.tooltip)
    json["tooltip"] = tooltipJson(*hint.tooltip);
  if (!hint.resolveUri.empty())
    json["data"] = {{"uri", hint.resolveUri}};
  return json;
}

Json toJson(const std::vector<InlayHint> &hints) {
  Json json = Json::array();
  for (const InlayHint &hint : hints)
    json.push_back(toJson(hint));
  return json;
}

Json toJson(const ResolvedInlayHint &hint) {
  Json json = hint.original;
  if (hint.resolved)
    json.update(toJson(*hint.resolved));
  return json;
}

Json toJson(const WorkspaceEdit &edit) {
  if (edit.file) {
    const Json create{{"kind", "create"}, {"uri", edit.file->uri}};
    const TextEdit whole{{}, edit.file->text};
    return {{"documentChanges", {create, versionedEdits(edit.file->uri, nullptr, {whole})}}};
  }
  if (!edit.asDocumentChanges)
    return {{"changes", {{edit.uri, arrayOf(edit.edits, editJson)}}}};
  const Json version = edit.version ? Json(*edit.version) : Json();
  return {{"documentChanges", Json::array({versionedEdits(edit.uri, version, edit.edits)})}};
}

Json toJson(const std::vector<CodeAction> &actions) {
  return arrayOf(actions, actionJson);
}

Json toJson(const std::vector<CodeLens> &lenses) {
  return arrayOf(lenses, lensJson);
}

Json toJson(const DocumentSymbols &symbols) {
  if (symbols.hierarchical)
    return arrayOf(symbols.symbols, symbolJson);
  Json flat = Json::array();
  addFlat(flat, symbols.uri, symbols.symbols, "");
  return flat;
}

Json toJson(const std::vector<FoldingRange> &ranges) {
  return arrayOf(ranges, foldingJson);
}

Json toJson(const std::vector<DocumentHighlight> &highlights) {
  return arrayOf(highlights, highlightJson);
}

Json toJson(const Definition &definition) {
  return arrayOf(definition.links, definition.asLinks ? linkJson : locationJson);
}

Json toJson(const std::vector<CompletionItem> &items) {
  return arrayOf(items, completionJson);
}

/// Null where there are none: an editor then takes those of another server.
Json toJson(const SemanticTokens &tokens) {
  return tokens.data.empty() ? Json() : Json{{"data", tokens.data}};
}

} // namespace lsp::protocol
