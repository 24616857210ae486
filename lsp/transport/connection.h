// The stream to and from the client, on the event loop: whole messages for bytes, and bytes for messages.
//
// Nothing is read while a message's handler runs. Writing never blocks the handlers: what cannot be sent at once waits
// in a queue. A client that does not read must not fill the memory with its answers: while the queue is long nothing
// more is read from it, and if the queue grows all the same, the connection is closed. An exception of a handler costs
// its own message: it passes through to the loop's caller, and the next message is handled all the same.
#pragma once

#include "lsp/transport/endpoints.h"
#include "lsp/transport/message_splitter.h"

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

namespace lsp::transport {

/// In bytes, of messages that wait to be sent: with more, no request is read until half of them have left.
inline constexpr size_t kLongQueue = size_t{32} << 20;
/// With more, the connection is closed. A single message may be long.
inline constexpr size_t kMaxQueue = size_t{256} << 20;

class Connection {
public:
  struct Handlers {
    std::function<void(std::string_view content)> message; ///< a whole message
    std::function<void(const std::string &what)> badFrame; ///< bytes that were skipped
    std::function<void(const std::string &why)> closed;    ///< no more messages will come; called once
  };

  Connection(boost::asio::io_context &io, const Endpoint &endpoint);

  /// Begins to read.
  void start(Handlers handlers);

  /// Sends one message.
  void send(std::string_view content);

  /// Stops reading, and calls `done` as soon as each message has left, or the client reads no more.
  void finish(std::function<void()> done);

private:
  void read();
  void handleMessages();
  void write();
  void close(const std::string &why);
  void finishIfFlushed();
  void written(bool failed);

  boost::asio::posix::stream_descriptor input_;
  boost::asio::posix::stream_descriptor output_;
  Handlers handlers_;
  MessageSplitter splitter_;
  std::array<char, 65536> chunk_{};
  std::deque<std::string> outgoing_; ///< the first one is being written; a deque, because asio refers to it meanwhile
  size_t queued_ = 0;                ///< bytes of outgoing_
  std::function<void()> finished_;
  bool reading_ = false;
  bool paused_ = false; ///< no message is handled until the queue is shorter
  bool broken_ = false; ///< the client reads no more
};

} // namespace lsp::transport
