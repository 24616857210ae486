// Messages, lifecycle and settings of server.h. What happens to documents is in server_documents.cpp.
#include "lsp/server/server.h"

#include "lsp/protocol/conversions.h"
#include "lsp/server/log.h"

#include <algorithm>
#include <exception>

namespace lsp {

using protocol::ErrorCode;
using protocol::Json;
using protocol::SettingsSource;

Server::Server(boost::asio::io_context &io, JobRunner &runner, ServerOptions options, ServerHooks hooks)
    : io_(io), options_(std::move(options)), hooks_(std::move(hooks)), client_(hooks_.send), progress_(client_),
      scheduler_(io, runner, *this), baseSettings_(options_.settings), settings_(options_.settings) {
  bindMethods();
}

void Server::bindMethods() {
  methods_.request("initialize", this, &Server::initialize);
  methods_.request("shutdown", this, &Server::shutdown);
  methods_.request("textDocument/inlayHint", this, &Server::inlayHint);
  methods_.request("textDocument/hover", this, &Server::hover);
  methods_.notification("initialized", this, &Server::initialized);
  methods_.notification("exit", this, &Server::exitNow);
  methods_.notification("textDocument/didOpen", this, &Server::didOpen);
  methods_.notification("textDocument/didChange", this, &Server::didChange);
  methods_.notification("textDocument/didSave", this, &Server::didSave);
  methods_.notification("textDocument/didClose", this, &Server::didClose);
  methods_.notification("workspace/didChangeConfiguration", this, &Server::didChangeConfiguration);
  methods_.notification("$/cancelRequest", this, &Server::cancelRequest);
}

// ---- messages
// --------------------------------------------------------------------------------------------------------

void Server::receive(std::string_view content) {
  std::visit([this](auto &&message) { handle(std::forward<decltype(message)>(message)); },
             protocol::parseMessage(content));
}

void Server::receivedBadFrame(const std::string &what) {
  logError("skipped bytes of the client: " + what);
  hooks_.send(protocol::errorText(std::nullopt, ErrorCode::ParseError, "skipped " + what));
}

void Server::handle(protocol::Request request) {
  logVerbose("--> " + request.method + " " + protocol::toString(request.id));
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
  methods_.dispatch(std::move(request), hooks_.send);
}

void Server::handle(protocol::Notification notification) {
  logVerbose("--> " + notification.method);
  if (state_ != State::Running && notification.method != "exit")
    return logError("dropped " + notification.method + ": the server is not running");
  methods_.dispatch(std::move(notification));
}

void Server::handle(protocol::Response response) {
  try {
    client_.handle(std::move(response));
  } catch (const std::exception &error) {
    logError("while handling an answer of the client: " + std::string(error.what()));
  }
}

void Server::handle(const protocol::Malformed &malformed) {
  logError("a malformed message: " + malformed.what);
  hooks_.send(protocol::errorText(malformed.id, malformed.code, malformed.what));
}

// ---- lifecycle
// -------------------------------------------------------------------------------------------------------

void Server::initialize(const protocol::InitializeParams &params, Reply<protocol::InitializeResult> reply) {
  logInfo("initialize by " + (params.clientName.empty() ? "an unnamed client" : params.clientName));
  client_.capabilities = params.capabilities;
  state_ = State::Running;
  reply({params.capabilities.encoding});
  const auto update = protocol::readSettings(params.initializationOptions, SettingsSource::InitializationOptions,
                                             baseSettings_, settings_);
  baseSettings_ = update.settings;
  takeSettings(update);
  if (params.processId)
    hooks_.watchProcess(*params.processId);
}

void Server::initialized(const protocol::NoParams &) {
  if (client_.capabilities.registersConfiguration)
    client_.request("client/registerCapability", protocol::registrationParams("workspace/didChangeConfiguration"),
                    [](const std::optional<Json> &) {});
  if (client_.capabilities.configuration)
    pullConfiguration();
}

void Server::shutdown(const protocol::NoParams &, Reply<protocol::Null> reply) {
  state_ = State::ShutDown;
  for (const auto &[uri, document] : documents_)
    scheduler_.forget(uri);
  progress_.end();
  for (const HeldHints &held : heldHints_)
    held.reply({});
  heldHints_.clear();
  reply({});
}

void Server::exitNow(const protocol::NoParams &) {
  const int status = state_ == State::ShutDown ? 0 : 1;
  logInfo("exit with status " + std::to_string(status));
  hooks_.exit(status);
}

void Server::cancelRequest(const protocol::CancelParams &params) {
  const auto held = std::find_if(heldHints_.begin(), heldHints_.end(),
                                 [&](const HeldHints &held) { return held.reply.id() == params.id; });
  if (held == heldHints_.end())
    return logVerbose("nothing to cancel: " + protocol::toString(params.id));
  held->reply.fail(ErrorCode::RequestCancelled, "cancelled by the client");
  heldHints_.erase(held);
}

// ---- settings
// --------------------------------------------------------------------------------------------------------

void Server::didChangeConfiguration(const protocol::DidChangeConfigurationParams &params) {
  const auto pushed = params.settings.is_object() ? params.settings.find("mca") : params.settings.end();
  if (pushed != params.settings.end())
    takeConfiguration(*pushed);
  else if (client_.capabilities.configuration)
    pullConfiguration();
}

void Server::pullConfiguration() {
  client_.request("workspace/configuration", protocol::configurationParams("mca"),
                  [this](const std::optional<Json> &result) {
                    if (result && result->is_array() && !result->empty())
                      takeConfiguration(result->front());
                  });
}

void Server::takeConfiguration(const Json &section) {
  takeSettings(protocol::readSettings(section, SettingsSource::Configuration, baseSettings_, settings_));
}

void Server::takeSettings(const protocol::SettingsUpdate &update) {
  for (const std::string &wrong : update.wrong)
    client_.showMessageOnce(protocol::MessageType::Warning, "mca-lsp: " + wrong + "; the last good value stays");
  for (const std::string &key : update.ignored)
    if (saidIgnored_.insert(key).second)
      logInfo(key + " in the configuration is ignored, as a folder could have set it; use the command line or "
                    "initializationOptions");
  const protocol::UserSettings before = std::exchange(settings_, update.settings);
  if (before == settings_)
    return;
  logInfo("the settings changed");
  for (auto &[uri, document] : documents_) {
    if (!document.language())
      continue;
    publish(document);
    if (!(before.worker == settings_.worker))
      scheduler_.scheduleNow(uri);
  }
  refreshHints();
}

} // namespace lsp
