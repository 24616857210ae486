// The stream to and from the client, on the event loop: whole messages for bytes, and bytes for messages.
//
// Nothing is read while a message's handler runs. Writing never blocks the handlers: what cannot be sent at once waits
// in a queue. An exception of a handler costs its own message: it passes through to the loop's caller, and the next
// message is handled all the same.
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

  boost::asio::posix::stream_descriptor input_;
  boost::asio::posix::stream_descriptor output_;
  Handlers handlers_;
  MessageSplitter splitter_;
  std::array<char, 65536> chunk_{};
  std::deque<std::string> outgoing_; ///< the first one is being written; a deque, because asio refers to it meanwhile
  std::function<void()> finished_;
  bool reading_ = false;
  bool broken_ = false; ///< the client reads no more
};

} // namespace lsp::transport
