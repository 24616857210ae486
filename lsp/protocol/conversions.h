// JSON to the structs of types.h and back.
//
// Reading moves long texts out of the JSON. Parameters that do not have the protocol's shape throw InvalidParams with
// the place that is wrong; capabilities are read leniently, as one that is odd is one that the client does not have.
#pragma once

#include "lsp/protocol/extensions.h"
#include "lsp/protocol/types.h"

#include <stdexcept>

namespace lsp::protocol {

/// Parameters that the protocol does not allow; becomes the error -32602.
class InvalidParams : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The URI of the text document that a message's parameters name; empty if they name none.
std::string documentOf(const Json &params);

void fromJson(Json &params, InitializeParams &out);
void fromJson(Json &params, DidOpenParams &out);
/// Changes that are not as the protocol says are no error: the document that they are of is to be known.
void fromJson(Json &params, DidChangeParams &out);
void fromJson(Json &params, DidSaveParams &out);
void fromJson(Json &params, DocumentParams &out);
void fromJson(Json &params, DocumentDiagnosticParams &out);
void fromJson(Json &params, DidChangeWatchedFilesParams &out);
void fromJson(Json &params, SetTraceParams &out);
void fromJson(Json &params, InlayHintParams &out);
void fromJson(Json &params, HoverParams &out);
void fromJson(Json &params, CancelParams &out);
void fromJson(Json &params, DidChangeConfigurationParams &out);
void fromJson(Json &params, NoParams &out);

Json toJson(const Position &position);
Json toJson(const Range &range);
Json toJson(const MarkupContent &content);
Json toJson(const InlayHint &hint);
Json toJson(const std::vector<InlayHint> &hints);
Json toJson(const Diagnostic &diagnostic);
Json toJson(const DocumentDiagnosticReport &report);
Json toJson(const std::optional<Hover> &hover);
Json toJson(const InitializeResult &result);
Json toJson(const Null &);

// ---- parameters of the server's own calls
// ----------------------------------------------------------------------------

Json messageParams(MessageType type, const std::string &message);
Json configurationParams(const std::string &section);
Json registrationParams(const std::string &method);
Json watchedFilesParams(const std::string &glob);
/// Of an answer with ServerCancelled.
Json serverCancelledData(bool retrigger);
/// `verbose` is left out when it is empty.
Json logTraceParams(const std::string &message, const std::string &verbose);
Json progressCreateParams(const std::string &token);
Json progressBeginParams(const std::string &token, const std::string &title, const std::string &message);
Json progressReportParams(const std::string &token, const std::string &message);
Json progressEndParams(const std::string &token);

} // namespace lsp::protocol
