// A wrapper may have options and assignments of its own, and each has its own syntax: `ccache compiler_check=content
// gcc …`, `cmake -E env A=b --unset=C clang++ …`. So the compiler is the first argument with a compiler's name.
#include "analysis/compile/wrappers.h"
#include "analysis/compile/compiler_choice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace analysis {
namespace {

using llvm::StringRef;

constexpr StringRef kWrappers[] = {"ccache",    "distcc", "icecc", "sccache", "gomacc", "buildcache",
                                   "rewrapper", "env",    "nice",  "time",    "cmake"};
constexpr StringRef kLaunchers[] = {"ccache", "sccache", "icecc"};
/// The limit of a wrapper's own arguments. A program with more before the compiler is no wrapper.
constexpr size_t kMaxWrapperArguments = 16;

bool isWrapper(StringRef program) {
  return llvm::is_contained(kWrappers, llvm::sys::path::stem(program));
}

/// The index of the program that the wrapper at the front runs; 0 if none can be recognized.
size_t findWrapped(const std::vector<std::string> &arguments) {
  const size_t end = std::min(arguments.size(), kMaxWrapperArguments + 2);
  for (size_t at = 1; at < end; ++at)
    if (isCompilerName(arguments[at]) || isWrapper(arguments[at]))
      return at;
  // A compiler with a name of its own (`ccache mycc -c a.c`).
  const StringRef next = arguments.size() > 1 ? StringRef(arguments[1]) : StringRef();
  return next.empty() || next.starts_with("-") || next.contains('=') ? 0 : 1;
}

} // namespace

TakenCompiler takeCompiler(std::vector<std::string> &arguments) {
  TakenCompiler taken;
  while (isWrapper(arguments.front())) {
    const size_t wrapped = findWrapped(arguments);
    if (wrapped == 0)
      break;
    const auto end = arguments.begin() + static_cast<ptrdiff_t>(wrapped);
    if (llvm::is_contained(kLaunchers, llvm::sys::path::stem(arguments.front())))
      taken.launcher.insert(taken.launcher.end(), arguments.begin(), end);
    arguments.erase(arguments.begin(), end);
  }
  taken.name = std::move(arguments.front());
  arguments.erase(arguments.begin());
  return taken;
}

} // namespace analysis
