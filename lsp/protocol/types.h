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

// ---- from the client
// -------------------------------------------------------------------------------------------------

struct ClientCapabilities {
  PositionEncoding encoding = PositionEncoding::Utf16; ///< the one that the server chose among those offered
  bool configuration = false;                          ///< answers workspace/configuration
  bool registersConfiguration = false;                 ///< wants to be asked for workspace/didChangeConfiguration
  bool refreshesInlayHints = false;
  bool workDoneProgress = false;
  bool markdownHover = false;
  bool relatedInformation = false;
};

struct InitializeParams {
  std::optional<int> processId;
  std::string clientName; ///< empty when the client does not say
  ClientCapabilities capabilities;
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
};

struct DocumentParams {
  std::string uri;
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

// ---- to the client
// ---------------------------------------------------------------------------------------------------

struct MarkupContent {
  bool markdown = false;
  std::string value;
};

struct InlayHint {
  Position position;
  std::string label;
  std::optional<MarkupContent> tooltip;
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
};

/// A result that is null.
struct Null {};

enum class MessageType : int { Error = 1, Warning = 2, Info = 3 };

} // namespace lsp::protocol
