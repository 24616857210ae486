// The memory limit is RLIMIT_DATA, which Linux (since 4.7, see getrlimit(2)) applies to private writable memory from
// brk and mmap. RLIMIT_AS would also count mapped libraries (libLLVM and libclang-cpp: 250 MB) and address space that
// malloc reserves without using it.
#include "analysis/worker/limits.h"

#include "analysis/process/exit_status.h"

#include "llvm/Support/ErrorHandling.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace analysis {
namespace {

constexpr size_t kStackBytes = 64u << 20; // threads have 8 MB by default

int ownErrors = STDERR_FILENO;
int diverted = -1; // a file in memory (memfd), so that nothing is left on disk if the process dies

/// Prints the end of the redirected text: it has the reason, such as the text of a failed assertion. Uses only
/// functions that are async-signal-safe (signal-safety(7)).
void onAbort(int signal) {
  char text[4096];
  const off_t end = lseek(diverted, 0, SEEK_END);
  const ssize_t count = pread(diverted, text, sizeof text, end > off_t{sizeof text} ? end - off_t{sizeof text} : 0);
  if (count > 0) [[maybe_unused]]
    const ssize_t written = write(ownErrors, text, static_cast<size_t>(count));
  std::signal(signal, SIG_DFL);
  raise(signal);
}

/// Neither allocates, as there may be no memory, nor runs destructors.
[[noreturn]] void die(const char *what, const char *reason, WorkerExit status) {
  for (const char *part : {"mca-worker: ", what, reason, "\n"}) [[maybe_unused]]
    const ssize_t written = write(ownErrors, part, strlen(part));
  _exit(status);
}

[[noreturn]] void onOutOfMemory() {
  die("out of memory", "", kExitOutOfMemory);
}

} // namespace

void limitMemory(uint64_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  // The hard limit stays: the compiler inherits it, and could not raise its own limit beyond it.
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_DATA, &limit);
}

void exitOnFatalErrors() {
  std::set_new_handler(onOutOfMemory);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { onOutOfMemory(); });
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) { die("LLVM: ", reason, kExitFatalError); });
}

void divertStandardError() {
  const int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  diverted = memfd_create("stderr", MFD_CLOEXEC);
  if (kept < 0 || diverted < 0 || dup2(diverted, STDERR_FILENO) < 0)
    return;
  ownErrors = kept;
  std::signal(SIGABRT, onAbort);
}

void dropDiverted() {
  if (diverted >= 0 && lseek(diverted, 0, SEEK_CUR) > 0 && ftruncate(diverted, 0) == 0)
    lseek(diverted, 0, SEEK_SET);
}

void say(const char *text) {
  dprintf(ownErrors, "mca-worker: %s\n", text);
}

void ignoreBrokenPipes() {
  std::signal(SIGPIPE, SIG_IGN);
}

/// With pthreads, because std::thread cannot choose its stack's size.
bool startWithLargeStack(std::function<void()> work) {
  auto owned = std::make_unique<std::function<void()>>(std::move(work));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const auto run = [](void *given) -> void * {
    (*std::unique_ptr<std::function<void()>>(static_cast<std::function<void()> *>(given)))();
    return nullptr;
  };
  const bool started = pthread_create(&thread, &attributes, run, owned.get()) == 0;
  pthread_attr_destroy(&attributes);
  if (started) [[maybe_unused]]
    const auto *const nowTheThreads = owned.release();
  return started;
}

} // namespace analysis
