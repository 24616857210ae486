// A process alone, without the server's supervision: the tests want to see the process itself.
#include "tests/analysis/worker/worker_process.h"

#include "analysis/process/file_descriptor.h"
#include "analysis/process/process.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace analysis {

using namespace std::chrono_literals;

WorkerProcess::WorkerProcess(const std::string &program, const std::vector<std::string> &arguments) {
  std::optional<SocketPair> sockets = makeSocketPair();
  // A file rather than a pipe: a sanitizer's report is longer than a pipe is deep.
  errors_ = memfd_create("errors", MFD_CLOEXEC);
  if (!sockets)
    return;
  ProcessStart start{.arguments = {program, "--fd", std::to_string(sockets->theirs.get())},
                     .errors = errors_,
                     .passed = sockets->theirs.get()};
  start.arguments.insert(start.arguments.end(), arguments.begin(), arguments.end());
  pid_ = startProcess(start).pid;
  socket_ = sockets->ours.release();
}

WorkerProcess::~WorkerProcess() {
  hangUp();
  if (pid_ > 0 && !status_) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(errors_);
}

void WorkerProcess::send(const wire::ToWorker &message) {
  sendBytes(wire::encode(message));
}

void WorkerProcess::sendBytes(const std::string &bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t count = ::send(socket_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (count <= 0)
      return;
    at += static_cast<size_t>(count);
  }
}

void WorkerProcess::hangUp() {
  if (socket_ >= 0)
    close(socket_);
  socket_ = -1;
}

std::optional<wire::FromWorker> WorkerProcess::receive() {
  std::array<char, 1 << 16> buffer;
  while (true) {
    if (const auto payload = splitter_.next())
      return wire::decodeFromWorker(*payload);
    pollfd watched{socket_, POLLIN, 0};
    if (poll(&watched, 1, 10'000) <= 0)
      return std::nullopt;
    const ssize_t count = read(socket_, buffer.data(), buffer.size());
    if (count <= 0)
      return std::nullopt;
    splitter_.feed({buffer.data(), static_cast<size_t>(count)});
  }
}

std::optional<wire::AnalysisResult> WorkerProcess::receiveResult() {
  while (std::optional<wire::FromWorker> message = receive())
    if (auto *result = std::get_if<wire::AnalysisResult>(&*message))
      return std::move(*result);
  return std::nullopt;
}

bool WorkerProcess::waitForProgress() {
  const std::optional<wire::FromWorker> message = receive();
  return message && std::holds_alternative<wire::Progress>(*message);
}

std::optional<int> WorkerProcess::waitForEnd(std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!status_ && std::chrono::steady_clock::now() < deadline) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_)
      status_ = status;
    else
      std::this_thread::sleep_for(1ms);
  }
  return status_;
}

std::string WorkerProcess::errors() {
  std::string text(static_cast<size_t>(lseek(errors_, 0, SEEK_END)), '\0');
  text.resize(static_cast<size_t>(std::max<ssize_t>(pread(errors_, text.data(), text.size(), 0), 0)));
  return text;
}

} // namespace analysis
