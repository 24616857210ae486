// The ways to a client: our standard streams, a Unix socket, or a TCP port of this machine. In the latter two the
// client listens and the server connects, as LSP 3.17 ("Implementation Considerations": --pipe, --socket) and
// Microsoft's client library expect.
#pragma once

#include <optional>
#include <string>

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

} // namespace lsp::transport
