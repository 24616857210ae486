// Each variable and each setting below closes one way in which git could run a program or change a file.
#include "analysis/compile/git_head.h"

#include "analysis/compile/compiler_confinement.h"
#include "analysis/compile/paths.h"
#include "analysis/process/child_process.h"

#include "llvm/Support/Path.h"

#include <cstdlib>

namespace analysis {
namespace {

constexpr uint64_t kMaxBytes = 1u << 20;

std::vector<std::string> environment() {
  std::vector<std::string> variables = {
      // No transport, also for objects that a partial clone lacks; no refresh of the index; no pager and no prompt.
      "GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=", "GIT_TERMINAL_PROMPT=0",
      // Neither the system's configuration nor replaced objects (git-replace(1)). No PATH: nothing is to run.
      "GIT_CONFIG_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C"};
  // The user's own configuration says which folders of other users are safe (safe.directory).
  if (const char *home = std::getenv("HOME"))
    variables.push_back(std::string("HOME=") + home);
  return variables;
}

} // namespace

std::optional<std::string> readGitHead(const std::string &path, const std::stop_token &stop, bool confined) {
  const std::string git = findInPath("git");
  if (!llvm::sys::path::is_absolute(git) || !llvm::sys::path::is_absolute(path))
    return std::nullopt;
  const ChildCommand command{.directory = llvm::sys::path::parent_path(path).str(),
                             .arguments = {git, "--no-pager", "-c", "core.fsmonitor=false", "-c",
                                           "core.hooksPath=/dev/null", "-c", "core.sshCommand=false", "-c",
                                           "protocol.allow=never", "cat-file", "blob",
                                           "HEAD:./" + llvm::sys::path::filename(path).str()},
                             .environment = environment(),
                             .confinement = confined ? std::optional(confinementOfReader(git)) : std::nullopt};
  const ChildLimits limits{
      .time = std::chrono::seconds(10), .outputBytes = kMaxBytes, .errorBytes = 4096, .memoryBytes = uint64_t{1} << 30};
  ChildResult child = runChild(command, limits, stop);
  if (child.end != ChildResult::End::Exited || child.status != 0)
    return std::nullopt;
  return std::move(child.output);
}

} // namespace analysis
