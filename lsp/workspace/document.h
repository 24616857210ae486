// A document that the editor has open: its text, and what the last finished analysis said about it.
//
// What an analysis says is moved through every edit as it is made, so that it always speaks about the present text.
// A result that arrives for an older version is taken through the edits made since: the document remembers them while
// a job of it runs.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/settings.h"
#include "lsp/protocol/types.h"
#include "lsp/workspace/analysis.h"
#include "lsp/workspace/line_edit.h"
#include "lsp/workspace/line_shift.h"
#include "lsp/workspace/text.h"

#include <optional>
#include <string>
#include <vector>

namespace lsp {

class Document {
public:
  Document(const protocol::DidOpenParams &opened, std::string text);

  const std::string &uri() const { return uri_; }
  /// As the client named it.
  const std::string &languageId() const { return languageId_; }
  /// The file behind the document, or the URI's path when it has none.
  const std::string &path() const { return path_; }
  /// No value: not ours to analyse.
  std::optional<analysis::wire::Language> language() const { return language_; }
  std::optional<int64_t> version() const { return version_; }
  const Text &text() const { return text_; }
  const Analysis &analysis() const { return analysis_; }
  /// False until a job of the document has ended with something to say.
  bool analysed() const { return analysed_; }

  /// In force for this document.
  const protocol::UserSettings &settings() const { return settings_; }
  void setSettings(protocol::UserSettings settings) { settings_ = std::move(settings); }

  /// Makes the changes in their order. False, and nothing changes, when the text could become too long for a job.
  bool apply(const protocol::DidChangeParams &change, protocol::PositionEncoding encoding);

  /// What the changes of the last apply() did to the lines, in their order.
  const std::vector<LineShift> &lastShifts() const { return lastShifts_; }

  /// From now on edits are remembered, for the result of a job on the present text. A document has one job at a time.
  void jobStarted() { forgetEdits(), jobRuns_ = true; }
  void jobEnded() { forgetEdits(), jobRuns_ = false; }
  /// What the edits since the last jobStarted() did to the lines, in their order.
  const std::vector<LineShift> &shiftsSinceJob() const { return shiftsSinceJob_; }
  /// Takes over an analysis of the text of the last jobStarted().
  void setAnalysis(Analysis analysis);
  /// A place in the text of the last jobStarted(), in the present text.
  analysis::wire::ByteRange present(analysis::wire::ByteRange range) const;
  /// The worker died, and this is what there is to say.
  void setFailure(analysis::wire::Finding failure) {
    analysis_.failure = std::move(failure);
    analysed_ = true;
  }
  /// To change what is reported, not where.
  Analysis &analysis() { return analysis_; }

private:
  void applyOne(const protocol::ContentChange &change, protocol::PositionEncoding encoding);
  void forgetEdits() { editsSinceJob_.clear(), shiftsSinceJob_.clear(); }

  std::string uri_;
  std::string languageId_;
  std::string path_;
  std::optional<analysis::wire::Language> language_;
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
