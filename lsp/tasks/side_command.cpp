#include "lsp/tasks/side_command.h"

#include "analysis/process/file_descriptor.h"
#include "analysis/process/process.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <utility>

namespace lsp {
namespace {

constexpr size_t kMaxOutput = 1 << 20;
constexpr analysis::ProcessLimits kLimits{.memoryBytes = uint64_t{4} << 30, .fileBytes = uint64_t{1} << 30};

/// Passes the whole lines of `text` on, and leaves the rest. A longer line than fits comes in parts.
void passLines(const SideCommand::OnLine &pass, std::string &text) {
  size_t begin = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    pass(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
  text.erase(0, begin);
  if (text.size() == kMaxOutput)
    pass(std::exchange(text, ""));
}

/// Waits for a child that has ended, or is about to. Returns its exit status, or -1.
int reap(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

struct SideCommand::Running {
  struct Stream {
    boost::asio::posix::stream_descriptor descriptor;
    std::string text;
    std::array<char, 4096> buffer{};
  };

  Running(boost::asio::io_context &io, Done whenDone, OnLine onLine)
      : streams{Stream{.descriptor{io}}, Stream{.descriptor{io}}}, done(std::move(whenDone)),
        passLine(std::move(onLine)) {}

  std::array<Stream, 2> streams; ///< its standard output and standard error
  size_t open = 2;               ///< of them
  pid_t pid = -1;
  Done done;
  OnLine passLine; ///< may be empty
};

std::string lastMessageOf(const CommandEnd &end, std::initializer_list<std::string_view> prefixes) {
  std::string_view text = end.errors;
  while (text.ends_with('\n'))
    text.remove_suffix(1);
  std::string_view last = text.substr(text.rfind('\n') + 1);
  for (const std::string_view prefix : prefixes)
    if (last.starts_with(prefix))
      last.remove_prefix(prefix.size());
  return std::string(last);
}

void SideCommand::start(std::vector<std::string> arguments, std::string_view input, Done done, OnLine onLine) {
  assert(!running_ && "one at a time");
  running_ = std::make_shared<Running>(io_, std::move(done), std::move(onLine));
  const analysis::FileDescriptor file = analysis::inputFile(input);
  auto output = analysis::makePipe(), errors = analysis::makePipe();
  analysis::StartedProcess process{.error = errno};
  if (file.open() && output && errors) {
    const analysis::ProcessStart start{.arguments = std::move(arguments),
                                       .input = file.get(),
                                       .output = output->write.get(),
                                       .errors = errors->write.get(),
                                       .limits = kLimits};
    process = analysis::startProcess(start);
  }
  if (process.pid < 0) {
    boost::asio::post(io_, [weak = std::weak_ptr(running_), this, error = process.error] {
      if (weak.expired())
        return;
      const Done whenDone = std::exchange(running_, nullptr)->done;
      whenDone({.errors = std::strerror(error)});
    });
    return;
  }
  running_->pid = process.pid;
  running_->streams[0].descriptor.assign(output->read.release());
  running_->streams[1].descriptor.assign(errors->read.release());
  for (size_t stream = 0; stream < running_->streams.size(); ++stream)
    read(running_, stream);
}

void SideCommand::read(const std::shared_ptr<Running> &running, size_t stream) {
  Running::Stream &from = running->streams[stream];
  // The handler keeps the buffer alive. It comes once more after cancel(), when this object may be gone.
  from.descriptor.async_read_some(boost::asio::buffer(from.buffer), [this, running, stream](auto error, size_t size) {
    if (running->pid < 0)
      return;
    Running::Stream &from = running->streams[stream];
    from.text.append(from.buffer.data(), std::min(size, kMaxOutput - from.text.size()));
    if (running->passLine && stream == 1)
      passLines(running->passLine, from.text);
    if (!error)
      read(running, stream);
    else if (--running->open == 0)
      finish();
  });
}

void SideCommand::finish() {
  const std::shared_ptr<Running> ended = std::exchange(running_, nullptr);
  const int status = reap(std::exchange(ended->pid, -1));
  std::string &errors = ended->streams[1].text;
  if (ended->passLine && !errors.empty())
    ended->passLine(std::exchange(errors, ""));
  ended->done({status, std::move(ended->streams[0].text), std::move(ended->streams[1].text)});
}

void SideCommand::interrupt() {
  if (running_ && running_->pid >= 0)
    kill(running_->pid, SIGINT);
}

void SideCommand::cancel() {
  const std::shared_ptr<Running> ended = std::exchange(running_, nullptr);
  if (!ended || ended->pid < 0)
    return;
  for (Running::Stream &stream : ended->streams)
    stream.descriptor.close();
  analysis::killGroup(ended->pid);
  reap(std::exchange(ended->pid, -1));
}

} // namespace lsp
