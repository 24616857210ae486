// While a command is read, nothing starts and nothing is written: these stand before the C library's functions, for
// LLVM's and clang's libraries, too.
#include "tests/fuzz/no_programs.h"

#include "tests/fuzz/property.h"

#include <atomic>
#include <cstdarg>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<int> readers = 0;

} // namespace

namespace fuzz {

NoPrograms::NoPrograms() {
  ++readers;
}
NoPrograms::~NoPrograms() {
  --readers;
}

} // namespace fuzz

extern "C" {

pid_t fork() {
  fuzz::require(readers == 0);
  return static_cast<pid_t>(syscall(SYS_fork));
}

int posix_spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],
                char *const[]) {
  fuzz::require(false); // no caller but LLVM's ExecuteAndWait()
  return -1;
}

int open(const char *path, int flags, ...) {
  fuzz::require(readers == 0 || (flags & O_ACCMODE) == O_RDONLY);
  va_list more;
  va_start(more, flags);
  const unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, unsigned) : 0;
  va_end(more);
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

} // extern "C"
