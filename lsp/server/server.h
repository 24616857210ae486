// The language server: lifecycle, documents, settings, and the answers to the editor.
//
// It receives and sends the content of messages; its owner reads and writes the frames around them. It runs on one
// thread, that of the io_context.
//
// One document goes through these steps: an edit changes the text and moves the last analysis along; the scheduler
// starts a job after a pause; the result replaces the analysis, its diagnostics are published, and the editor is
// requested to fetch the hints again. A hint request is answered from the last analysis at once, unless the editor
// supports no such refresh: then it waits for the job, but not for long (ServerOptions::hold).
//
// After a change that cannot be made (it cannot be read, or makes the text too long) the server's text is not the
// editor's, and the next change of a range would hit another place. Such a document counts as closed until its whole
// text comes again.
//
// Nothing is published to an editor that pulls diagnostics. It is requested to pull again after each job, and its pulls
// are answered like hint requests. Errors in a configuration file are published to every editor, as it need not be
// open.
#pragma once

#include "lsp/jobs/scheduler.h"
#include "lsp/jobs/side_command.h"
#include "lsp/protocol/types_features.h"
#include "lsp/protocol/virtual_uri.h"
#include "lsp/server/calibrate_run.h"
#include "lsp/server/client.h"
#include "lsp/server/held_requests.h"
#include "lsp/server/measure_run.h"
#include "lsp/server/method_table.h"
#include "lsp/server/progress_reporter.h"
#include "lsp/server/status.h"
#include "lsp/settings/configuration.h"
#include "lsp/settings/settings.h"
#include "lsp/system/system.h"
#include "lsp/workspace/baselines.h"
#include "lsp/workspace/document.h"
#include "lsp/workspace/virtual_documents.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace lsp {

struct ServerOptions {
  ConfigurationOptions configuration;
  std::chrono::milliseconds hold{2000};              ///< the longest that a hint request or a pull waits for a job
  std::string worker;                                ///< path of the worker's program, for mca.importTrace
  std::string measure;                               ///< path of mca-measure, for mca.measureRegion and mca.calibrate
  std::string architecture = system::architecture(); ///< of this machine
  /// What the kernel lacks to confine the worker and the compilers, in words; empty if nothing is.
  std::string missingConfinement;
};

/// The services of the program around the server.
struct ServerHooks {
  SendText send;                             ///< sends the content of one message
  std::function<void(int status)> exit;      ///< ends the program when everything is sent
  std::function<void(int pid)> watchProcess; ///< ends the program when that process ends
};

class Server : private JobClient {
public:
  /// `io` and `workers` outlive the server. It sends nothing before the client's first message.
  Server(boost::asio::io_context &io, const JobRunners &workers, ServerOptions options, ServerHooks hooks);

  /// Handles the content of one message.
  void receive(std::string_view content);
  /// The client sent bytes that are no message; the transport has skipped them.
  void receivedBadFrame(const std::string &what);

private:
  enum class State { Uninitialized, Running, ShutDown };

  using Json = protocol::Json;
  using JsonReply = Reply<Json>;
  using HintReply = Reply<std::vector<protocol::InlayHint>>;
  using DiagnosticReply = Reply<protocol::DocumentDiagnosticReport>;

  /// The diagnostics of a configuration file as they were published last, to publish only what has changed.
  struct ConfigDiagnostics {
    std::string uri;
    std::string text;
  };

  /// A job on other CPUs, for mca.compareCpus, or for mca.measureRegion. For a job on git HEAD the members are empty.
  struct SideJob {
    std::vector<std::string> cpus;
    uint32_t offset = 0; ///< of the request's position, in the text when the job was requested
    std::optional<JsonReply> reply;
    CommandProgress progress; ///< of mca.measureRegion
  };

  /// An import of a recording.
  struct Importing {
    JsonReply reply;
    CommandProgress progress;
  };

  /// A run of mca-measure.
  struct Measuring {
    std::string uri;                   ///< of the document
    std::string title;                 ///< of the loop
    std::string cpu;                   ///< that the prediction is for
    std::vector<AnalysedRegion> paths; ///< in their order in the input
    JsonReply reply;
    CommandProgress progress;
  };

  /// A run of mca-measure calibrate.
  struct Calibrating {
    CalibrationReport report;
    JsonReply reply;
    CommandProgress progress;
    bool isInterrupted = false; ///< the user ends it
  };

  // In place of a document's URI in the progress display.
  static constexpr const char *kImportProgress = "mca.importTrace", *kMeasureProgress = "mca.measureRegion",
                              *kCalibrateProgress = "mca.calibrate";

  /// The input of the last finished analysis of a document: while it is the same, the worker may reuse its compiler's
  /// output.
  struct Compiled {
    size_t worker = 0; ///< the number of the worker that may still have that output
    unsigned saves = 0;
    Baselines::TextState text;
    bool operator==(const Compiled &) const = default;
  };

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
  void shutdown(const protocol::NoParams &, JsonReply reply);
  void exitNow(const protocol::NoParams &);
  void cancelRequest(const protocol::CancelParams &params);
  void cancelProgress(const protocol::ProgressTokenParams &params);
  void setTrace(const protocol::SetTraceParams &params);

