// Asynchronous reading and writing: one read and one write are under way at most. The descriptors of endpoints are
// duplicates with the close-on-exec flag: a worker must not keep the client's stream open.
#include "lsp/transport/connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace lsp::transport {
namespace {

/// Blocks until the client accepts: there is nothing to do without one. The descriptor is duplicated, because the
/// socket closes its own.
template <class Protocol>
std::optional<Endpoint> connect(const typename Protocol::endpoint &where, std::string &error) {
  boost::asio::io_context io;
  typename Protocol::socket socket(io);
  boost::system::error_code failure;
  socket.connect(where, failure);
  if (failure) {
    error = failure.message();
    return std::nullopt;
  }
  const int fd = fcntl(socket.native_handle(), F_DUPFD_CLOEXEC, 0);
  return Endpoint{fd, fd};
}

/// `access`: O_RDONLY or O_WRONLY.
bool isOpenFor(int access, int fd) {
  const int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && ((flags & O_ACCMODE) == access || (flags & O_ACCMODE) == O_RDWR);
}

} // namespace

std::optional<Endpoint> openStdio(std::string &error) {
  if (!isOpenFor(O_RDONLY, STDIN_FILENO) || !isOpenFor(O_WRONLY, STDOUT_FILENO)) {
    error = std::string("standard ") + (isOpenFor(O_RDONLY, STDIN_FILENO) ? "output" : "input") + " is closed";
    return std::nullopt;
  }
  Endpoint endpoint{fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)};
  dup2(STDERR_FILENO, STDOUT_FILENO); // the duplicates above are 3 or more, so this does not close one of them
  return endpoint;
}

std::optional<Endpoint> connectPipe(const std::string &path, std::string &error) {
  using boost::asio::local::stream_protocol;
  // With the terminator the name has to fit into the address (unix(7)); asio throws if it does not.
  constexpr size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;
  if (path.size() > kLongestPath) {
    error = "the name is longer than " + std::to_string(kLongestPath) + " bytes";
    return std::nullopt;
  }
  return connect<stream_protocol>(stream_protocol::endpoint(path), error);
}

std::optional<Endpoint> connectTcp(unsigned short port, std::string &error) {
  using boost::asio::ip::tcp;
  return connect<tcp>(tcp::endpoint(boost::asio::ip::address_v4::loopback(), port), error);
}

// ---- the stream --------------------------------------------------------------------------------------------------

/// A socket is one descriptor for both directions. Each stream_descriptor closes its own, so the second is a duplicate.
Connection::Connection(boost::asio::io_context &io, const Endpoint &endpoint)
    : input_(io, endpoint.readFd),
      output_(io,
              endpoint.writeFd == endpoint.readFd ? fcntl(endpoint.writeFd, F_DUPFD_CLOEXEC, 0) : endpoint.writeFd) {}

void Connection::start(Handlers handlers) {
  handlers_ = std::move(handlers);
  reading_ = true;
  read();
}

void Connection::read() {
  input_.async_read_some(boost::asio::buffer(chunk_), [this](boost::system::error_code error, size_t count) {
    if (!reading_)
      return;
    if (error)
      return close(error.message());
    try {
      splitter_.feed({chunk_.data(), count});
    } catch (const std::exception &noMemory) {
      return close(noMemory.what()); // the bounds of the messages that follow are lost
    }
    handleMessages();
  });
}

/// Handles the messages that have arrived, then reads on, unless too many answers wait: written() goes on then. After
/// an exception the rest is handled by the loop's next round.
void Connection::handleMessages() {
  try {
    while (reading_) {
      paused_ = queued_ > kLongQueue;
      if (paused_)
        return;
      const auto next = splitter_.next();
      if (const auto *message = std::get_if<Message>(&next))
        handlers_.message(message->content);
      else if (const auto *error = std::get_if<FrameError>(&next))
        handlers_.badFrame(error->what);
      else
        return read();
    }
  } catch (...) {
    boost::asio::post(input_.get_executor(), [this] { handleMessages(); });
    throw;
  }
}

void Connection::close(const std::string &why) {
  reading_ = false;
  handlers_.closed(why);
}

void Connection::send(std::string_view content) {
  if (broken_)
    return;
  queued_ += outgoing_.emplace_back(frame(content)).size();
  if (outgoing_.size() == 1)
    return write();
  if (queued_ <= kMaxQueue)
    return;
  // The first one is being written.
  outgoing_.erase(outgoing_.begin() + 1, outgoing_.end());
  queued_ = outgoing_.front().size();
  broken_ = true;
  if (reading_)
    boost::asio::post(input_.get_executor(), [this] {
      if (reading_)
        close("more than " + std::to_string(kMaxQueue >> 20) + " MiB of messages wait that the client does not read");
    });
}

void Connection::write() {
  boost::asio::async_write(output_, boost::asio::buffer(outgoing_.front()),
                           [this](boost::system::error_code error, size_t) { written(bool(error)); });
}

/// The first message has left, or none will any more.
void Connection::written(bool failed) {
  broken_ = broken_ || failed;
  if (broken_) {
    outgoing_.clear();
    queued_ = 0;
  } else {
    queued_ -= outgoing_.front().size();
    outgoing_.pop_front();
  }
  finishIfFlushed();
  if (!outgoing_.empty())
    write();
  if (paused_ && queued_ <= kLongQueue / 2)
    boost::asio::post(input_.get_executor(), [this] { handleMessages(); });
}

/// Cancels the read that is under way: its handler sees that reading_ is false.
void Connection::finish(std::function<void()> done) {
  reading_ = false;
  boost::system::error_code ignored;
  input_.cancel(ignored);
  finished_ = std::move(done);
  finishIfFlushed();
}

void Connection::finishIfFlushed() {
  if (finished_ && outgoing_.empty())
    std::exchange(finished_, nullptr)();
}

} // namespace lsp::transport
