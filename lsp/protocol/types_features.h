// The structs of the requests beyond hints, hovers and diagnostics: edits, code actions, lenses, symbols, completion.
//
// Names and meanings are those of the Language Server Protocol 3.17.
#pragma once

#include "lsp/protocol/types.h"

#include <optional>
#include <string>
#include <vector>

namespace lsp::protocol {

// ---- from the client -----------------------------------------------------------------------------------------------

/// For the requests about one place.
using PositionParams = HoverParams;
/// For the requests about a part of a document.
using RangeParams = InlayHintParams;

struct InlayHintResolveParams {
  Json hint; ///< as it came back
  Position position;
  std::string label; ///< of all parts
  std::string uri;   ///< empty when nothing was left to resolve
};

/// A diagnostic that the client shows where it asks for code actions.
struct ContextDiagnostic {
  Range range;
  std::string code;
  Json whole; ///< as it came, to be named by what mends it
};

struct CodeActionParams {
  std::string uri;
  Range range;
  std::vector<std::string> only; ///< kinds that are wanted; empty for all
  std::vector<ContextDiagnostic> diagnostics;
};

// ---- to the client -------------------------------------------------------------------------------------------------

/// The hint of an inlayHint/resolve, completed when it still stands there.
struct ResolvedInlayHint {
  Json original;
  std::optional<InlayHint> resolved;
};

struct TextEdit {
  Range range;
  std::string newText;
};

struct NewFile {
  std::string uri;
  std::string text;
};

/// Edits of one document, or a new file.
struct WorkspaceEdit {
  std::string uri;
  std::optional<int64_t> version;
  std::vector<TextEdit> edits;
  std::optional<NewFile> file;
  bool asDocumentChanges = false; ///< for a client that takes them
};

/// A command of the server, as workspace/executeCommand takes it.
struct CommandCall {
  std::string command;
  Json argument;
};

struct CodeAction {
  std::string title;
  std::string kind;              ///< "quickfix", "refactor"
  std::vector<Json> diagnostics; ///< those that it mends, as they came
  WorkspaceEdit edit;
  std::optional<CommandCall> call; ///< in place of the edit
};

/// A lens whose command, when it is clicked, is given the place.
struct CodeLens {
  std::string uri;
  Range range;
  std::string title;
  std::string command;
};

/// Numbers of the protocol, all of its first version.
enum class SymbolKind : int { Namespace = 3, Function = 12 };

struct DocumentSymbol {
  std::string name; ///< not empty
  std::string detail;
  SymbolKind kind = SymbolKind::Function;
  Range range;
  Range selectionRange; ///< inside `range`
  std::vector<DocumentSymbol> children;
};

struct DocumentSymbols {
  std::string uri;
  std::vector<DocumentSymbol> symbols;
  bool hierarchical = false; ///< else the client gets a flat list
};

/// Whole lines, zero-based, both of them inside.
struct FoldingRange {
  uint32_t startLine = 0;
  uint32_t endLine = 0;
  bool operator==(const FoldingRange &) const = default;
};

enum class HighlightKind : int { Text = 1, Read = 2, Write = 3 };

struct DocumentHighlight {
  Range range;
  HighlightKind kind = HighlightKind::Text;
  bool operator==(const DocumentHighlight &) const = default;
};

struct LocationLink {
  Range originSelectionRange;
  std::string targetUri;
  Range targetRange;
};

struct Definition {
  std::vector<LocationLink> links;
  bool asLinks = false; ///< else the client gets plain locations
};

enum class CompletionItemKind : int { Value = 12, Keyword = 14 };

struct CompletionItem {
  std::string label;
  CompletionItemKind kind = CompletionItemKind::Keyword;
  TextEdit edit;
};

/// Five numbers a token, as the protocol packs them.
struct SemanticTokens {
  std::vector<uint32_t> data;
};

/// What SemanticTokens count from zero, in this order.
inline constexpr const char *kTokenTypes[] = {"mcaPressureLow", "mcaPressureMedium", "mcaPressureHigh"};
inline constexpr const char *kTokenModifiers[] = {"mcaCriticalChain"};

} // namespace lsp::protocol
