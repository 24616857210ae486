// The language server: lifecycle, documents, settings, and the answers to the editor.
//
// It is handed the content of messages and hands out the content of messages; whoever owns it moves the frames. It runs
// on one thread, that of the io_context.
//
// The order of things for one document: an edit changes the text and moves what is known about it; the scheduler starts
// a job when it is time; the result replaces what is known, its diagnostics are published, and the editor is asked to
// fetch the hints again. A hint request is answered with what is known at once, except for an editor that cannot be
// asked to come again: there it waits for the job, but not for long.
//
// A change that cannot be made (it cannot be read, or makes the text too long) leaves the server without the text of
// the editor, where the next change of a range would hit another place. Such a document is as good as closed until its
// whole text comes again.
//
// An editor that pulls diagnostics is published none and asked to pull again after each job; its pulls are answered
// like hint requests. What is wrong with a configuration file is published to every editor, as it need not be open.
#pragma once

#include "lsp/jobs/scheduler.h"
#include "lsp/protocol/settings.h"
#include "lsp/protocol/types_features.h"
#include "lsp/protocol/virtual_uri.h"
#include "lsp/server/client.h"
#include "lsp/server/held_requests.h"
#include "lsp/server/method_table.h"
#include "lsp/server/progress_reporter.h"
#include "lsp/server/status.h"
#include "lsp/server/trace.h"
#include "lsp/workspace/baselines.h"
#include "lsp/workspace/configuration.h"
#include "lsp/workspace/document.h"
#include "lsp/workspace/virtual_documents.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lsp {

struct ServerOptions {
  ConfigurationOptions configuration;
  std::chrono::milliseconds hold{2000}; ///< the longest that a request waits for a job
};

/// What the server asks of the program around it.
struct ServerHooks {
  SendText send;                             ///< sends the content of one message
  std::function<void(int status)> exit;      ///< ends the program when everything is sent
  std::function<void(int pid)> watchProcess; ///< ends the program when that process ends
};

class Server : private JobClient {
public:
  Server(boost::asio::io_context &io, const JobRunners &workers, ServerOptions options, ServerHooks hooks);

  /// Handles the content of one message.
  void receive(std::string_view content);
  /// The client sent bytes that are no message; they were skipped.
  void receivedBadFrame(const std::string &what);

private:
  enum class State { Uninitialized, Running, ShutDown };

  using HintReply = Reply<std::vector<protocol::InlayHint>>;
  using DiagnosticReply = Reply<protocol::DocumentDiagnosticReport>;

  /// What was published about a configuration file.
  struct ConfigDiagnostics {
    std::string uri;
    std::string text;
  };

  /// A request for a virtual document that waits for a job.
  struct HeldContent {
    protocol::VirtualUri uri;
    Reply<protocol::JsonResult> reply;
  };

  /// A job beside the documents' own. What follows is of a job on other CPUs, not of one on git HEAD.
  struct SideJob {
    std::vector<std::string> cpus;
    uint32_t offset = 0; ///< in the text when the job was requested
    std::optional<Reply<protocol::JsonResult>> reply;
  };

  /// What the last finished analysis of a document was made from.
  struct Compiled {
    size_t worker = 0; ///< that may still have the compiler's output
    unsigned saves = 0;
    Baselines::TextState text;
    bool operator==(const Compiled &) const = default;
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
  void setTrace(const protocol::SetTraceParams &params);

  // Settings.
  void didChangeConfiguration(const protocol::DidChangeConfigurationParams &params);
  void pullConfiguration();
  void takeConfiguration(const protocol::Json &section);
  void reportInvalidSettings(const protocol::SettingsSection &section);
  void didChangeWatchedFiles(const protocol::DidChangeWatchedFilesParams &params);
  void configFileShown(const std::string &path, const Document *document);
  void applySettings();
  bool applySettings(Document &document);
  void refreshSettings(Document &document);
  void publishConfigFindings();
  std::set<std::string> configFilesInUse() const;
  protocol::PublishDiagnosticsParams configDiagnostics(const std::string &path);

