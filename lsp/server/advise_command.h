// The command mca.advise: tries what would make a loop faster, shows the result as a document, and keeps it for hovers
// and code actions. docs/features/advice.md describes it.
#pragma once

#include "lsp/advice/advice_run.h"
#include "lsp/client/client.h"
#include "lsp/client/method_table.h"
#include "lsp/client/progress_reporter.h"
#include "lsp/jobs/document_jobs.h"
#include "lsp/server/virtual_contents.h"
#include "lsp/tasks/loop_measure.h"
#include "lsp/tasks/same_check.h"
#include "lsp/workspace/workspace.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lsp {

/// One loop at a time; a further request ends the one before.
class AdviseCommand {
public:
  /// Binds it in `commands`.
  AdviseCommand(boost::asio::io_context &io, const std::string &measureProgram, MethodTable &commands, Client &client,
                ProgressReporter &progress, Workspace &workspace, DocumentJobs &jobs, VirtualContents &contents);

  /// False if no such request waits.
  bool cancel(const protocol::RequestId &id);
  /// The user ended the progress display of this command.
  void cancelByUser(const std::string &command);
  /// Ends what runs.
  void drop(const std::string &why);
  void documentClosed(const std::string &uri);

private:
  using Json = protocol::Json;
  using JsonReply = Reply<Json>;

  /// What a running search holds.
  struct Search {
    JsonReply reply;
    CommandProgress progress;
    AdviceRun run;
    std::string uri;
    uint32_t line = 0;                           ///< zero-based
    unsigned edits = 0;                          ///< Baselines::TextState of the text that is tried
    std::vector<AdviceRun::Check> checks = {};   ///< that are left to do, the last one first
    std::vector<AdviceRun::Timing> timings = {}; ///< the same
    std::map<size_t, JobKey> running = {};       ///< by the step's number
  };

  void start(const protocol::AdviseArguments &arguments, JsonReply reply);
  std::optional<uint32_t> lineOfLoop(const Document &document, uint32_t offset) const;
  void goOn();
  void finished(uint64_t search, size_t step, SideJobs::VariantOutcome outcome);
  void checkNext();
  void measureNext();
  void end();
  void fail(protocol::ErrorCode code, const std::string &why);

  Client &client_;
  ProgressReporter &progress_;
  Workspace &workspace_;
  DocumentJobs &jobs_;
  VirtualContents &contents_;
  SameCheck same_;
  LoopMeasure measure_;
  std::optional<Search> search_;
  uint64_t searches_ = 0; ///< so that a late result is known for one of an earlier search
};

} // namespace lsp
