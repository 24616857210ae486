// What the makers of code actions share: the request, and edits in the client's positions.
#pragma once

#include "lsp/features/code_actions.h"
#include "lsp/features/marker_comments.h"

#include <string>
#include <vector>

namespace lsp::features {

class CodeActionBuilder {
public:
  CodeActionBuilder(const Document &document, const protocol::CodeActionParams &params, const ActionChoices &choices,
                    const protocol::ClientCapabilities &client);

  const Document &document() const { return document_; }
  const Text &text() const { return document_.text(); }
  const ActionChoices &choices() const { return choices_; }
  const protocol::ClientCapabilities &client() const { return client_; }
  const std::vector<MarkerComment> &comments() const { return comments_; }
  /// The requested lines, zero-based and inside the text; a selection that ends before the first character of a line
  /// leaves that line out.
  uint32_t firstLine() const { return firstLine_; }
  uint32_t lastLine() const { return lastLine_; }
  bool touches(uint32_t line) const { return firstLine_ <= line && line <= lastLine_; }
  bool touchesHint() const;
  bool isSelection() const { return !(params_.range.start == params_.range.end); }
  /// The findings of this code on the requested lines.
  std::vector<const analysis::wire::Finding *> findings(const std::string &code) const;

  /// A comment in the document's language, without indentation and line end.
  std::string comment(const std::string &content) const;

  protocol::TextEdit replace(analysis::wire::ByteRange range, std::string with) const;
  protocol::TextEdit insertLineBefore(uint32_t line, const std::string &content) const;
  protocol::TextEdit insertLineAfter(uint32_t line, const std::string &content) const;

  /// Something that mends a finding, or `nullptr` when the editor shows nothing there.
  void quickFix(std::string title, std::vector<protocol::TextEdit> edits, const analysis::wire::Finding *mends);
  void refactoring(std::string title, std::vector<protocol::TextEdit> edits);
  void newFile(std::string title, protocol::NewFile file, const analysis::wire::Finding *mends);

  void call(std::string title, protocol::CommandCall call);

  std::vector<protocol::CodeAction> take() { return std::move(actions_); }

private:
  std::vector<protocol::Json> diagnosticsOf(const analysis::wire::Finding *finding) const;

  const Document &document_;
  const protocol::CodeActionParams &params_;
  const ActionChoices &choices_;
  const protocol::ClientCapabilities &client_;
  std::vector<MarkerComment> comments_;
  uint32_t firstLine_ = 0;
  uint32_t lastLine_ = 0;
  std::vector<protocol::CodeAction> actions_;
};

/// Marking the selection as a region, and mending markers that are wrong or missing.
void addMarkerActions(CodeActionBuilder &actions);
/// RISC-V vector types behind an instruction that sets them, and loads that take longer.
void addInstrumentActions(CodeActionBuilder &actions);
/// The CPU to analyse for, in the buffer and in a new configuration file.
void addCpuActions(CodeActionBuilder &actions);
/// Which of the file's compile commands is analysed.
void addCommandActions(CodeActionBuilder &actions);

} // namespace lsp::features
