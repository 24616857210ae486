// Variables that make a compiler take other arguments, load code or write files (CCC_OVERRIDE_OPTIONS,
// CC_LOG_DIAGNOSTICS_FILE, COMPILER_PATH, GCC_EXEC_PREFIX, DEPENDENCIES_OUTPUT and their like) are not passed on.
#include "analysis/compile/compiler_environment.h"

#include <array>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace analysis {
namespace {

constexpr std::array kKeptVariables = {
    "PATH",    "HOME",    "TMPDIR",           "LD_LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
    "SDKROOT", "INCLUDE", "SOURCE_DATE_EPOCH"};

constexpr std::array<std::string_view, 5> kLauncherPrefixes = {"CCACHE_", "SCCACHE_", "ICECC_", "ICECREAM_", "XDG_"};

bool isLaunchers(std::string_view variable) {
  for (const std::string_view prefix : kLauncherPrefixes)
    if (variable.starts_with(prefix))
      return true;
  return false;
}

} // namespace

std::vector<std::string> compilerEnvironment(bool launcher) {
  // A crash must not start a symbolizer from PATH.
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
