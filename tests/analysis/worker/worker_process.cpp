// Plain fork and exec: the tests want to see the process itself.
#include "tests/analysis/worker/worker_process.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace analysis {

using namespace std::chrono_literals;

WorkerProcess::WorkerProcess(const std::string &program, const std::vector<std::string> &arguments) {
  int sockets[2], pipes[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || pipe(pipes) != 0)
    return;
  fcntl(sockets[0], F_SETFD, FD_CLOEXEC);
  fcntl(pipes[0], F_SETFD, FD_CLOEXEC);
  std::vector<std::string> argv = {program, "--fd", std::to_string(sockets[1])};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  std::vector<char *> pointers;
  for (std::string &argument : argv)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(pipes[1], STDERR_FILENO);
    close(pipes[1]);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  close(sockets[1]);
  close(pipes[1]);
  socket_ = sockets[0];
  errors_ = pipes[0];
}

WorkerProcess::~WorkerProcess() {
  hangUp();
  if (!status_) {
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
  std::string text;
  std::array<char, 4096> buffer;
  ssize_t count = 0;
  while ((count = read(errors_, buffer.data(), buffer.size())) > 0)
    text.append(buffer.data(), static_cast<size_t>(count));
  return text;
}

} // namespace analysis
