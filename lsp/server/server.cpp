// Messages and lifecycle of server.h.
//
// The client is not trusted: it may send anything at any time. A message that cannot be handled is answered or logged,
// and the server goes on.
#include "lsp/server/server.h"

#include "lsp/protocol/conversions.h"
#include "lsp/protocol/uri.h"
#include "lsp/system/log.h"

#include <exception>

namespace lsp {

using protocol::ErrorCode;

namespace {

/// Of a trace, in bytes: an opened document is part of a message.
constexpr size_t kLongestDetails = 2000;

} // namespace

Server::Server(boost::asio::io_context &io, const JobRunners &workers, ServerOptions options, ServerHooks hooks)
    : io_(io), options_(std::move(options)), hooks_(std::move(hooks)), client_(hooks_.send), progress_(client_),
      scheduler_(io, workers, *this), configuration_(options_.configuration),
      heldHints_(io, options_.hold,
                 [this](const auto &params, const HintReply &reply, bool) { reply(hintsFor(params)); }),
      heldPulls_(
          io, options_.hold,
          [this](const auto &params, const DiagnosticReply &reply, bool late) { answerPull(params, reply, late); }),
      heldContent_(io, std::nullopt,
                   [this](const auto &uri, const JsonReply &reply, bool) { answerContent(uri, reply); }),
      status_(client_, options_.missingConfinement), importer_(io), measurer_(io), calibrator_(io) {
  bindMethods();
  bindFeatures();
  bindPlaceFeatures();
  bindCommands();
}

void Server::bindMethods() {
  methods_.request("initialize", this, &Server::initialize);
  methods_.request("shutdown", this, &Server::shutdown);
  methods_.request("textDocument/inlayHint", this, &Server::inlayHint);
  methods_.request("textDocument/diagnostic", this, &Server::documentDiagnostic);
  methods_.request("workspace/textDocumentContent", this, &Server::documentContent);
  methods_.request("mca/documentContent", this, &Server::documentContent);
  methods_.request("mca/links", this, &Server::documentLinks);
  methods_.request("mca/timeline", this, &Server::timeline);
  methods_.request("workspace/executeCommand", this, &Server::executeCommand);
  methods_.notification("initialized", this, &Server::initialized);
  methods_.notification("exit", this, &Server::exitNow);
  methods_.notification("textDocument/didOpen", this, &Server::didOpen);
  methods_.notification("textDocument/didChange", this, &Server::didChange);
  methods_.notification("textDocument/didSave", this, &Server::didSave);
  methods_.notification("textDocument/didClose", this, &Server::didClose);
  methods_.notification("workspace/didChangeConfiguration", this, &Server::didChangeConfiguration);
  methods_.notification("workspace/didChangeWatchedFiles", this, &Server::didChangeWatchedFiles);
  methods_.notification("$/cancelRequest", this, &Server::cancelRequest);
  methods_.notification("window/workDoneProgress/cancel", this, &Server::cancelProgress);
  methods_.notification("$/setTrace", this, &Server::setTrace);
}

// ---- messages ------------------------------------------------------------------------------------------------------

/// What leaves here is a bug of ours, such as memory that ran out, and is logged by the event loop. The message is then
/// lost, and it may have been a change.
void Server::receive(std::string_view content) {
  try {
    std::visit([this](auto &&message) { handle(std::forward<decltype(message)>(message)); },
               protocol::parseMessage(content));
  } catch (...) {
    doubtTexts();
    throw;
  }
}

/// The bytes may have been a request, whose client waits: JSON-RPC 2.0 has an error without an id for it.
void Server::receivedBadFrame(const std::string &what) {
  logError("skipped bytes of the client: " + what);
  doubtTexts();
  hooks_.send(protocol::errorText(std::nullopt, ErrorCode::ParseError, "skipped " + what));
}

/// A request about a document shows that the user works on it, so its job comes before those of others.
void Server::handle(protocol::Request request) {
  logVerbose("--> " + request.method + " " + protocol::toString(request.id));
  trace("received request " + request.method + " " + protocol::toString(request.id), request.params);
  const auto refuse = [&](ErrorCode code, const std::string &why) {
    logError(request.method + ": " + why);
    hooks_.send(protocol::errorText(request.id, code, why));
  };
  const bool isInitialize = request.method == "initialize";
  if (state_ == State::ShutDown)
    return refuse(ErrorCode::InvalidRequest, "the server is shut down");
  if (state_ == State::Uninitialized && !isInitialize)
    return refuse(ErrorCode::ServerNotInitialized, "the server is not initialized");
  if (state_ == State::Running && isInitialize)
    return refuse(ErrorCode::InvalidRequest, "the server is initialized already");
  prefer(protocol::documentOf(request.params));
  methods_.dispatch(std::move(request), hooks_.send);
}

/// Before initialize, LSP 3.17 has all notifications dropped but exit.
void Server::handle(protocol::Notification notification) {
  logVerbose("--> " + notification.method);
  trace("received notification " + notification.method, notification.params);
  if (state_ != State::Running && notification.method != "exit")
    return logError("dropped " + notification.method + ": the server is not running");
  methods_.dispatch(std::move(notification));
}

/// An answer has no answer, so an exception while handling it is logged.
void Server::handle(protocol::Response response) {
  try {
    client_.handle(std::move(response));
  } catch (const std::exception &error) {
    logError("while handling an answer of the client: " + std::string(error.what()));
  }
}

/// The message may have been a change, so the texts are in doubt.
void Server::handle(const protocol::Malformed &malformed) {
  logError("a malformed message: " + malformed.what);
  doubtTexts();
  hooks_.send(protocol::errorText(malformed.id, malformed.code, malformed.what));
}

/// Sends $/logTrace as far as the client requests it ($/setTrace), for people who look at a session from the editor's
/// side; the log on standard error is the server's own. `details` become text only if they are sent.
void Server::trace(const std::string &message, const Json &details) const {
  if (trace_ == protocol::TraceValue::Off)
    return;
  Json params{{"message", message}};
  if (trace_ == protocol::TraceValue::Verbose) // in ASCII, which can be cut anywhere
    params["verbose"] = details.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, kLongestDetails);
  client_.notify("$/logTrace", std::move(params));
}