  // Documents.
  void didOpen(protocol::DidOpenParams params);
  void didChange(const protocol::DidChangeParams &params);
  void didSave(protocol::DidSaveParams params);
  void didClose(const protocol::DocumentParams &params);
  std::string applyChange(Document &document, const protocol::DidChangeParams &params);
  void closeDocument(const Document &document);
  void loseText(const Document &document, const std::string &why);
  void takeWholeText(const protocol::DidChangeParams &params);
  void doubtTexts();
  Document *find(const std::string &uri);

  // Features.
  void inlayHint(protocol::InlayHintParams params, HintReply reply);
  void documentDiagnostic(protocol::DocumentDiagnosticParams params, DiagnosticReply reply);
  void hover(const protocol::HoverParams &params, Reply<std::optional<protocol::Hover>> reply);
  std::vector<protocol::InlayHint> hintsFor(const protocol::InlayHintParams &params);
  void answerPull(const protocol::DocumentDiagnosticParams &params, const DiagnosticReply &reply, bool late);
  std::vector<protocol::Diagnostic> diagnosticsOf(const Document &document) const;
  void showDiagnostics(const Document &document);
  void refreshPulls();
  void answerHeld(const std::string &uri);
  void bindFeatures();
  void resolveInlayHint(const protocol::InlayHintResolveParams &params, Reply<protocol::ResolvedInlayHint> reply);
  void codeAction(const protocol::CodeActionParams &params, Reply<std::vector<protocol::CodeAction>> reply);
  void codeLens(const protocol::DocumentParams &params, Reply<std::vector<protocol::CodeLens>> reply);
  void documentSymbol(const protocol::DocumentParams &params, Reply<protocol::DocumentSymbols> reply);
  void foldingRange(const protocol::DocumentParams &params, Reply<std::vector<protocol::FoldingRange>> reply);
  void documentHighlight(const protocol::PositionParams &params, Reply<std::vector<protocol::DocumentHighlight>> reply);
  void definition(const protocol::PositionParams &params, Reply<protocol::Definition> reply);
  void completion(const protocol::PositionParams &params, Reply<std::vector<protocol::CompletionItem>> reply);
  void semanticTokensFull(const protocol::DocumentParams &params, Reply<protocol::SemanticTokens> reply);
  void semanticTokensRange(const protocol::RangeParams &params, Reply<protocol::SemanticTokens> reply);
  void refreshFeatures();
  void refreshHints();

  // Virtual documents: server_virtual_documents.cpp.
  void documentContent(const protocol::VirtualUriParams &params, Reply<protocol::JsonResult> reply);
  void documentLinks(const protocol::VirtualUriParams &params, Reply<protocol::JsonResult> reply);
  void timeline(const protocol::TimelineParams &params, Reply<protocol::JsonResult> reply);
  protocol::VirtualUri knownVirtualUri(const std::string &uri);
  void wantVirtual(const std::string &uri);
  bool cannotCompile(const std::string &uri) const;
  void takeViews(const Document &document, const JobTicket &ticket, const std::vector<analysis::wire::View> &views,
                 const Analysis &analysis);
  void closeVirtual(const protocol::VirtualUri &uri);
  void setPlaceholderText(const std::string &uri, const std::string &text);
  void answerHeldContent();
  bool cancelHeldContent(const protocol::RequestId &id);
  void tellChanged(const std::vector<std::string> &uris);

