// The filter of a compile command's flags: arguments of any bytes, one a line, after a byte that chooses the compiler.
//
// What it lets through is harmless (compiler_oracle.h), and it lets that through again. Flags that clang refuses are
// found without a program's start.
#include "analysis/compile/flags.h"
#include "analysis/compile/refused_flags.h"
#include "tests/fuzz/compiler_oracle.h"
#include "tests/fuzz/no_programs.h"
#include "tests/fuzz/property.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdint>

namespace {

using namespace analysis;
using fuzz::require;

/// Each trial reads the whole command.
constexpr size_t kMostTried = 12;

/// A value may then stand apart from its flag, and of clang's `-Xclang` only -include passes.
void checkAgain(std::vector<std::string> flags, CompilerKind compiler) {
  for (size_t i = 1; i < flags.size(); ++i)
    if (flags[i - 1] == "-Xclang" && (flags[i] == "-imacros" || flags[i] == "--imacros"))
      flags[i] = "-include";
  const SafeFlags again = selectSafeFlags(flags, compiler);
  require(llvm::join(again.flags, "") == llvm::join(flags, "") && again.notes.empty());
}

/// The command that clang would get, with what stands around the flags.
void checkClang(std::vector<std::string> flags) {
  const std::vector<std::string> before{"/usr/lib/llvm-22/bin/clang"};
  const std::vector<std::string> after{"-x", "c++", "-S", "-o", "-", "-fno-crash-diagnostics", "--", "/a.cpp"};
  if (flags.size() <= kMostTried) {
    const std::vector<std::string> all = flags;
    const std::vector<std::string> refused = takeRefusedFlags("/", before, flags, after);
    require(flags.size() <= all.size() && (refused.empty() == (flags.size() == all.size())));
  }
  std::vector<std::string> command = before;
  llvm::append_range(command, flags);
  llvm::append_range(command, after);
  fuzz::requireHarmlessClang("/", command);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  const CompilerKind compiler = data[0] % 2 ? CompilerKind::Gcc : CompilerKind::Clang;
  std::vector<std::string> arguments;
  for (std::string_view rest = fuzz::textOf(data + 1, size - 1); !rest.empty();)
    arguments.emplace_back(fuzz::takeUntil(rest, '\n'));

  const fuzz::NoPrograms nothingRuns;
  const SafeFlags safe = selectSafeFlags(arguments, compiler);
  checkAgain(safe.flags, compiler);
  if (compiler == CompilerKind::Gcc)
    fuzz::requireHarmlessGcc(safe.flags);
  else
    checkClang(safe.flags);
  return 0;
}
