// The language server: lifecycle, documents, settings, and the answers to the editor.
//
// It is handed the content of messages and hands out the content of messages; whoever owns it moves the frames. It runs
// on one thread, that of the io_context.
//
// The order of things for one document: an edit changes the text and moves what is known about it; the scheduler starts
// a job when it is time; the result replaces what is known, its diagnostics are published, and the editor is asked to
// fetch the hints again. A hint request is answered with what is known at once, except for an editor that cannot be
// asked to come again: there it waits for the job, but not for long.
#pragma once

#include "lsp/protocol/settings.h"
#include "lsp/protocol/types.h"
#include "lsp/server/client.h"
#include "lsp/server/document.h"
#include "lsp/server/method_table.h"
#include "lsp/server/progress_reporter.h"
#include "lsp/server/scheduler.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lsp {

struct ServerOptions {
  protocol::UserSettings settings;          ///< those of the command line
  std::chrono::milliseconds hintHold{2000}; ///< the longest that a hint request waits for a job
};

/// What the server asks of the program around it.
struct ServerHooks {
  SendText send;                             ///< sends the content of one message
  std::function<void(int status)> exit;      ///< ends the program when everything is sent
  std::function<void(int pid)> watchProcess; ///< ends the program when that process ends
};

class Server : private JobClient {
public:
  Server(boost::asio::io_context &io, JobRunner &runner, ServerOptions options, ServerHooks hooks);

  /// Handles the content of one message.
  void receive(std::string_view content);
  /// The client sent bytes that are no message; they were skipped.
  void receivedBadFrame(const std::string &what);

private:
  enum class State { Uninitialized, Running, ShutDown };

  /// A hint request that waits for a job.
  struct HeldHints {
    protocol::InlayHintParams params;
    Reply<std::vector<protocol::InlayHint>> reply;
    boost::asio::steady_timer deadline;
  };

  void handle(protocol::Request request);
  void handle(protocol::Notification notification);
  void handle(protocol::Response response);
  void handle(const protocol::Malformed &malformed);

  // Lifecycle.
  void bindMethods();
  void initialize(const protocol::InitializeParams &params, Reply<protocol::InitializeResult> reply);
  void initialized(const protocol::NoParams &);
  void shutdown(const protocol::NoParams &, Reply<protocol::Null> reply);
  void exitNow(const protocol::NoParams &);
  void cancelRequest(const protocol::CancelParams &params);

  // Settings.
  void didChangeConfiguration(const protocol::DidChangeConfigurationParams &params);
  void pullConfiguration();
  void takeConfiguration(const protocol::Json &section);
  void takeSettings(const protocol::SettingsUpdate &update);

  // Documents.
  void didOpen(protocol::DidOpenParams params);
  void didChange(const protocol::DidChangeParams &params);
  void didSave(const protocol::DocumentParams &params);
  void didClose(const protocol::DocumentParams &params);
  Document *find(const std::string &uri);

  // Features.
  void inlayHint(protocol::InlayHintParams params, Reply<std::vector<protocol::InlayHint>> reply);
  void hover(const protocol::HoverParams &params, Reply<std::optional<protocol::Hover>> reply);
  std::vector<protocol::InlayHint> hintsFor(const protocol::InlayHintParams &params);
  void answerHeldHints(const std::string &uri);
  void publish(const Document &document);
  void refreshHints();

  // Jobs.
  analysis::wire::AnalyzeRequest jobRequest(const std::string &uri) override;
  void jobProgress(const std::string &uri, const analysis::wire::Progress &progress) override;
  void jobFinished(const std::string &uri, analysis::wire::AnalysisResult result) override;
  void jobCancelled(const std::string &uri) override;
  void workerDied(const std::string &uri, const WorkerDeath &death, Verdict verdict) override;
  void workerUnavailable(const std::string &uri, const std::string &why) override;
  void jobOver(const std::string &uri);
  std::vector<std::string> otherSources(const std::string &uri) const;

  boost::asio::io_context &io_;
  ServerOptions options_;
  ServerHooks hooks_;
  MethodTable methods_;
  Client client_;
  ProgressReporter progress_;
  Scheduler scheduler_;
  State state_ = State::Uninitialized;
  protocol::UserSettings baseSettings_; ///< below the configuration
  protocol::UserSettings settings_;     ///< in force
  std::set<std::string> saidIgnored_;   ///< settings of the configuration
  std::map<std::string, Document> documents_;
  std::list<HeldHints> heldHints_;
};

} // namespace lsp
