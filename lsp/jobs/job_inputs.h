// What a job is made from beside the present text: the document's settings, the user's choices for this session, what
// has changed on disk, and whether the worker may reuse its compiler's output.
//
// Choices come from commands. They are above the settings, are not saved in them, and last until the document is
// closed; an empty one takes the choice back.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/workspace/workspace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace lsp {

class JobInputs {
public:
  explicit JobInputs(const Workspace &workspace) : workspace_(workspace) {}

  /// The parts of a request that are the same for all jobs of a document.
  analysis::wire::AnalyzeRequest requestFor(const Document &document) const;

  /// Of one document, or of all for an empty `uri`.
  void chooseCpu(const std::string &uri, const std::string &cpu) { choose(cpus_, uri, cpu); }
  /// Among TargetSummary::commands.
  void chooseCommand(const std::string &uri, const std::string &command) { choose(commands_, uri, command); }
  void choosePredictor(const std::string &uri, const std::string &predictor) { choose(predictors_, uri, predictor); }
  /// The setting `predictor`, unless one was chosen.
  std::string predictorOf(const Document &document) const { return settingsFor(document).predictor; }

  /// What may change the compiler's output: a save, settings.
  void changed() { ++saves_; }
  /// The same, and what was read of files must be read again.
  void filesChanged() { ++fileEvents_, ++saves_; }
  unsigned saves() const { return saves_; }

  /// A job of the document itself is finished, which had these inputs.
  void finished(const std::string &uri, size_t worker, unsigned saves, const Baselines::TextState &text) {
    compiled_[uri] = {worker, saves, text};
  }
  /// True if this worker made the last finished analysis, and since that began nothing was edited or saved and no
  /// setting has changed.
  bool mayReuseCompiled(const std::string &uri, size_t worker) const;
  /// Nothing was compiled of its text yet.
  void opened(const std::string &uri) { compiled_.erase(uri); }
  void closed(const std::string &uri);

private:
  using Choices = std::map<std::string, std::string>; ///< by document

  /// The input of the last finished analysis of a document: while it is the same, the worker may reuse its compiler's
  /// output.
  struct Compiled {
    size_t worker = 0; ///< the number of the worker that may still have that output
    unsigned saves = 0;
    Baselines::TextState text;
    bool operator==(const Compiled &) const = default;
  };

  static void choose(Choices &choices, const std::string &uri, const std::string &choice);
  analysis::wire::Settings settingsFor(const Document &document) const;
  std::vector<std::string> otherSources(const Document &document) const;

  const Workspace &workspace_;
  Choices cpus_; ///< that of "" for all documents
  Choices commands_;
  Choices predictors_;
  unsigned saves_ = 0; ///< counts what may change the compiler's output: saves, changes of settings and of other files
  uint64_t fileEvents_ = 0; ///< AnalyzeRequest::fileEvents
  std::map<std::string, Compiled> compiled_;
};

} // namespace lsp