  // Settings: server_settings.cpp. Those of each document are computed anew whenever a layer may have changed.
  void didChangeConfiguration(const protocol::DidChangeConfigurationParams &params);
  void pullConfiguration();
  void takeConfiguration(const Json &section);
  void reportInvalidSettings(const protocol::SettingsSection &section);
  void didChangeWatchedFiles(const protocol::DidChangeWatchedFilesParams &params);
  void filesChanged(const std::set<std::string> &paths);
  void configFileShown(const std::string &path, const Document *document);
  void applySettings();
  bool applySettings(Document &document);
  void refreshSettings(Document &document);
  void publishConfigFindings();
  std::set<std::string> configFilesInUse() const;
  protocol::PublishDiagnosticsParams configDiagnostics(const std::string &path);

  // Documents: server_documents.cpp.
  void didOpen(protocol::DidOpenParams params);
  void didChange(const protocol::DidChangeParams &params);
  void didSave(protocol::DidSaveParams params);
  void didClose(const protocol::DocumentParams &params);
  std::string applyChange(Document &document, const protocol::DidChangeParams &params);
  void closeDocument(const Document &document);
  void loseText(const Document &document, const std::string &why);
  void takeWholeText(const protocol::DidChangeParams &params);
  void doubtTexts();
  Document *openDocument(const std::string &uri);
  Document *find(const std::string &uri);

  // Features. Those that may wait for a job are in server_documents.cpp, the others in server_features.cpp.
  void inlayHint(protocol::InlayHintParams params, HintReply reply);
  void documentDiagnostic(protocol::DocumentDiagnosticParams params, DiagnosticReply reply);
  std::vector<protocol::InlayHint> hintsFor(const protocol::InlayHintParams &params);
  void answerPull(const protocol::DocumentDiagnosticParams &params, const DiagnosticReply &reply, bool late);
  std::vector<protocol::Diagnostic> diagnosticsOf(const Document &document) const;
  void showDiagnostics(const Document &document);
  void refreshPulls();
  void answerHeld(const std::string &uri);
  template <class Params, class Feature>
  void bindFeature(const std::string &method, Feature feature);
  void bindFeatures();
  void bindPlaceFeatures();
  void resolveInlayHint(const protocol::InlayHintResolveParams &params, Reply<protocol::ResolvedInlayHint> reply);
  void definition(const protocol::PositionParams &params, Reply<protocol::Definition> reply);
  protocol::SemanticTokens tokensIn(const Document &document, const protocol::Range &range) const;
  void refreshFeatures();
  void refreshHints();

  // Virtual documents: server_virtual_documents.cpp. Each is closed with the buffer that it shows.
  void documentContent(const protocol::VirtualUriParams &params, JsonReply reply);
  void documentLinks(const protocol::VirtualUriParams &params, JsonReply reply);
  void timeline(const protocol::TimelineParams &params, JsonReply reply);
  protocol::VirtualUri knownVirtualUri(const std::string &uri);
  void wantVirtual(const std::string &uri);
  bool cannotCompile(const std::string &uri) const;
  void takeViews(const Document &document, const JobTicket &ticket, const std::vector<analysis::wire::View> &views,
                 const Analysis &analysis);
  void setPlaceholderText(const std::string &uri, const std::string &text);
  void answerContent(const protocol::VirtualUri &uri, const JsonReply &reply);
  void answerHeldContent();
  void notifyChanged(const std::vector<std::string> &uris);

  // Commands: server_commands.cpp. Wrong arguments throw InvalidParams, which becomes the error of the request.
  void bindCommands();
  void executeCommand(const protocol::ExecuteCommandParams &params, JsonReply reply);
  template <analysis::wire::DocumentKind kind>
  void showVirtual(const Json &arguments, JsonReply reply);
  void compareCpus(const Json &arguments, JsonReply reply);
  void setCpu(const Json &arguments, JsonReply reply);
  void setCommand(const Json &arguments, JsonReply reply);
  void nextPath(const Json &arguments, JsonReply reply);
  void nextPredictor(const Json &arguments, JsonReply reply);
  void toggleHints(const Json &arguments, JsonReply reply);
  void exportJson(const Json &arguments, JsonReply reply);
  void listCpus(const Json &arguments, JsonReply reply);
  void restartWorker(const Json &arguments, JsonReply reply);
  void showMemory(const Json &arguments, JsonReply reply);
  void importTrace(const Json &arguments, JsonReply reply); // this and the next two: server_import.cpp
  void importFinished(const CommandEnd &end);
  bool cancelImport(const protocol::RequestId *id, const std::string &why);
  std::string whyNotMeasured(const Document &document, bool isTrusted) const; // this and the next: server_measure.cpp
  bool isMeasuring() const;
  void measureRegion(const Json &arguments, JsonReply reply);
  void listingFinished(const std::string &uri, SideJob sideJob, const Analysis &analysis);
  void measureFinished(const CommandEnd &end);
  void measured(std::vector<PathMeasured> results);
  bool cancelMeasuring(const protocol::RequestId *id, protocol::ErrorCode code, const std::string &why);
  std::string whyNotCalibrated() const; // this and the next five: server_calibrate.cpp
  void calibrate(const Json &arguments, JsonReply reply);
  void calibrateProgressed(std::string_view line);
  void calibrateFinished(const CommandEnd &end);
  bool endCalibration(const protocol::RequestId *id);
  void dropCalibration(const std::string &why);
  Document &analysedDocument(const std::string &uri);
  analysis::wire::Settings workerSettings(const std::string &uri) const;
  std::string chosenCommand(const std::string &uri) const;
  void analyseAnew(const std::string &uri, const std::string &why);

