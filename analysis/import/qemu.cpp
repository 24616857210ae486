#include "analysis/import/qemu.h"

#include "analysis/process/process.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Triple.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>

namespace analysis {
namespace {

/// qemu's name of the machine, where it is not LLVM's.
std::string machineOf(const llvm::Triple &triple) {
  const llvm::StringRef name = llvm::Triple::getArchTypeName(triple.getArch());
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Case("thumb", "arm")
      .Case("thumbeb", "armeb")
      .Case("powerpc", "ppc")
      .Case("powerpc64", "ppc64")
      .Case("powerpc64le", "ppc64le")
      .Case("sparcv9", "sparc64")
      .Default(name)
      .str();
}

} // namespace

mca::Result<std::unique_ptr<Emulator>> Emulator::start(const std::string &triple,
                                                       const std::vector<std::string> &command, int output) {
  const std::string name = "qemu-" + machineOf(llvm::Triple(triple));
  auto found = llvm::sys::findProgramByName(name);
  if (!found)
    found = llvm::sys::findProgramByName(name + "-static");
  if (!found)
    return mca::Failure{name + " is not installed; it is in the package qemu-user of most distributions"};
  std::optional<Pipe> pipe = makePipe();
  const FileDescriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!pipe || !nothing.open())
    return mca::Failure{std::strerror(errno)};
  ProcessStart start;
  start.output = output;
  start.passed = pipe->write.get();
  start.arguments = {*found, "-d", "exec,nochain,page", "-D", "/proc/self/fd/" + std::to_string(start.passed)};
  start.arguments.insert(start.arguments.end(), command.begin(), command.end());
  if (isatty(STDIN_FILENO))
    start.input = nothing.get();
  const StartedProcess process = startProcess(start);
  if (process.pid < 0)
    return mca::Failure{*found + ": " + std::strerror(process.error)};
  std::unique_ptr<Emulator> emulator(new Emulator);
  emulator->log_ = std::move(pipe->read);
  emulator->pid_ = process.pid;
  return emulator;
}

Emulator::~Emulator() {
  if (pid_ < 0)
    return;
  killGroup(pid_);
  wait();
}

std::string Emulator::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFSIGNALED(status))
    return "was killed by signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) ? "ended with status " + std::to_string(WEXITSTATUS(status)) : std::string();
}

} // namespace analysis
