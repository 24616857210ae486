// The stream to and from the client, on the event loop: whole messages for bytes, and bytes for messages.
//
// Nothing is read while a message's handler runs. Writing never blocks the handlers: what cannot be sent at once waits
// in a queue. A client that does not read must not fill the memory with its answers: while the queue is long nothing
// more is read from it, and if the queue grows all the same, the connection is closed. An exception of a handler costs
// its own message: it passes through to the loop's caller, and the next message is handled all the same.
//
// The ways to a client are our standard streams, a Unix socket, and a TCP port of this machine. In the latter two the
// client listens and the server connects, as LSP 3.17 ("Implementation Considerations": --pipe, --socket) and
// Microsoft's client library expect.
#pragma once

#include "lsp/transport/message_splitter.h"

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lsp::transport {

/// Two open descriptors; they may be the same. The holder closes them.
struct Endpoint {
  int readFd = -1;
  int writeFd = -1;
};

/// Takes over standard input and output. Whatever the rest of the program prints goes to standard error from then on,
/// so that it cannot break a message. No value, and the reason in `error`, if one of them is closed.
std::optional<Endpoint> openStdio(std::string &error);

/// Connects to the Unix socket at `path`. No value, and the reason in `error`, if nothing listens there or the name is
/// too long for a socket address.
std::optional<Endpoint> connectPipe(const std::string &path, std::string &error);

/// Connects to 127.0.0.1:`port`. No value, and the reason in `error`, if nothing listens there.
std::optional<Endpoint> connectTcp(unsigned short port, std::string &error);

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
