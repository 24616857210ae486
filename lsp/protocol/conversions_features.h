// JSON to the structs of types_features.h and back, under the rules of conversions.h.
//
// Values that a later protocol may have more of, such as kinds of code actions and trigger reasons, are not refused.
#pragma once

#include "lsp/protocol/conversions.h"
#include "lsp/protocol/types_features.h"

namespace lsp::protocol {

void fromJson(Json &params, InlayHintResolveParams &out);
void fromJson(Json &params, CodeActionParams &out);

/// What the client can do with the features' answers.
void readFeatureCapabilities(const Json &capabilities, ClientCapabilities &out);
/// What the server says that it provides for them.
Json featureProviders(const InitializeResult &result);

/// The content of a `.mca-lsp.json` that names a CPU.
std::string configurationText(const std::string &cpu);

Json toJson(const ResolvedInlayHint &hint);
Json toJson(const WorkspaceEdit &edit);
Json toJson(const std::vector<CodeAction> &actions);
Json toJson(const std::vector<CodeLens> &lenses);
Json toJson(const DocumentSymbols &symbols);
Json toJson(const std::vector<FoldingRange> &ranges);
Json toJson(const std::vector<DocumentHighlight> &highlights);
Json toJson(const Definition &definition);
Json toJson(const std::vector<CompletionItem> &items);
Json toJson(const SemanticTokens &tokens);

} // namespace lsp::protocol
