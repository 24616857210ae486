// A worker as the server sees it: a process behind a socket.
#pragma once

#include "analysis/wire/codec.h"

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace analysis {

class WorkerProcess {
public:
  /// Starts `program --fd N` with more arguments after it. Its standard error is kept.
  explicit WorkerProcess(const std::string &program, const std::vector<std::string> &arguments = {});
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;
  ~WorkerProcess();

  pid_t pid() const { return pid_; }

  void send(const wire::ToWorker &message);
  void sendBytes(const std::string &bytes);
  /// What the worker reads next is the end.
  void hangUp();

  /// The next message; none at the end of the stream, when it is no message, or when none comes in ten seconds.
  std::optional<wire::FromWorker> receive();
  /// The next result, whatever progress comes before it.
  std::optional<wire::AnalysisResult> receiveResult();
  /// Reads until a progress message has arrived.
  bool waitForProgress();

  /// The status of waitpid() once it has ended; none when it still runs after `limit`.
  std::optional<int> waitForEnd(std::chrono::milliseconds limit = std::chrono::seconds(10));
  /// What it wrote to standard error. To be asked after its end.
  std::string errors();

private:
  pid_t pid_ = -1;
  int socket_ = -1;
  int errors_ = -1;
  std::optional<int> status_;
  wire::FrameSplitter splitter_;
};

} // namespace analysis
