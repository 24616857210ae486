// The part of the Language Server Protocol 3.17 that this server speaks, as plain structs.
//
// Names and meanings are the protocol's. What a client may leave out is an optional or has the protocol's default.
#pragma once

#include "lsp/protocol/json_rpc.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lsp::protocol {

/// What a column counts.
enum class PositionEncoding { Utf8, Utf16, Utf32 };

/// Zero-based; `character` is in units of the negotiated encoding.
struct Position {
  uint32_t line = 0;
  uint32_t character = 0;
  auto operator<=>(const Position &) const = default;
};

/// Half-open.
struct Range {
  Position start;
  Position end;
  bool operator==(const Range &) const = default;
};

// ---- from the client -----------------------------------------------------------------------------------------------

struct ClientCapabilities {
  PositionEncoding encoding = PositionEncoding::Utf16; ///< the one that the server chose among those offered
  bool configuration = false;                          ///< answers workspace/configuration
  bool registersConfiguration = false;                 ///< wants to be asked for workspace/didChangeConfiguration
  bool refreshesInlayHints = false;
  bool resolvesHintTooltips = false;      ///< asks for a hint's tooltip when it is wanted
  bool resolvesHintLabelTooltips = false; ///< and for those of the label's parts
  bool refreshesCodeLenses = false;
  bool refreshesSemanticTokens = false;
  bool codeActionLiterals = false;   ///< takes code actions that are more than a command
  bool documentChanges = false;      ///< takes edits that name the document's version
  bool createsFiles = false;         ///< takes edits that create files
  bool hierarchicalSymbols = false;  ///< takes document symbols inside each other
  bool definitionLinks = false;      ///< takes definitions that name the place they belong to
  uint32_t foldingRangeLimit = 5000; ///< more are not wanted
  bool workDoneProgress = false;
  bool markdownHover = false;
  bool relatedInformation = false;
  bool codeDescriptions = false;      ///< a diagnostic's code may be a link
  bool unnecessaryTag = false;        ///< a diagnostic may say that its text does nothing
  bool pullsDiagnostics = false;      ///< asks with textDocument/diagnostic; nothing is published to it
  bool refreshesDiagnostics = false;  ///< can be asked to pull again
  bool registersWatchedFiles = false; ///< watches files that the server names
  bool textDocumentContent = false;   ///< asks for virtual documents by workspace/textDocumentContent
  bool showDocument = false;          ///< shows a document when it is asked to
};

/// How much of what the server does goes to the client with $/logTrace.
enum class TraceValue { Off, Messages, Verbose };

struct InitializeParams {
  std::optional<int> processId;
  std::string clientName; ///< empty when the client does not say
  ClientCapabilities capabilities;
  std::vector<std::string> rootUris; ///< of the workspace's folders
  TraceValue trace = TraceValue::Off;
  Json initializationOptions;
};

struct DidOpenParams {
  std::string uri;
  std::string languageId;
  std::optional<int64_t> version;
  std::string text;
};

/// Without a range, `text` is the whole document.
struct ContentChange {
  std::optional<Range> range;
  std::string text;
};

struct DidChangeParams {
  std::string uri;
  std::optional<int64_t> version;
  std::vector<ContentChange> changes;
  std::string unreadable; ///< what is wrong with the changes, none of which is here then; else empty
};

struct DidSaveParams {
  std::string uri;
  std::optional<std::string> text; ///< the whole document
};

struct DocumentParams {
  std::string uri;
};

struct DocumentDiagnosticParams {
  std::string uri;
  std::string previousResultId; ///< empty when there is none
};

struct DidChangeWatchedFilesParams {
  std::vector<std::string> uris;
};

/// No value: one that the protocol does not know.
struct SetTraceParams {
  std::optional<TraceValue> value;
};

struct InlayHintParams {
  std::string uri;
  Range range;
};

struct HoverParams {
  std::string uri;
  Position position;
};

struct CancelParams {
  RequestId id;
};

struct DidChangeConfigurationParams {
  Json settings;
};

/// For methods whose parameters do not matter.
struct NoParams {};

// ---- to the client -------------------------------------------------------------------------------------------------

struct MarkupContent {
  bool markdown = false;
  std::string value;
};

struct InlayHintLabelPart {
  std::string value;
  std::optional<MarkupContent> tooltip;
};

struct InlayHint {
  Position position;
  std::vector<InlayHintLabelPart> label;
  std::optional<MarkupContent> tooltip;
  std::string resolveUri; ///< of the document that inlayHint/resolve finds the tooltips in; empty when all are here
};

struct DiagnosticRelatedInformation {
  std::string uri;
  Range range;
  std::string message;
};

struct Diagnostic {
  Range range;
  int severity = 3; ///< 1 error, 2 warning, 3 information, 4 hint
  std::string code;
  std::string message;
  std::vector<DiagnosticRelatedInformation> related;
  std::string codeLink; ///< a page about the code; empty for none
  bool unnecessary = false;
};

/// The answer to textDocument/diagnostic.
struct DocumentDiagnosticReport {
  std::string resultId;
  bool unchanged = false; ///< what the client has under this resultId is right
  std::vector<Diagnostic> items;
};

struct PublishDiagnosticsParams {
  std::string uri;
  std::optional<int64_t> version;
  std::vector<Diagnostic> diagnostics;
};

struct Hover {
  MarkupContent contents;
  Range range;
};

struct InitializeResult {
  PositionEncoding encoding = PositionEncoding::Utf16;
  bool diagnosticProvider = false;
  bool codeActions = false;
};

/// A result that is null.
struct Null {};

enum class MessageType : int { Error = 1, Warning = 2, Info = 3 };

} // namespace lsp::protocol
