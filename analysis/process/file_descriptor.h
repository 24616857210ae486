// Owners of file descriptors. All are made with close-on-exec: another thread may fork at any time, and a program that
// inherits the writing end of a pipe would keep its reader waiting.
#pragma once

#include <fcntl.h>
#include <optional>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace analysis {

class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor &&other) noexcept : fd_(other.release()) {}
  FileDescriptor &operator=(FileDescriptor &&other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0)
      ::close(release());
  }
  /// The descriptor, which the caller closes from now on; -1 if there is none.
  int release() { return std::exchange(fd_, -1); }

private:
  int fd_ = -1;
};

struct Pipe {
  FileDescriptor read, write;
};

/// A new pipe; none, and errno, if the process has no descriptors left.
inline std::optional<Pipe> makePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return std::nullopt;
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

struct SocketPair {
  FileDescriptor ours, theirs;
};

/// Two connected stream sockets; none, and errno, on failure.
inline std::optional<SocketPair> makeSocketPair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return std::nullopt;
  return SocketPair{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

} // namespace analysis
