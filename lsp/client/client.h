// The editor, as the server speaks to it: notifications, requests with their answers, and messages to the user.
#pragma once

#include "lsp/client/reply.h"
#include "lsp/protocol/types.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace lsp {

class Client {
public:
  /// Gets the client's answer; no value if that is an error.
  using Answer = std::function<void(std::optional<protocol::Json> result)>;

  explicit Client(SendText send) : send_(std::move(send)) {}

  /// Set by the initialize request.
  protocol::ClientCapabilities capabilities;

  /// Sends a notification, which has no answer.
  void notify(std::string_view method, protocol::Json params) const;
  /// Sends textDocument/publishDiagnostics, the longest message of a keystroke (protocol/diagnostics_text.h).
  void publish(const protocol::PublishDiagnosticsParams &diagnostics) const;
  /// Without `answer` the client's answer does not matter.
  void request(std::string_view method, protocol::Json params, Answer answer = nullptr);
  /// Passes an answer of the client on. One to no request of ours is logged.
  void handle(protocol::Response response);

  void showMessage(protocol::MessageType type, const std::string &message) const;
  /// Shows each message once in a session: those about the set-up would come with every document.
  void showMessageOnce(protocol::MessageType type, const std::string &message);

private:
  SendText send_;
  int64_t nextId_ = 1;
  std::map<int64_t, Answer> answers_; ///< by the id of the request
  std::set<std::string> shown_;
};

} // namespace lsp
