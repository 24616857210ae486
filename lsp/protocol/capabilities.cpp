// The capabilities of both sides: what the client says it can do, and what this server offers it (LSP 3.17,
// initialize).
//
// The client's are read leniently: one that is not as the protocol says counts as one that the client does not have.
#include "lsp/protocol/reading.h"

#include <algorithm>

namespace lsp::protocol {
namespace {

constexpr int kIncrementalSync = 2;                                     // TextDocumentSyncKind.Incremental
constexpr int kUnnecessaryTag = 1;                                      // DiagnosticTag.Unnecessary
constexpr const char *kEncodingNames[] = {"utf-8", "utf-16", "utf-32"}; // in the order of PositionEncoding

/// True if an element of the array is equal to `value`.
bool contains(const Json &array, const Json &value) {
  return std::find(array.begin(), array.end(), value) != array.end();
}

/// UTF-8 needs no conversion. UTF-16 is the protocol's default, and what every client must have.
PositionEncoding chooseEncoding(const Json &offered) {
  if (contains(offered, "utf-8"))
    return PositionEncoding::Utf8;
  return contains(offered, "utf-32") && !contains(offered, "utf-16") ? PositionEncoding::Utf32
                                                                     : PositionEncoding::Utf16;
}

/// The formats are in the client's order of preference.
bool prefersMarkdown(const Json &formats) {
  for (const Json &format : formats)
    if (format == "markdown" || format == "plaintext")
      return format == "markdown";
  return false;
}

} // namespace

ClientCapabilities readCapabilities(const Json &client) {
  const auto has = [&](const char *flag) { return at(client, flag) == true; };
  const auto lists = [&](const char *array, const Json &value) { return contains(arrayAt(client, array), value); };
  const bool documentChanges = has("/workspace/workspaceEdit/documentChanges");
  const Json &foldingRanges = at(client, "/textDocument/foldingRange/rangeLimit");
  return {
      .encoding = chooseEncoding(arrayAt(client, "/general/positionEncodings")),
      .configuration = has("/workspace/configuration"),
      .registersConfiguration = has("/workspace/didChangeConfiguration/dynamicRegistration"),
      .refreshesInlayHints = has("/workspace/inlayHint/refreshSupport"),
      .resolvesHintTooltips = lists("/textDocument/inlayHint/resolveSupport/properties", "tooltip"),
      .resolvesHintLabelTooltips = lists("/textDocument/inlayHint/resolveSupport/properties", "label.tooltip"),
      .refreshesCodeLenses = has("/workspace/codeLens/refreshSupport"),
      .refreshesSemanticTokens = has("/workspace/semanticTokens/refreshSupport"),
      .codeActionLiterals = at(client, "/textDocument/codeAction/codeActionLiteralSupport").is_object(),
      .documentChanges = documentChanges,
      .createsFiles = documentChanges && lists("/workspace/workspaceEdit/resourceOperations", "create"),
      .hierarchicalSymbols = has("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
      .definitionLinks = has("/textDocument/definition/linkSupport"),
      .foldingRangeLimit = naturalOf(foldingRanges).value_or(ClientCapabilities().foldingRangeLimit),
      .workDoneProgress = has("/window/workDoneProgress"),
      .markdownHover = prefersMarkdown(arrayAt(client, "/textDocument/hover/contentFormat")),
      .relatedInformation = has("/textDocument/publishDiagnostics/relatedInformation"),
      .codeDescriptions = has("/textDocument/publishDiagnostics/codeDescriptionSupport"),
      .unnecessaryTag = lists("/textDocument/publishDiagnostics/tagSupport/valueSet", kUnnecessaryTag),
      .pullsDiagnostics = at(client, "/textDocument/diagnostic").is_object(),
      .refreshesDiagnostics = has("/workspace/diagnostics/refreshSupport"),
      .registersWatchedFiles = has("/workspace/didChangeWatchedFiles/dynamicRegistration"),
      .textDocumentContent = at(client, "/workspace/textDocumentContent").is_object(),
      .showDocument = has("/window/showDocument/support"),
  };
}

/// What needs no choice is offered to every client; one that does not know a provider ignores it.
void to_json(Json &json, const InitializeResult &result) {
  const Json sync{{"openClose", true}, {"change", kIncrementalSync}, {"save", {{"includeText", false}}}};
  const Json legend{{"tokenTypes", kTokenTypes}, {"tokenModifiers", kTokenModifiers}};
  Json capabilities{{"positionEncoding", kEncodingNames[static_cast<size_t>(result.encoding)]},
                    {"textDocumentSync", sync},
                    {"hoverProvider", true},
                    {"executeCommandProvider", {{"commands", kCommandNames}}},
                    {"workspace", {{"textDocumentContent", {{"schemes", Json::array({"mca"})}}}}},
                    {"inlayHintProvider", {{"resolveProvider", true}}},
                    {"codeLensProvider", {{"resolveProvider", false}}},
                    {"documentSymbolProvider", true},
                    {"foldingRangeProvider", true},
                    {"documentHighlightProvider", true},
                    {"definitionProvider", true},
                    {"completionProvider", {{"triggerCharacters", Json::array({"-", ":", "="})}}},
                    {"semanticTokensProvider", {{"legend", legend}, {"full", true}, {"range", true}}}};
  if (result.diagnosticProvider)
    capabilities["diagnosticProvider"] = {
        {"identifier", "mca"}, {"interFileDependencies", false}, {"workspaceDiagnostics", false}};
  if (result.codeActions)
    capabilities["codeActionProvider"] = {{"codeActionKinds", Json::array({"quickfix", "refactor"})}};
  json = {{"capabilities", std::move(capabilities)}, {"serverInfo", {{"name", "mca-lsp"}, {"version", MCA_VERSION}}}};
}

} // namespace lsp::protocol
