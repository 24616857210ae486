// The server's side of requests to the client. Their ids are numbers; an answer with any other id is the client's
// mistake.
#include "lsp/client/client.h"

#include "lsp/protocol/diagnostics_text.h"
#include "lsp/system/log.h"

namespace lsp {

void Client::notify(std::string_view method, protocol::Json params) const {
  send_(protocol::notificationText(method, std::move(params)));
}

void Client::publish(const protocol::PublishDiagnosticsParams &diagnostics) const {
  send_(protocol::notificationWith("textDocument/publishDiagnostics", protocol::toText(diagnostics)));
}

void Client::request(std::string_view method, protocol::Json params, Answer answer) {
  const int64_t id = nextId_++;
  answers_[id] = std::move(answer);
  send_(protocol::requestText(id, method, std::move(params)));
}

void Client::handle(protocol::Response response) {
  if (!response.id)
    return logError("the client could not read a message: " + response.error.value_or(""));
  const auto *id = std::get_if<int64_t>(&*response.id);
  const auto waiting = id ? answers_.extract(*id) : decltype(answers_)::node_type();
  if (waiting.empty())
    return logError("an answer to no request of ours: " + protocol::toString(*response.id));
  if (response.error)
    logInfo("the client answered with an error: " + *response.error);
  if (const Answer &answer = waiting.mapped())
    answer(response.error ? std::nullopt : std::optional(std::move(response.result)));
}

void Client::showMessage(protocol::MessageType type, const std::string &message) const {
  logInfo("to the user: " + message);
  notify("window/showMessage", {{"type", type}, {"message", message}});
}

void Client::showMessageOnce(protocol::MessageType type, const std::string &message) {
  if (shown_.insert(message).second)
    showMessage(type, message);
}

} // namespace lsp
