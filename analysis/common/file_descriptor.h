// A file descriptor that is closed with its owner, and a pair of them: a pipe or two ends of a socket.
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

/// A pipe that no program inherits; none when the process has no descriptors left, and errno says so.
inline std::optional<Pipe> makePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return std::nullopt;
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

struct SocketPair {
  FileDescriptor ours, theirs;
};

/// Two connected stream sockets that no program inherits; none on failure, with errno.
inline std::optional<SocketPair> makeSocketPair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return std::nullopt;
  return SocketPair{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

} // namespace analysis
