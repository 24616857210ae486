// mca-worker: does the work of mca-lsp that needs LLVM, in a process that may die.
//
//   mca-worker --fd N [--memory-limit-mb M] [--compile-timeout-ms T]
//
// N is an open stream socket, whose other end is the server. The server starts this program; no person does.
#include "analysis/common/exit_status.h"
#include "analysis/worker/limits.h"
#include "analysis/worker/worker.h"

#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace {

struct Options {
  int socket = -1;
  uint64_t memoryLimitMb = 0; ///< 0: none
  int64_t compileTimeMs = analysis::wire::kCompileTime.count();
};

template <typename Number>
bool parseNumber(std::string_view text, Number &number) {
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && stopped == text.data() + text.size();
}

std::optional<Options> parseOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i], value = argv[i + 1];
    const bool understood = (name == "--fd" && parseNumber(value, options.socket)) ||
                            (name == "--memory-limit-mb" && parseNumber(value, options.memoryLimitMb)) ||
                            (name == analysis::wire::kCompileTimeOption && parseNumber(value, options.compileTimeMs));
    if (!understood)
      return std::nullopt;
  }
  // The compiler must not inherit the socket, or the server would not see this process end.
  if (argc % 2 == 0 || fcntl(options.socket, F_SETFD, FD_CLOEXEC) != 0)
    return std::nullopt;
  return options;
}

} // namespace

int main(int argc, char **argv) {
  const std::optional<Options> options = parseOptions(argc, argv);
  if (!options) {
    std::fputs("usage: mca-worker --fd N [--memory-limit-mb M] [--compile-timeout-ms T]\n"
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
  analysis::serve(options->socket, std::chrono::milliseconds(options->compileTimeMs));
}
