#include "lsp/worker_command.h"

#include "analysis/process/process.h"
#include "lsp/check/check.h"
#include "lsp/system/log.h"

#include <cerrno>
#include <cstring>
#include <sys/wait.h>

int runWorkerCommand(std::vector<std::string> arguments) {
  const std::string worker = arguments.front();
  analysis::ProcessStart start;
  start.arguments = std::move(arguments);
  const analysis::StartedProcess started = analysis::startProcess(start);
  if (started.pid < 0) {
    lsp::logError("cannot start " + worker + ": " + std::strerror(started.error));
    return lsp::kCheckUnusable;
  }
  int status = 0;
  while (waitpid(started.pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  lsp::logError("the worker was ended by signal " + std::to_string(WTERMSIG(status)));
  return lsp::kCheckUnusable;
}