// ---- lifecycle -----------------------------------------------------------------------------------------------------

/// The reply comes first: messages about the options and the client's process follow it.
void Server::initialize(const protocol::InitializeParams &params, Reply<protocol::InitializeResult> reply) {
  logInfo("initialize by " + (params.clientName.empty() ? "an unnamed client" : params.clientName));
  client_.capabilities = params.capabilities;
  state_ = State::Running;
  trace_ = params.trace;
  reply({params.capabilities.encoding, params.capabilities.pullsDiagnostics, params.capabilities.codeActionLiterals});
  std::vector<std::string> roots;
  for (const std::string &uri : params.rootUris)
    if (std::string path = protocol::localPath(uri); !path.empty())
      roots.push_back(std::move(path));
  configuration_.setRoots(std::move(roots));
  reportInvalidSettings(configuration_.takeInitializationOptions(params.initializationOptions));
  if (params.processId)
    hooks_.watchProcess(*params.processId);
}

/// Registers for notifications that not every client sends unasked. LSP 3.17 names this notification as the time for
/// it.
void Server::initialized(const protocol::NoParams &) {
  // The method is also the registration's id, by which it could be taken back.
  const auto registerFor = [this](const char *method, Json registration) {
    registration.update({{"id", method}, {"method", method}});
    client_.request("client/registerCapability", {{"registrations", Json::array({std::move(registration)})}});
  };
  if (client_.capabilities.registersConfiguration)
    registerFor("workspace/didChangeConfiguration", Json::object());
  if (client_.capabilities.registersWatchedFiles) {
    Json watchers = Json::array();
    for (const std::string &glob : {std::string(protocol::kFolderConfigName), "*" + std::string(kTraceExtension),
                                    std::string(kDatabaseFile), std::string(kFlagsFile)})
      watchers.push_back({{"globPattern", "**/" + glob}});
    registerFor("workspace/didChangeWatchedFiles", {{"registerOptions", {{"watchers", std::move(watchers)}}}});
  }
  if (client_.capabilities.configuration)
    pullConfiguration();
}

/// Requests that wait are answered, since their jobs will not finish. The process stays until exit.
void Server::shutdown(const protocol::NoParams &, JsonReply reply) {
  state_ = State::ShutDown;
  for (const auto &[uri, document] : documents_)
    scheduler_.forget({uri});
  for (const auto &[uri, document] : documents_)
    dropSideJobs(uri, ErrorCode::RequestCancelled, "the server shuts down");
  heldContent_.cancelAll("the server shuts down");
  cancelImport(nullptr, "the server shuts down");
  cancelMeasuring(nullptr, ErrorCode::RequestCancelled, "the server shuts down");
  dropCalibration("the server shuts down");
  progress_.endAll();
  heldHints_.answerAll();
  heldPulls_.answerAll();
  reply(nullptr);
}

/// The status is 1 if no shutdown came before (LSP 3.17, exit).
void Server::exitNow(const protocol::NoParams &) {
  const int status = state_ == State::ShutDown ? 0 : 1;
  logInfo("exit with status " + std::to_string(status));
  hooks_.exit(status);
}

/// Only held requests can be cancelled. Most others were answered as soon as they were read.
void Server::cancelRequest(const protocol::CancelParams &params) {
  if (!heldHints_.cancel(params.id) && !heldPulls_.cancel(params.id) && !heldContent_.cancel(params.id) &&
      !cancelImport(&params.id, "cancelled by the client") &&
      !cancelMeasuring(&params.id, ErrorCode::RequestCancelled, "cancelled by the client") &&
      !endCalibration(&params.id))
    logVerbose("nothing to cancel: " + protocol::toString(params.id));
}

void Server::cancelProgress(const protocol::ProgressTokenParams &params) {
  const std::string what = progress_.ownerOf(params.token);
  if (what == kImportProgress)
    cancelImport(nullptr, "cancelled by the user");
  else if (what == kMeasureProgress)
    cancelMeasuring(nullptr, ErrorCode::RequestCancelled, "cancelled by the user");
  else if (what == kCalibrateProgress)
    endCalibration(nullptr);
}

void Server::setTrace(const protocol::SetTraceParams &params) {
  if (params.value)
    trace_ = *params.value;
}

} // namespace lsp
