// Variables that make a compiler take other arguments, load code or write files (CCC_OVERRIDE_OPTIONS,
// CC_LOG_DIAGNOSTICS_FILE, COMPILER_PATH, GCC_EXEC_PREFIX, DEPENDENCIES_OUTPUT and their like) are not passed on.
#include "analysis/compile/compiler_environment.h"

#include <array>
#include <cstdlib>

namespace analysis {
namespace {

constexpr std::array kKeptVariables = {
    "PATH",    "HOME",    "TMPDIR",           "LD_LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
    "SDKROOT", "INCLUDE", "SOURCE_DATE_EPOCH"};

} // namespace

std::vector<std::string> compilerEnvironment() {
  // A crash must not start a symbolizer from PATH; a compiler may be a link to ccache, which writes.
  std::vector<std::string> environment = {"LC_ALL=C", "LLVM_DISABLE_SYMBOLIZATION=1", "CCACHE_DISABLE=1"};
  for (const char *name : kKeptVariables)
    if (const char *value = std::getenv(name))
      environment.push_back(std::string(name) + "=" + value);
  return environment;
}

} // namespace analysis
