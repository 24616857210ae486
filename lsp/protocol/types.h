// The part of the Language Server Protocol 3.17 that this server speaks, as plain structs, so that JSON is known to
// this folder and to a few replies only.
//
// Names and meanings are the protocol's. What a client may leave out is an optional or has the protocol's default.
#pragma once

#include "lsp/protocol/json_rpc.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lsp::protocol {

/// The units that columns count: bytes, UTF-16 units or characters. The server chooses among those that the client
/// offers.
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

/// What the client can do; each defaults to a client that does not mention it.
struct ClientCapabilities {
  PositionEncoding encoding = PositionEncoding::Utf16;
  bool configuration = false; ///< answers workspace/configuration
  bool registersConfiguration =
      false; ///< sends workspace/didChangeConfiguration only to a server that registers for it
  bool refreshesInlayHints = false;
  bool resolvesHintTooltips = false;      ///< requests a hint's tooltip when the user wants to see it
  bool resolvesHintLabelTooltips = false; ///< likewise those of the label's parts
  bool refreshesCodeLenses = false;
  bool refreshesSemanticTokens = false;
  bool codeActionLiterals = false;   ///< accepts code actions that are more than a command
  bool documentChanges = false;      ///< accepts edits that name the document's version
  bool createsFiles = false;         ///< accepts edits that create files
  bool hierarchicalSymbols = false;  ///< accepts document symbols inside each other
  bool definitionLinks = false;      ///< accepts definitions that name the place they belong to
  uint32_t foldingRangeLimit = 5000; ///< the most that the client shows
  bool workDoneProgress = false;
  bool markdownHover = false;
  bool relatedInformation = false;
  bool codeDescriptions = false;      ///< a diagnostic's code may be a link
  bool unnecessaryTag = false;        ///< a diagnostic may say that its text does nothing
  bool pullsDiagnostics = false;      ///< requests textDocument/diagnostic; nothing is published to it
  bool refreshesDiagnostics = false;  ///< pulls again when the server requests it
  bool registersWatchedFiles = false; ///< watches files that the server names
  bool textDocumentContent = false;   ///< requests virtual documents with workspace/textDocumentContent (LSP 3.18)
  bool showDocument = false;          ///< shows a document on request
};

/// How much the server reports with $/logTrace.
enum class TraceValue { Off, Messages, Verbose };

/// initialize
struct InitializeParams {
  std::optional<int> processId;
  std::string clientName; ///< empty if the client gives none
  ClientCapabilities capabilities;
  std::vector<std::string> rootUris; ///< the workspace's folders
  TraceValue trace = TraceValue::Off;
  Json initializationOptions;
};

/// textDocument/didOpen. From now on `text` counts, whatever the file holds.
struct DidOpenParams {
  std::string uri;
  std::string languageId;
  std::optional<int64_t> version;
  std::string text;
};

/// Replaces `range`, or without one the whole document.
struct ContentChange {
  std::optional<Range> range;
  std::string text;
};

/// textDocument/didChange. Each change applies to the text that the one before it has left.
struct DidChangeParams {
  std::string uri;
  std::optional<int64_t> version;
  std::vector<ContentChange> changes;
  std::string unreadable; ///< why the changes cannot be read; `changes` is then empty. Empty if they can
};

/// textDocument/didSave. The server does not request the text, but a client may send it.
struct DidSaveParams {
  std::string uri;
  std::optional<std::string> text; ///< the whole document
};

/// textDocument/didClose, and the requests about a whole document.
struct DocumentParams {
  std::string uri;
};

/// textDocument/diagnostic
struct DocumentDiagnosticParams {
  std::string uri;
  std::string previousResultId; ///< empty if there is none
};

/// workspace/didChangeWatchedFiles. Created, changed and deleted files are treated alike: each is looked at again.
struct DidChangeWatchedFilesParams {
  std::vector<std::string> uris;
};

/// $/setTrace. No value for one that the protocol does not know.
struct SetTraceParams {
  std::optional<TraceValue> value;
};

/// textDocument/inlayHint, and the requests about a part of a document.
struct InlayHintParams {
  std::string uri;
  Range range;
};

/// textDocument/hover, and the requests about one place.
struct HoverParams {
  std::string uri;
  Position position;
};

/// $/cancelRequest
struct CancelParams {
  RequestId id;
};

/// window/workDoneProgress/cancel. Ours are texts; any other token counts as empty.
struct ProgressTokenParams {
  std::string token;
};

/// workspace/didChangeConfiguration. Null if the server is to request the settings.
struct DidChangeConfigurationParams {
  Json settings;
};

/// For methods whose parameters do not matter.
struct NoParams {};

// ---- to the client -------------------------------------------------------------------------------------------------

/// Markdown only for clients that list it among their formats.
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
  std::string resolveUri; ///< the document in which inlayHint/resolve finds the tooltips; empty if none is missing
};

/// Another place that explains a diagnostic.
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
  std::string codeLink;     ///< a page about the code; empty for none
  bool unnecessary = false; ///< editors fade the text out (DiagnosticTag.Unnecessary)
};

/// The answer to textDocument/diagnostic.
struct DocumentDiagnosticReport {
  std::string resultId;
  bool unchanged = false; ///< the client's items of this resultId are still right; `items` is not sent
  std::vector<Diagnostic> items;
};

/// textDocument/publishDiagnostics. Replaces what was published for the URI before. `version` is that of the text which
/// the ranges are in.
struct PublishDiagnosticsParams {
  std::string uri;
  std::optional<int64_t> version;
  std::vector<Diagnostic> diagnostics;
};

/// An editor may highlight `range` while it shows the contents.
struct Hover {
  MarkupContent contents;
  Range range;
};

/// The server's choices that depend on the client. Its other capabilities are always the same (capabilities.cpp).
struct InitializeResult {
  PositionEncoding encoding = PositionEncoding::Utf16;
  bool diagnosticProvider = false;
  bool codeActions = false;
};

/// Of window/showMessage.
enum class MessageType : int { Error = 1, Warning = 2, Info = 3 };

} // namespace lsp::protocol