  // Commands: server_commands.cpp.
  void bindCommands();
  void executeCommand(const protocol::ExecuteCommandParams &params, Reply<protocol::JsonResult> reply);
  void showReport(const protocol::Json &arguments, Reply<protocol::JsonResult> reply);
  void showAssembly(const protocol::Json &arguments, Reply<protocol::JsonResult> reply);
  void showVirtual(analysis::wire::DocumentKind kind, const protocol::Json &arguments,
                   const Reply<protocol::JsonResult> &reply);
  void compareCpus(const protocol::Json &arguments, Reply<protocol::JsonResult> reply);
  void setCpu(const protocol::Json &arguments, Reply<protocol::JsonResult> reply);
  void setCommand(const protocol::Json &arguments, Reply<protocol::JsonResult> reply);
  void toggleHints(const protocol::Json &arguments, Reply<protocol::JsonResult> reply);
  void exportJson(const protocol::Json &arguments, Reply<protocol::JsonResult> reply);
  void listCpus(const protocol::Json &arguments, Reply<protocol::JsonResult> reply);
  void restartWorker(const protocol::Json &arguments, Reply<protocol::JsonResult> reply);
  void showMemory(const protocol::Json &arguments, Reply<protocol::JsonResult> reply);
  Document &analysedDocument(const std::string &uri);
  analysis::wire::Settings workerSettings(const std::string &uri) const;
  std::string chosenCommand(const std::string &uri) const;

  // Jobs beside the documents' own: server_side_jobs.cpp.
  void schedule(const std::string &uri);
  void dropHeadJobs();
  void dropSideJobs(const std::string &uri, protocol::ErrorCode code, const std::string &why);
  void scheduleHeadAnalysis();
  analysis::wire::AnalyzeRequest sideJobRequest(const JobKey &job, size_t worker);
  void sideJobFinished(const JobKey &job, analysis::wire::AnalysisResult result);
  void sideJobFailed(const JobKey &job, const std::string &why);
  void otherCpusFinished(const JobKey &job, const SideJob &sideJob, const Analysis &analysis);
  void takeNumbers(const Document &document, const JobTicket &ticket);
  void forgetDocument(const std::string &uri);
  bool mayReuseCompiled(const std::string &uri, size_t worker) const;

  // Jobs.
  void prefer(const std::string &uri);
  JobStart startJob(const JobKey &job, size_t worker) override;
  void jobProgress(const JobKey &job, const analysis::wire::Progress &progress) override;
  void jobFinished(const JobKey &job, const JobTicket &ticket, analysis::wire::AnalysisResult result) override;
  void jobCancelled(const JobKey &job) override;
  void workerDied(const JobKey &job, const WorkerDeath &death, AfterDeath after) override;
  void workerUnavailable(const JobKey &job, const std::string &why) override;
  void jobOver(const std::string &uri);
  void updateFindings(Document &document);
  std::vector<std::string> otherSources(const std::string &uri) const;

  boost::asio::io_context &io_;
  ServerOptions options_;
  ServerHooks hooks_;
  MethodTable methods_;
  Client client_;
  ProgressReporter progress_;
  Scheduler scheduler_;
  Trace trace_;
  State state_ = State::Uninitialized;
  Configuration configuration_;
  std::set<std::string> saidIgnored_; ///< settings of the configuration
  std::map<std::string, Document> documents_;
  std::map<std::string, std::string> lost_; ///< language of the open documents whose text is not known, by URI
  std::set<std::string> doubtful_;          ///< documents of which a change may have been lost, by URI
  std::map<std::string, ConfigDiagnostics> configDiagnostics_; ///< by the file's path
  HeldRequests<protocol::InlayHintParams, std::vector<protocol::InlayHint>> heldHints_;
  HeldRequests<protocol::DocumentDiagnosticParams, protocol::DocumentDiagnosticReport> heldPulls_;
  bool showsLenses_ = false; ///< at the last refresh
  bool showsTokens_ = false;

  using Command = void (Server::*)(const protocol::Json &, Reply<protocol::JsonResult>);
  std::map<std::string, Command> commands_;
  VirtualDocuments virtual_;
  std::list<HeldContent> heldContent_;
  Baselines baselines_;
  StatusReporter status_;
  std::map<JobKey, SideJob> sideJobs_;
  uint64_t nextSideJob_ = 1;
  unsigned saves_ = 0;                                ///< and whatever else may change what a compiler makes
  std::map<std::string, Compiled> compiled_;          ///< by document
  std::map<std::string, std::string> chosenCpus_;     ///< by mca.setCpu; by document, "" for all
  std::map<std::string, std::string> chosenCommands_; ///< by mca.setCommand; by document
  bool hintsHidden_ = false;                          ///< by mca.toggleHints
};

} // namespace lsp
