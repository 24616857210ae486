// The common part of the files that make code actions: the request, and edits in the client's positions.
#pragma once

#include "lsp/features/features.h"
#include "lsp/features/marker_comments.h"
#include "lsp/wording/loops_of_line.h"

namespace lsp::features {

class CodeActionBuilder {
public:
  CodeActionBuilder(const Document &document, const protocol::CodeActionParams &params, const ActionChoices &choices,
                    const protocol::ClientCapabilities &client);

  const Document &document;
  const Text &text;
  const ActionChoices &choices;
  const protocol::ClientCapabilities &client;
  const std::vector<MarkerComment> comments; ///< all of the document
  /// The requested lines, zero-based and inside the text. A selection that ends before the first character of a line
  /// does not include that line: editors select whole lines so.
  const uint32_t firstLine, lastLine;

  bool touches(uint32_t line) const { return firstLine <= line && line <= lastLine; }
  /// Whether a requested line has a hint: where a reader looks for actions about the numbers.
  bool touchesHint() const;
  bool isSelection() const { return !(params_.range.start == params_.range.end); }
  /// Whether a place is meant rather than lines. Helix has no smaller selection than the character below its cursor.
  bool isPlace() const;
  /// The findings of this code on the requested lines.
  std::vector<const wire::Finding *> findings(const std::string &code) const;

  /// A comment in the document's language, without indentation and line end.
  std::string comment(const std::string &content) const;

  protocol::TextEdit replace(wire::ByteRange range, std::string with) const;
  /// New lines have the indentation of `line` and the line end of the text.
  protocol::TextEdit insertLineBefore(uint32_t line, const std::string &content) const;
  protocol::TextEdit insertLineAfter(uint32_t line, const std::string &content) const;

  /// Adds an action that fixes a finding, or that has no diagnostic in the editor if `fixes` is null.
  void quickFix(std::string title, std::vector<protocol::TextEdit> edits, const wire::Finding *fixes);
  void refactoring(std::string title, std::vector<protocol::TextEdit> edits);
  /// The diagnostics of the request that show the finding, which may be null. An action that names them is in the
  /// editor's list of fixes for that place.
  std::vector<protocol::Json> diagnosticsOf(const wire::Finding *finding) const;

  std::vector<protocol::CodeAction> made;

private:
  const protocol::CodeActionParams &params_;
};

/// Marking the selection as a region, and fixing markers that are wrong or missing.
void addMarkerActions(CodeActionBuilder &actions);
/// RISC-V vector types after an instruction that sets them, and loads that take longer.
void addInstrumentActions(CodeActionBuilder &actions);
/// Whether what would make the loop of a hint faster can be tried.
bool isAdvisable(const Document &document, const wording::LoopsOfLine &onLine);
void addAdviceActions(CodeActionBuilder &actions);
/// The CPU to analyse for, in the buffer and in a new configuration file.
void addCpuActions(CodeActionBuilder &actions);

} // namespace lsp::features
