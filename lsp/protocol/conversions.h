// JSON to the structs of types.h and types_features.h, and back.
//
// Parameters that do not have the protocol's shape throw InvalidParams with the place that is wrong. Values that a
// later protocol may have more of, such as kinds of code actions and trigger reasons, are not refused.
//
// What the server answers is converted by to_json, which the JSON library finds by its name: Json(result) converts a
// result, and also a list of results.
#pragma once

#include "lsp/protocol/extensions.h"
#include "lsp/protocol/types_features.h"

#include <stdexcept>

namespace lsp::protocol {

/// Parameters that the protocol does not allow; becomes the error -32602.
class InvalidParams : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The URI of the text document that a message's parameters name; empty if they name none.
std::string documentOf(const Json &params);

// Long texts are moved out of `params`.
void fromJson(Json &params, InitializeParams &out);
void fromJson(Json &params, DidOpenParams &out);
/// Changes that are not as the protocol says do not throw (`unreadable`): the server must learn whose text it has lost.
void fromJson(Json &params, DidChangeParams &out);
void fromJson(Json &params, DidSaveParams &out);
void fromJson(Json &params, DocumentParams &out);
void fromJson(Json &params, DocumentDiagnosticParams &out);
void fromJson(Json &params, DidChangeWatchedFilesParams &out);
void fromJson(Json &params, SetTraceParams &out);
void fromJson(Json &params, ProgressTokenParams &out);
void fromJson(Json &params, InlayHintParams &out);
void fromJson(Json &params, HoverParams &out);
void fromJson(Json &params, CancelParams &out);
void fromJson(Json &params, DidChangeConfigurationParams &out);
void fromJson(Json &params, NoParams &out);
void fromJson(Json &params, InlayHintResolveParams &out);
void fromJson(Json &params, CodeActionParams &out);

void to_json(Json &json, const InitializeResult &result);
void to_json(Json &json, const InlayHint &hint);
void to_json(Json &json, const ResolvedInlayHint &hint);
void to_json(Json &json, const Diagnostic &diagnostic);
void to_json(Json &json, const DocumentDiagnosticReport &report);
void to_json(Json &json, const std::optional<Hover> &hover);
void to_json(Json &json, const CodeAction &action);
void to_json(Json &json, const CodeLens &lens);
void to_json(Json &json, const DocumentSymbols &symbols);
void to_json(Json &json, const FoldingRange &range);
void to_json(Json &json, const DocumentHighlight &highlight);
void to_json(Json &json, const Definition &definition);
void to_json(Json &json, const CompletionItem &item);
/// Null if there are none: an editor then takes those of another server.
void to_json(Json &json, const SemanticTokens &tokens);

/// The content of a `.mca-lsp.json` that names a CPU.
std::string configurationText(const std::string &cpu);

} // namespace lsp::protocol
