// What a document's numbers are compared with: those of the last save, and those of the version in git HEAD.
//
// A text is saved when it is opened, and whenever the editor says so; an edit makes it differ. While it differs, "the
// last save" is what was saved last; a text that has just been saved is compared with the save before it. Numbers for
// other settings mean nothing any more, so a change of the settings forgets all of them.
#pragma once

#include "lsp/workspace/analysis.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lsp {

class Baselines {
public:
  /// Which of its texts a document has.
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

  TextState textState(const std::string &uri) const;
  /// What the present text is compared with.
  std::vector<Baseline> before(const std::string &uri) const;
  /// The numbers of a job on the text of that state.
  void jobFinished(const std::string &uri, const TextState &text, const Analysis &analysis);

  /// Whether HEAD is worth a look: the saved text has numbers, and HEAD was not looked at since it was saved.
  bool wantsHead(const std::string &uri) const;
  /// AnalyzeRequest::knownHead.
  uint64_t knownHead(const std::string &uri) const;
  /// Takes the result of a job on HEAD, AnalysisResult::head of it. True when its numbers are not those of the present
  /// text, or there are none any more.
  bool headFinished(const std::string &uri, uint64_t head, const Analysis &analysis);
  /// There is no result, and no use in asking again before the next save.
  void headFailed(const std::string &uri) { documents_[uri].headSeen = true; }

private:
  struct Document {
    TextState text;
    std::optional<Baseline> before; ///< of the save before the last
    std::optional<Baseline> latest; ///< of the last save; none until it has been analysed
    /// Of the last finished analysis, and the number of edits before it.
    std::optional<Baseline> present;
    unsigned presentEdits = 0;
    std::optional<Baseline> head;
    uint64_t headKey = 0;
    bool headSeen = false; ///< since the last save
  };

  std::map<std::string, Document> documents_;
};

} // namespace lsp