  // Jobs beside the documents' own: server_side_jobs.cpp. sideJobs_ has those that are scheduled or running.
  void schedule(const std::string &uri);
  void dropHeadJobs();
  void dropSideJobs(const std::string &uri, protocol::ErrorCode code, const std::string &why);
  void scheduleHeadAnalysis();
  analysis::wire::AnalyzeRequest baseRequest(const Document &document) const;
  analysis::wire::AnalyzeRequest sideJobRequest(const JobKey &job, size_t worker);
  void sideJobFinished(const JobKey &job, analysis::wire::AnalysisResult result);
  void sideJobFailed(const JobKey &job, const std::string &why);
  void otherCpusFinished(const JobKey &job, const SideJob &sideJob, const Analysis &analysis);
  void takeNumbers(const Document &document, const JobTicket &ticket);
  void forgetDocument(const std::string &uri);
  bool mayReuseCompiled(const std::string &uri, size_t worker) const;

  // The documents' own jobs: server_documents.cpp. The scheduler decides when one starts and which worker does it.
  void prefer(const std::string &uri);
  JobStart startJob(const JobKey &job, size_t worker) override;
  void jobProgress(const JobKey &job, const analysis::wire::Progress &progress) override;
  void jobFinished(const JobKey &job, const JobTicket &ticket, analysis::wire::AnalysisResult result) override;
  void jobCancelled(const JobKey &job) override;
  void workerDied(const JobKey &job, const WorkerDeath &death, AfterDeath after) override;
  void workerUnavailable(const JobKey &job, const std::string &why) override;
  void jobOver(const std::string &uri);
  void updateFindings(Document &document);
  std::vector<std::string> otherSources(const Document &document) const;

  boost::asio::io_context &io_;
  ServerOptions options_;
  ServerHooks hooks_;
  MethodTable methods_;
  Client client_;
  ProgressReporter progress_;
  Scheduler scheduler_;
  protocol::TraceValue trace_ = protocol::TraceValue::Off;
  State state_ = State::Uninitialized;
  Configuration configuration_;
  std::set<std::string> saidIgnored_; ///< keys of the editor's section that the log says are ignored
  std::map<std::string, Document> documents_;
  std::map<std::string, std::string> lost_; ///< by URI: the language of open documents whose text was lost
  std::set<std::string> doubtful_;          ///< the URIs of documents that may have missed a change
  std::map<std::string, ConfigDiagnostics> configDiagnostics_; ///< by the file's path
  HeldRequests<protocol::InlayHintParams, std::vector<protocol::InlayHint>> heldHints_;
  HeldRequests<protocol::DocumentDiagnosticParams, protocol::DocumentDiagnosticReport> heldPulls_;
  HeldRequests<protocol::VirtualUri, Json> heldContent_; ///< without a limit: the first analysis may take long
  bool showsLenses_ = false;                             ///< whether a document had them at the last refresh
  bool showsTokens_ = false;

  using Command = void (Server::*)(const Json &arguments, JsonReply reply);
  std::map<std::string, Command> commands_;
  VirtualDocuments virtual_;
  Baselines baselines_;
  StatusReporter status_;
  std::map<JobKey, SideJob> sideJobs_;
  uint64_t nextSideJob_ = 1;
  unsigned saves_ = 0; ///< counts what may change the compiler's output: saves, changes of settings and of other files
  uint64_t fileEvents_ = 0;                             ///< AnalyzeRequest::fileEvents
  std::map<std::string, Compiled> compiled_;            ///< by document
  std::map<std::string, std::string> chosenCpus_;       ///< by mca.setCpu; by document, "" for all
  std::map<std::string, std::string> chosenCommands_;   ///< by mca.setCommand; by document
  std::map<std::string, std::string> chosenPredictors_; ///< by mca.nextPredictor; by document
  bool hintsHidden_ = false;                            ///< by mca.toggleHints
  std::optional<Importing> import_;
  SideCommand importer_;
  std::optional<Measuring> measuring_;
  SideCommand measurer_;
  std::optional<Calibrating> calibrating_;
  SideCommand calibrator_;
  bool calibrationIsPartial_ = false; ///< the last calibration was ended early
};

} // namespace lsp
