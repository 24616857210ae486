#include "analysis/compile/git_head.h"

#include "analysis/common/child_process.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

namespace analysis {
namespace {

constexpr uint64_t kMaxBytes = 1u << 20;

/// Empty when there is none. A relative folder of PATH would let the place we run in choose the program.
std::string findGit() {
  const char *searchPath = std::getenv("PATH");
  llvm::SmallVector<llvm::StringRef> folders;
  llvm::StringRef(searchPath ? searchPath : "").split(folders, ':', -1, /*KeepEmpty=*/false);
  llvm::erase_if(folders, [](llvm::StringRef folder) { return !llvm::sys::path::is_absolute(folder); });
  if (folders.empty())
    return {};
  const llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("git", folders);
  return found ? *found : std::string();
}

/// HOME, because the user's own configuration says which folders of others are safe. No PATH: there is nothing to run.
std::vector<std::string> environment() {
  std::vector<std::string> variables = {"LC_ALL=C",
                                        "GIT_ALLOW_PROTOCOL=",
                                        "GIT_CONFIG_NOSYSTEM=1",
                                        "GIT_NO_LAZY_FETCH=1",
                                        "GIT_NO_REPLACE_OBJECTS=1",
                                        "GIT_OPTIONAL_LOCKS=0",
                                        "GIT_PAGER=",
                                        "GIT_TERMINAL_PROMPT=0"};
  if (const char *home = std::getenv("HOME"))
    variables.push_back(std::string("HOME=") + home);
  return variables;
}

} // namespace

std::optional<std::string> readGitHead(const std::string &path, const std::stop_token &stop) {
  const std::string git = findGit();
  if (git.empty() || !llvm::sys::path::is_absolute(path))
    return std::nullopt;
  const ChildCommand command{.directory = llvm::sys::path::parent_path(path).str(),
                             .arguments = {git, "--no-pager", "-c", "core.fsmonitor=false", "-c",
                                           "core.hooksPath=/dev/null", "-c", "core.sshCommand=false", "-c",
                                           "protocol.allow=never", "cat-file", "blob",
                                           "HEAD:./" + llvm::sys::path::filename(path).str()},
                             .environment = environment()};
  const ChildLimits limits{
      .time = std::chrono::seconds(10), .outputBytes = kMaxBytes, .errorBytes = 4096, .memoryBytes = uint64_t{1} << 30};
  ChildResult child = runChild(command, limits, stop);
  if (child.end != ChildResult::End::Exited || child.status != 0)
    return std::nullopt;
  return std::move(child.output);
}

} // namespace analysis
