// The commands (workspace/executeCommand) that no task runs. docs/commands.md describes their arguments and replies.
#pragma once

#include "lsp/client/client.h"
#include "lsp/client/method_table.h"
#include "lsp/jobs/document_jobs.h"
#include "lsp/server/document_features.h"
#include "lsp/server/virtual_contents.h"
#include "lsp/workspace/workspace.h"

namespace lsp {

class Commands {
public:
  /// Binds them in `commands`.
  Commands(MethodTable &commands, Client &client, Workspace &workspace, DocumentJobs &jobs, DocumentFeatures &features,
           VirtualContents &contents);

private:
  using Json = protocol::Json;
  using JsonReply = Reply<Json>;

  // About a place in a document.
  template <analysis::wire::DocumentKind kind>
  void show(const protocol::PlaceArguments &place, JsonReply reply);
  void compareCpus(const protocol::CompareCpusArguments &arguments, JsonReply reply);
  void replyOtherCpus(const std::string &uri, uint32_t offset, const Analysis &analysis, const JsonReply &reply) const;
  void nextPath(const protocol::PlaceArguments &place, JsonReply reply);

  // Choices for the session.
  void setCpu(const protocol::SetCpuArguments &arguments, JsonReply reply);
  void setCommand(const protocol::SetCommandArguments &arguments, JsonReply reply);
  void nextPredictor(const protocol::UriParams &arguments, JsonReply reply);
  void toggleHints(const protocol::NoParams &, JsonReply reply);

  void showHotLoops(const protocol::NoParams &, JsonReply reply);
  void exportJson(const protocol::UriParams &arguments, JsonReply reply);

  // About the workers.
  void listCpus(const protocol::ListCpusArguments &arguments, JsonReply reply);
  void restartWorker(const protocol::NoParams &, JsonReply reply);
  void showMemory(const protocol::NoParams &, JsonReply reply);

  Client &client_;
  Workspace &workspace_;
  DocumentJobs &jobs_;
  DocumentFeatures &features_;
  VirtualContents &contents_;
};

} // namespace lsp
