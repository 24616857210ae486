// A document that the editor has open: its text, and what the last finished analysis said about it.
//
// The analysis moves with every edit, so that it always describes the present text. A result that arrives late, for an
// older version, is moved by the edits made since: the document records them while a job of it runs.
#pragma once

#include "lsp/settings/settings.h"
#include "lsp/workspace/analysis.h"

namespace lsp {

class Document {
public:
  Document(const protocol::DidOpenParams &opened, std::string text);

  const std::string &uri() const { return uri_; }
  /// As the client named it.
  const std::string &languageId() const { return languageId_; }
  /// The file's absolute path. A relative one is the name of a document that is no file of this machine.
  const std::string &path() const { return path_; }
  bool isLocalFile() const { return path_.starts_with('/'); }
  /// Empty if the document is not one that we analyse.
  std::optional<wire::Language> language() const { return language_; }
  std::optional<int64_t> version() const { return version_; }
  const Text &text() const { return text_; }
  const Analysis &analysis() const { return analysis_; }
  /// False until a job of the document has ended with a result or a failure.
  bool analysed() const { return analysed_; }

  /// In force for this document.
  const protocol::UserSettings &settings() const { return settings_; }
  void setSettings(protocol::UserSettings settings) { settings_ = std::move(settings); }

  /// Makes the changes in their order: each counts positions in the text that the one before leaves (LSP 3.17,
  /// didChange). False if the text could become too long for a job; nothing changes then.
  bool apply(const protocol::DidChangeParams &change, protocol::PositionEncoding encoding);

  /// The effect of the changes of the last apply() on line numbers, in their order.
  const std::vector<LineShift> &lastShifts() const { return lastShifts_; }

  /// Edits are recorded from now on, for the result of a job on the present text. A document has one job at a time.
  void jobStarted() { forgetEdits(), jobRuns_ = true; }
  void jobEnded() { forgetEdits(), jobRuns_ = false; }
  /// The effect of the edits since the last jobStarted() on line numbers, in their order.
  const std::vector<LineShift> &shiftsSinceJob() const { return shiftsSinceJob_; }
  /// Takes over an analysis of the text of the last jobStarted(), and moves it to the present text.
  void setAnalysis(Analysis analysis);
  /// A place in the text of the last jobStarted(), in the present text.
  wire::ByteRange present(wire::ByteRange range) const;
  /// The worker died. The last analysis stays, but of its findings only this one is shown.
  void setFailure(wire::Finding failure) {
    analysis_.failure = std::move(failure);
    analysed_ = true;
  }
  /// For changes of what is reported; its places follow the text, which the document alone edits.
  Analysis &analysis() { return analysis_; }

private:
  void applyOne(const protocol::ContentChange &change, protocol::PositionEncoding encoding);
  void forgetEdits() { editsSinceJob_.clear(), shiftsSinceJob_.clear(); }

  std::string uri_;
  std::string languageId_;
  std::string path_;
  std::optional<wire::Language> language_;
  std::optional<int64_t> version_;
  Text text_;
  protocol::UserSettings settings_;
  Analysis analysis_;
  bool analysed_ = false;
  std::vector<LineShift> lastShifts_;
  std::vector<LineEdit> editsSinceJob_;
  std::vector<LineShift> shiftsSinceJob_;
  bool jobRuns_ = false;
};

} // namespace lsp
