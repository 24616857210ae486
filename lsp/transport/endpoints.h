// Where a client can be: at our standard streams, behind a Unix socket, or behind a TCP port of this machine. In the
// latter two the client listens and the server connects, as Microsoft's client library expects.
#pragma once

#include <optional>
#include <string>

namespace lsp::transport {

/// Two open descriptors; they may be the same. The holder closes them.
struct Endpoint {
  int readFd = -1;
  int writeFd = -1;
};

/// Takes over standard input and output. What the rest of the program prints goes to standard error from then on, so
/// that it cannot break a frame.
Endpoint openStdio();

/// Connects to the Unix socket at `path`. No value, and the reason in `error`, when nobody listens there.
std::optional<Endpoint> connectPipe(const std::string &path, std::string &error);

/// Connects to 127.0.0.1:`port`. No value, and the reason in `error`, when nobody listens there.
std::optional<Endpoint> connectTcp(unsigned short port, std::string &error);

} // namespace lsp::transport
