// mca-worker: the part of mca-lsp that needs LLVM, in a process of its own, because LLVM ends its process on some
// input.
//
//   mca-worker --fd N [--memory-limit-mb M] [--compile-timeout-ms T] [--compiler-memory-limit-mb C] [--confined 0|1]
//
// N is an open stream socket to the server, which starts this program. Users never do. import_command.h,
// profile_command.h and doctor_command.h have other uses.
#include "analysis/process/exit_status.h"
#include "analysis/worker/doctor_command.h"
#include "analysis/worker/import_command.h"
#include "analysis/worker/limits.h"
#include "analysis/worker/profile_command.h"
#include "analysis/worker/worker.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <unistd.h>

namespace {

struct Options {
  int socket = -1;
  uint64_t memoryLimitMb = 0; ///< 0: none
  int64_t compileTimeMs = analysis::wire::kCompileTime.count();
  uint64_t compileMemoryMb = analysis::wire::kCompileMemory >> 20;
  unsigned confined = 1;

  analysis::wire::CompileLimits compileLimits() const {
    return {std::chrono::milliseconds(compileTimeMs), compileMemoryMb << 20, confined != 0};
  }
};

std::optional<Options> parseOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const llvm::StringRef name = argv[i], value = argv[i + 1];
    const bool understood =
        (name == "--fd" && llvm::to_integer(value, options.socket, 10)) ||
        (name == "--memory-limit-mb" && llvm::to_integer(value, options.memoryLimitMb, 10)) ||
        (name == analysis::wire::kCompileTimeOption && llvm::to_integer(value, options.compileTimeMs, 10)) ||
        (name == analysis::wire::kCompileMemoryOption && llvm::to_integer(value, options.compileMemoryMb, 10)) ||
        (name == "--confined" && llvm::to_integer(value, options.confined, 10));
    if (!understood)
      return std::nullopt;
  }
  // If the compiler inherited the socket, the server would not see this process end.
  if (argc % 2 == 0 || fcntl(options.socket, F_SETFD, FD_CLOEXEC) != 0)
    return std::nullopt;
  return options;
}

} // namespace

int main(int argc, char **argv) {
  if (analysis::isImportCommand(argc, argv)) {
    analysis::exitOnFatalErrors();
    return analysis::runImportCommand(argc, argv);
  }
  if (analysis::isProfileCommand(argc, argv)) {
    analysis::exitOnFatalErrors();
    return analysis::runProfileCommand(argc, argv);
  }
  if (analysis::isDoctorCommand(argc, argv)) {
    analysis::exitOnFatalErrors();
    return analysis::runDoctorCommand(argc, argv);
  }
  const std::optional<Options> options = parseOptions(argc, argv);
  if (!options) {
    std::fputs("usage: mca-worker --fd N [--memory-limit-mb M] [--compile-timeout-ms T]\n"
               "                  [--compiler-memory-limit-mb C] [--confined 0|1]\n"
               "  N is an open socket; mca-lsp starts this program.\n",
               stderr);
    return analysis::kExitUsage;
  }
  analysis::ignoreBrokenPipes();
  analysis::exitOnFatalErrors();
#ifndef MCA_SANITIZED
  // A sanitizer reports on standard error, and its shadow memory is beyond any sensible limit.
  analysis::divertStandardError();
  if (options->memoryLimitMb)
    analysis::limitMemory(options->memoryLimitMb << 20);
#endif
  analysis::serve(options->socket, options->compileLimits());
}
