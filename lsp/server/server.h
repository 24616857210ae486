// The language server: the messages of a session, its lifecycle, and what of the parts reacts to which event.
//
// It receives and sends the content of messages; its owner reads and writes the frames around them. It runs on one
// thread, that of the io_context.
//
// The parts: `texts_` changes the open documents as the editor does, `settings_` follows its settings, `jobs_` analyses
// the documents, `features_` and `contents_` show the analyses, `commandHandlers_` and `tasks_` do what a user
// requests. What they all know is in `workspace_`. Each binds its own methods.
#pragma once

#include "lsp/client/client.h"
#include "lsp/client/method_table.h"
#include "lsp/client/progress_reporter.h"
#include "lsp/client/status.h"
#include "lsp/jobs/document_jobs.h"
#include "lsp/server/advise_command.h"
#include "lsp/server/commands.h"
#include "lsp/server/document_features.h"
#include "lsp/server/settings_sync.h"
#include "lsp/server/text_sync.h"
#include "lsp/server/virtual_contents.h"
#include "lsp/settings/configuration.h"
#include "lsp/tasks/task.h"
#include "lsp/workspace/workspace.h"

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace lsp {

struct ServerOptions {
  ConfigurationOptions configuration;
  std::chrono::milliseconds hold{2000}; ///< the longest that a hint request or a pull waits for a job
  TaskPrograms programs;
  /// What the kernel lacks to confine the worker and the compilers, in words; empty if nothing is.
  std::string missingConfinement;
};

/// The services of the program around the server.
struct ServerHooks {
  SendText send;                             ///< sends the content of one message
  std::function<void(int status)> exit;      ///< ends the program when everything is sent
  std::function<void(int pid)> watchProcess; ///< ends the program when that process ends
};

class Server : private JobListener {
public:
  /// `io` and `workers` outlive the server. It sends nothing before the client's first message.
  Server(boost::asio::io_context &io, const JobRunners &workers, ServerOptions options, ServerHooks hooks);
  ~Server() override;

  /// Handles the content of one message.
  void receive(std::string_view content);
  /// The client sent bytes that are no message; the transport has skipped them.
  void receivedBadFrame(const std::string &what);

private:
  enum class State { Uninitialized, Running, ShutDown };

  using Json = protocol::Json;

  // Messages.
  void handle(protocol::Request request);
  void handle(protocol::Notification notification);
  void handle(protocol::Response response);
  void handle(const protocol::Malformed &malformed);
  void trace(const std::string &message, const Json &details) const;

  // Lifecycle (LSP 3.17: initialize, initialized, any other message, shutdown, exit). Before initialize, requests are
  // refused with ServerNotInitialized and notifications dropped; after shutdown, requests are refused with
  // InvalidRequest.
  void bindMethods();
  void initialize(const protocol::InitializeParams &params, Reply<protocol::InitializeResult> reply);
  void initialized(const protocol::NoParams &);
  void shutdown(const protocol::NoParams &, Reply<Json> reply);
  void exitNow(const protocol::NoParams &);
  void cancelRequest(const protocol::CancelParams &params);
  void cancelProgress(const protocol::ProgressTokenParams &params);
  void setTrace(const protocol::SetTraceParams &params);
  void executeCommand(protocol::ExecuteCommandParams params, Reply<Json> reply);

  // What the documents' jobs report.
  void working(const Document &document, const analysis::wire::Progress &progress) override;
  void analysed(const Document &document) override { status_.analysed(document.uri(), document.analysis().target); }
  void jobOver(const std::string &uri, bool isPending) override;
  void showOnce(protocol::MessageType type, const std::string &text) override { client_.showMessageOnce(type, text); }
  void findingsChanged(const Document &document) override { features_.showDiagnostics(document); }
  void hintsChanged() override { features_.refreshHints(); }
  void virtualDocumentsChanged(const std::vector<std::string> &uris) override { contents_.changed(uris); }
  void settingsApplied() override { settings_.publishFindings(); }
  void documentClosed(const std::string &uri);

  ServerHooks hooks_;
  State state_ = State::Uninitialized;
  protocol::TraceValue trace_ = protocol::TraceValue::Off;
  MethodTable methods_;
  MethodTable commands_;
  Client client_;
  ProgressReporter progress_;
  StatusReporter status_;
  Workspace workspace_;
  DocumentJobs jobs_;
  SettingsSync settings_;
  DocumentFeatures features_;
  VirtualContents contents_;
  TextSync texts_;
  Commands commandHandlers_;
  AdviseCommand advise_;
  Tasks tasks_;
};

} // namespace lsp
