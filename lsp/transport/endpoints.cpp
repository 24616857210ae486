// All descriptors are duplicates with the close-on-exec flag: a worker must not keep the client's stream open.
#include "lsp/transport/endpoints.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <fcntl.h>
#include <unistd.h>

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

} // namespace lsp::transport
