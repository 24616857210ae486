// The structs of the requests beyond hints, hovers and diagnostics: edits, code actions, lenses, symbols, completion.
// They are apart from types.h because most code needs positions and diagnostics alone.
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

/// inlayHint/resolve. The parameters are the hint itself; `data` in it says where it came from.
struct InlayHintResolveParams {
  Json hint; ///< as the client sent it back
  Position position;
  std::string label; ///< the text of all parts
  std::string uri;   ///< InlayHint::resolveUri; empty if nothing was left to resolve
};

/// A diagnostic that the client shows in the range of its code actions.
struct ContextDiagnostic {
  Range range;
  std::string code;
  Json whole; ///< as the client sent it: an action that fixes it names it
};

/// textDocument/codeAction
struct CodeActionParams {
  std::string uri;
  Range range;
  std::vector<std::string> only; ///< the requested kinds; empty for all
  std::vector<ContextDiagnostic> diagnostics;
};

// ---- to the client -------------------------------------------------------------------------------------------------

/// The hint of an inlayHint/resolve, with the members of `resolved` if the hint is still there.
struct ResolvedInlayHint {
  Json original;
  std::optional<InlayHint> resolved;
};

/// Replaces `range`, which is empty for an insertion.
struct TextEdit {
  Range range;
  std::string newText;
};

struct NewFile {
  std::string uri;
  std::string text;
};

/// Edits of one document, or a new file if `file` has a value.
struct WorkspaceEdit {
  std::string uri;
  std::optional<int64_t> version;
  std::vector<TextEdit> edits;
  std::optional<NewFile> file;
  bool asDocumentChanges = false; ///< ClientCapabilities::documentChanges
};

/// A command of the server, as workspace/executeCommand takes it.
struct CommandCall {
  std::string command;
  Json argument;
};

/// A quick fix or refactoring that the editor offers at a place.
struct CodeAction {
  std::string title;
  std::string kind;              ///< "quickfix", "refactor"
  std::vector<Json> diagnostics; ///< those that it fixes, as the client sent them
  WorkspaceEdit edit;
  std::optional<CommandCall> call; ///< in place of the edit
};

/// A lens. Its command gets the URI and the start of the range as its argument.
struct CodeLens {
  std::string uri;
  Range range;
  std::string title;
  std::string command;
};

/// Only kinds of the protocol's first version, which every client knows.
enum class SymbolKind : int { Namespace = 3, Function = 12 };

/// An entry of the editor's outline.
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
  bool hierarchical = false; ///< otherwise the client gets a flat list
};

/// Whole lines, zero-based. Both are inside, unlike the end of a Range.
struct FoldingRange {
  uint32_t startLine = 0;
  uint32_t endLine = 0;
  bool operator==(const FoldingRange &) const = default;
};

enum class HighlightKind : int { Text = 1, Read = 2, Write = 3 };

/// A place that the editor marks while the cursor is on a related one.
struct DocumentHighlight {
  Range range;
  HighlightKind kind = HighlightKind::Text;
  bool operator==(const DocumentHighlight &) const = default;
};

/// From an instruction or line to another one.
struct LocationLink {
  Range originSelectionRange;
  std::string targetUri;
  Range targetRange;
};

struct Definition {
  std::vector<LocationLink> links;
  bool asLinks = false; ///< otherwise the client gets plain locations
};

enum class CompletionItemKind : int { Value = 12, Keyword = 14 };

/// A word for the comment at the cursor. The edit replaces what is typed of it.
struct CompletionItem {
  std::string label;
  CompletionItemKind kind = CompletionItemKind::Keyword;
  TextEdit edit;
};

/// Five numbers a token: its line and column as differences to the token before, length, type and modifiers
/// (LSP 3.17, Semantic Tokens).
struct SemanticTokens {
  std::vector<uint32_t> data;
};

/// The legend: the types and modifiers of SemanticTokens are indices into these.
inline constexpr const char *kTokenTypes[] = {"mcaPressureLow", "mcaPressureMedium", "mcaPressureHigh"};
inline constexpr const char *kTokenModifiers[] = {"mcaCriticalChain"};

} // namespace lsp::protocol
