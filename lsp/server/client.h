// The editor, as the server speaks to it: notifications, requests with their answers, and messages to the user.
#pragma once

#include "lsp/protocol/types.h"
#include "lsp/server/reply.h"

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
  /// What the client answered; no value when it answered with an error.
  using Answer = std::function<void(std::optional<protocol::Json> result)>;

  explicit Client(SendText send) : send_(std::move(send)) {}

  /// Set by the initialize request.
  protocol::ClientCapabilities capabilities;

  const SendText &sender() const { return send_; }
  void notify(std::string_view method, protocol::Json params) const;
  void publish(const protocol::PublishDiagnosticsParams &diagnostics) const;
  void request(std::string_view method, protocol::Json params, Answer answer);
  /// Hands an answer of the client to the one who asked.
  void handle(protocol::Response response);

  void showMessage(protocol::MessageType type, const std::string &message) const;
  /// Tells the user something, unless it was told before in this session.
  void showMessageOnce(protocol::MessageType type, const std::string &message);

private:
  SendText send_;
  int64_t nextId_ = 1;
  std::map<int64_t, Answer> answers_;
  std::set<std::string> shown_;
};

} // namespace lsp
