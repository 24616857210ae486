// Messages and lifecycle of server.h.
//
// The client is not trusted: it may send anything at any time. A message that cannot be handled is answered or logged,
// and the server goes on.
#include "lsp/server/server.h"

#include "lsp/protocol/conversions.h"
#include "lsp/protocol/uri.h"
#include "lsp/system/log.h"
#include "lsp/wording/death_text.h"

#include <cassert>
#include <exception>
#include <iterator>
#include <utility>

namespace lsp {

using protocol::ErrorCode;

namespace {

/// Of a trace, in bytes: an opened document is part of a message.
constexpr size_t kLongestDetails = 2000;

} // namespace

Server::Server(boost::asio::io_context &io, const JobRunners &workers, ServerOptions options, ServerHooks hooks)
    : hooks_(std::move(hooks)), client_(hooks_.send), progress_(client_),
      status_(client_, std::move(options.missingConfinement)),
      workspace_{.documents = {},
                 .configuration = Configuration(std::move(options.configuration)),
                 .baselines = {},
                 .virtualDocuments = {}},
      jobs_(io, workers, workspace_, *this), settings_(methods_, client_, workspace_, jobs_),
      features_(io, options.hold, methods_, client_, workspace_, jobs_),
      contents_(io, methods_, client_, workspace_, jobs_),
      texts_(methods_, client_, workspace_, jobs_, {features_, contents_, settings_},
             [this](const std::string &uri) { documentClosed(uri); }),
      commandHandlers_(commands_, client_, workspace_, jobs_, features_, contents_),
      advise_(io, options.programs.measure, commands_, client_, progress_, workspace_, jobs_, contents_),
      tasks_({io, std::move(options.programs), commands_, client_, progress_, workspace_, jobs_}) {
  bindMethods();
  assert(commands_.requestCount() == std::size(protocol::kCommandNames) && "the capabilities name each command");
}

/// Tasks that are ended by this start no job.
Server::~Server() {
  jobs_.side().stop();
}

void Server::bindMethods() {
  methods_.request("initialize", this, &Server::initialize);
  methods_.request("shutdown", this, &Server::shutdown);
  methods_.request("workspace/executeCommand", this, &Server::executeCommand);
  methods_.notification("initialized", this, &Server::initialized);
  methods_.notification("exit", this, &Server::exitNow);
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
    texts_.messageLost();
    throw;
  }
}

/// The bytes may have been a request, whose client waits: JSON-RPC 2.0 has an error without an id for it.
void Server::receivedBadFrame(const std::string &what) {
  logError("skipped bytes of the client: " + what);
  texts_.messageLost();
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
  jobs_.prefer(protocol::documentOf(request.params));
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
  texts_.messageLost();
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
  workspace_.configuration.setRoots(std::move(roots));
  settings_.initialize(params.initializationOptions);
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
    for (const std::string &glob :
         {std::string(protocol::kFolderConfigName), "*" + std::string(kTraceExtension),
          "*" + std::string(kProfileExtension), std::string(kDatabaseFile), std::string(kFlagsFile)})
      watchers.push_back({{"globPattern", "**/" + glob}});
    registerFor("workspace/didChangeWatchedFiles", {{"registerOptions", {{"watchers", std::move(watchers)}}}});
  }
  if (client_.capabilities.configuration)
    settings_.pull();
}

/// Requests that wait are answered, since their jobs will not finish. The process stays until exit.
void Server::shutdown(const protocol::NoParams &, Reply<Json> reply) {
  constexpr const char *kWhy = "the server shuts down";
  state_ = State::ShutDown;
  advise_.drop(kWhy);
  jobs_.shutDown(kWhy);
  contents_.cancelAll(kWhy);
  tasks_.drop(kWhy);
  progress_.endAll();
  features_.shutDown();
  reply(nullptr);
}

/// The status is 1 if no shutdown came before (LSP 3.17, exit).
void Server::exitNow(const protocol::NoParams &) {
  const int status = state_ == State::ShutDown ? 0 : 1;
  logInfo("exit with status " + std::to_string(status));
  hooks_.exit(status);
}

/// Only requests that wait can be cancelled. Most others were answered as soon as they were read.
void Server::cancelRequest(const protocol::CancelParams &params) {
  if (!features_.cancel(params.id) && !contents_.cancel(params.id) && !advise_.cancel(params.id) &&
      !tasks_.cancel(params.id))
    logVerbose("nothing to cancel: " + protocol::toString(params.id));
}

void Server::cancelProgress(const protocol::ProgressTokenParams &params) {
  const std::string owner = progress_.ownerOf(params.token);
  advise_.cancelByUser(owner);
  tasks_.cancelByUser(owner);
}

void Server::setTrace(const protocol::SetTraceParams &params) {
  if (params.value)
    trace_ = *params.value;
}

/// Wrong arguments throw InvalidParams, which becomes the error of the request.
void Server::executeCommand(protocol::ExecuteCommandParams params, Reply<Json> reply) {
  if (!commands_.run(params.command, params.arguments, reply.slot()))
    throw protocol::InvalidParams("no command of this server: " + params.command);
}

// ---- jobs ----------------------------------------------------------------------------------------------------------

/// The progress display is for C and C++, whose jobs wait for a compiler. A status line shows every job.
void Server::working(const Document &document, const analysis::wire::Progress &progress) {
  const std::string stage = wording::stageText(progress);
  status_.working(document.uri(), stage);
  logVerbose(document.uri() + ": " + stage + " " + progress.what);
  if (document.language() != analysis::wire::Language::Assembly)
    progress_.report(document.uri(), "mca: " + document.path().substr(document.path().rfind('/') + 1), stage);
}

void Server::jobOver(const std::string &uri, bool isPending) {
  progress_.end(uri);
  if (isPending)
    return;
  status_.idle(uri);
  features_.answerHeld(uri);
}

/// Its requests that wait are answered: nothing newer will come.
void Server::documentClosed(const std::string &uri) {
  advise_.documentClosed(uri);
  jobs_.closed(uri);
  tasks_.documentClosed(uri);
  status_.closed(uri);
  contents_.answerHeld();
  features_.answerHeld(uri);
}

} // namespace lsp
