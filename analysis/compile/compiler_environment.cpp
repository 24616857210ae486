// Only listed variables are passed on. Others make a compiler change its arguments, load code or write files:
// CCC_OVERRIDE_OPTIONS, CC_LOG_DIAGNOSTICS_FILE, COMPILER_PATH, GCC_EXEC_PREFIX, DEPENDENCIES_OUTPUT and the like.
#include "analysis/compile/compiler_environment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdlib>
#include <unistd.h>

namespace analysis {
namespace {

constexpr const char *kKeptVariables[] = {
    "PATH",    "HOME",    "TMPDIR",           "LD_LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
    "SDKROOT", "INCLUDE", "SOURCE_DATE_EPOCH"};

constexpr const char *kLauncherPrefixes[] = {"CCACHE_", "SCCACHE_", "ICECC_", "ICECREAM_", "XDG_"};

bool isLaunchers(llvm::StringRef variable) {
  return llvm::any_of(kLauncherPrefixes, [&](llvm::StringRef prefix) { return variable.starts_with(prefix); });
}

} // namespace

std::vector<std::string> compilerEnvironment(bool launcher) {
  // LC_ALL: messages are parsed. After a crash LLVM would start llvm-symbolizer from PATH.
  std::vector<std::string> environment = {"LC_ALL=C", "LLVM_DISABLE_SYMBOLIZATION=1"};
  for (const char *name : kKeptVariables)
    if (const char *value = std::getenv(name))
      environment.push_back(std::string(name) + "=" + value);
  if (!launcher)
    environment.emplace_back("CCACHE_DISABLE=1"); // a compiler may be a link to ccache, which writes
  for (char **variable = environ; launcher && *variable; ++variable)
    if (isLaunchers(*variable))
      environment.emplace_back(*variable);
  return environment;
}

} // namespace analysis
