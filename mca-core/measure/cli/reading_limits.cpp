#include "mca-core/measure/cli/reading_limits.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <csignal>
#include <string_view>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

namespace mca::measure {
namespace {

constexpr rlim_t kMostBytes = rlim_t{2} << 30;
constexpr time_t kMostSeconds = 5;

/// In a signal handler, or without memory: nothing else may be called.
[[noreturn]] void end() {
  constexpr std::string_view kMessage = "error: reading the text takes more than 5 s or 2 GiB of memory\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(1);
}

void onTime(int) {
  end();
}

void onBadAllocation(void *, const char *, bool) {
  end();
}

void setTimer(time_t seconds) {
  const itimerval timer{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

void limitMemory(rlim_t bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0)
    return;
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  setrlimit(RLIMIT_AS, &limit);
}

} // namespace

ReadingLimits::ReadingLimits() {
  llvm::install_bad_alloc_error_handler(onBadAllocation);
  llvm::install_out_of_memory_new_handler();
  limitMemory(kMostBytes);
  std::signal(SIGPROF, onTime);
  setTimer(kMostSeconds);
}

ReadingLimits::~ReadingLimits() {
  setTimer(0);
  std::signal(SIGPROF, SIG_DFL);
  limitMemory(RLIM_INFINITY);
  llvm::remove_bad_alloc_error_handler();
}

} // namespace mca::measure
