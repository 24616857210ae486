// What a document's numbers are compared with: those of the last save, and those of the version in git HEAD.
//
// A text is saved when it is opened and whenever the editor says so; an edit makes it differ from the last save. As
// long as it differs, it is compared with that save, and a text that has just been saved with the save before. A change
// of the settings forgets all numbers, which would change for that reason alone.
#pragma once

#include "lsp/workspace/analysis.h"

namespace lsp {

class Baselines {
public:
  /// Identifies a version of a document's text.
  struct TextState {
    unsigned saves = 0;
    unsigned edits = 0;
    bool edited = false; ///< since the last save
    bool operator==(const TextState &) const = default;
  };

  void opened(const std::string &uri) { documents_[uri] = {}; }
  void edited(const std::string &uri);
  void saved(const std::string &uri);
  void closed(const std::string &uri) { documents_.erase(uri); }
  /// The settings changed for all documents, or for one.
  void forget();
  void forget(const std::string &uri);

  /// Whether the text differs from the last save.
  bool isEdited(const std::string &uri) const { return textState(uri).edited; }
  TextState textState(const std::string &uri) const { return find(uri).text; }
  /// What the present text is compared with.
  std::vector<Baseline> before(const std::string &uri) const;
  /// Stores the numbers of a job that started when the text was in state `text`.
  void jobFinished(const std::string &uri, const TextState &text, const Analysis &analysis);

  /// Whether HEAD should be analysed: the saved text has numbers, and HEAD was not analysed since it was saved.
  bool wantsHead(const std::string &uri) const;
  /// AnalyzeRequest::knownHead.
  uint64_t knownHead(const std::string &uri) const { return find(uri).headKey; }
  /// Takes the result of a job on HEAD; `head` is its AnalysisResult::head. True if the comparison with HEAD changes:
  /// its numbers are not those of the present text, or there are none any more.
  bool headFinished(const std::string &uri, uint64_t head, const Analysis &analysis);
  /// The job had no result. HEAD is not analysed again before the next save.
  void headFailed(const std::string &uri) { documents_[uri].headSeen = true; }

private:
  struct Document {
    TextState text;
    std::optional<Baseline> before; ///< of the save before the last
    std::optional<Baseline> latest; ///< of the last save; empty until it has been analysed
    /// Of the last finished analysis, and the number of edits before it.
    std::optional<Baseline> present;
    unsigned presentEdits = 0;
    std::optional<Baseline> head;
    uint64_t headKey = 0;
    bool headSeen = false; ///< since the last save
  };

  /// An empty one if the document is not open.
  const Document &find(const std::string &uri) const;

  std::map<std::string, Document> documents_;
};

} // namespace lsp
