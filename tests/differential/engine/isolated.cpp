#include "tests/differential/engine/isolated.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace differential {
namespace {

/// A file without a name: a child can write any amount into it while nobody reads.
int unnamedFile() {
  const int descriptor = memfd_create("isolated", MFD_CLOEXEC);
  if (descriptor < 0)
    throw std::runtime_error("no memory for the output of a child process");
  return descriptor;
}

std::string contentOf(int descriptor) {
  std::string text;
  char buffer[65536];
  off_t at = 0;
  for (ssize_t count; (count = pread(descriptor, buffer, sizeof buffer, at)) > 0; at += count)
    text.append(buffer, static_cast<size_t>(count));
  return text;
}

void setLimit(__rlimit_resource resource, rlim_t value) {
  const rlimit limit{value, value};
  setrlimit(resource, &limit);
}

/// The first line that is no warning: what LLVM says when it gives up.
std::string complaintOf(const std::string &errors) {
  std::istringstream stream(errors);
  for (std::string line; std::getline(stream, line);)
    if (!line.starts_with("warning:") && !line.starts_with("note:"))
      return ": " + line;
  return {};
}

std::string explain(int status, const std::string &errors) {
  const std::string why = WIFSIGNALED(status)
                              ? "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")"
                              : "exit status " + std::to_string(WEXITSTATUS(status));
  return why + complaintOf(errors);
}

[[noreturn]] void runChild(const Isolated::Work &work, double seconds, int output, int errors) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setLimit(RLIMIT_CORE, 0);
#ifndef MCA_SANITIZED // a sanitizer reserves address space without end
  setLimit(RLIMIT_AS, rlim_t(6) << 30);
#endif
  dup2(errors, STDERR_FILENO);
  allowSeconds(seconds);
  try {
    Output out(output);
    work(out);
  } catch (const std::exception &e) {
    const std::string what = std::string(e.what()) + "\n";
    static_cast<void>(!::write(STDERR_FILENO, what.data(), what.size()));
    _exit(3);
  }
  _exit(0);
}

} // namespace

void *mapShared(size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::runtime_error("no shared memory");
  return memory;
}

void unmapShared(void *memory, size_t bytes) {
  munmap(memory, bytes);
}

void allowSeconds(double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  const itimerval timer{.it_interval = {},
                        .it_value = {whole, static_cast<suseconds_t>((seconds - double(whole)) * 1e6)}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

void Output::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count < 0 && errno != EINTR)
      throw std::runtime_error("the output cannot be written");
    text.remove_prefix(count > 0 ? static_cast<size_t>(count) : 0);
  }
}

Isolated::Isolated(double seconds, const Work &work) : output_(unnamedFile()), errors_(unnamedFile()) {
  child_ = fork();
  if (child_ < 0)
    throw std::runtime_error("no child process can be started");
  if (child_ == 0)
    runChild(work, seconds, output_, errors_);
}

Isolated::~Isolated() {
  close(output_);
  close(errors_);
}

Ending Isolated::wait() {
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  Ending ending{.output = contentOf(output_)};
  ending.finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  ending.tookTooLong = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
  if (!ending.finished)
    ending.why = ending.tookTooLong ? "it does not end" : explain(status, contentOf(errors_));
  return ending;
}

std::string runPieces(double seconds, size_t count,
                      const std::function<std::function<void(size_t, Output &)>()> &makeWork,
                      const std::function<void(size_t, const Ending &)> &died) {
  Shared<size_t> position;
  std::string output;
  for (*position = 0; *position < count; ++*position) {
    const Ending ending = runIsolated(seconds, [&](Output &out) {
      const auto work = makeWork();
      for (; *position < count; ++*position) {
        allowSeconds(seconds);
        work(*position, out);
      }
    });
    output += ending.output;
    if (!ending.finished)
      died(*position, ending);
  }
  return output;
}

} // namespace differential
