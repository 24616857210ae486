// clang's own driver, as a library, turns a command's flags into the target: its rules for -march=native, for levels
// such as x86-64-v3 and for the defaults of each triple are too many to repeat.
#include "analysis/compile/compile.h"
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/flags.h"
#include "analysis/compile/invocation.h"
#include "analysis/compile/paths.h"

#include "clang/Basic/TargetOptions.h"
#include "clang/Options/Options.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>

namespace analysis {
namespace {

using llvm::StringRef;

/// /usr/bin/gcc is a link to x86_64-linux-gnu-gcc-12 on Debian: only the link's end names the target.
std::string targetFlagOf(const std::string &program) {
  const std::string flag = parseDriverName(program).targetFlag;
  return flag.empty() ? parseDriverName(resolveLinks(program)).targetFlag : flag;
}

/// The arguments as clang's driver accepts them. gcc's target is in its program's name; flags that only gcc has say
/// nothing about the target.
std::vector<std::string> clangArguments(const CompileCommand &command) {
  if (command.kind == CompilerKind::Clang)
    return command.arguments;
  const SafeFlags flags =
      selectSafeFlags({command.arguments.begin() + 1, command.arguments.end() - 1}, CompilerKind::Clang);
  std::vector<std::string> arguments = {"clang"};
  if (const std::string target = targetFlagOf(command.arguments.front()); !target.empty())
    arguments.push_back(target);
  llvm::append_range(arguments, flags.flags);
  llvm::append_values(arguments, "-x", flags.language == wire::Language::C ? "c" : "c++", "--",
                      command.arguments.back());
  return arguments;
}

/// Whether a machine has this name: LLVM's lists of CPUs also hold architecture levels and placeholders, for which no
/// scheduling model is right.
bool isRealCpu(StringRef cpu, const llvm::Triple &triple) {
  for (StringRef level : {"generic", "x86-64", "i386", "i486", "i586", "i686", "ppc", "powerpc", "future", "mips"})
    if (cpu.starts_with(level))
      return false;
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return false;
  // Made for the list of CPUs; a name that is not on it would print a warning here.
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple, "", ""));
  return subtarget && subtarget->isCPUStringValid(cpu);
}

/// Finds the flag that names a CPU. -mtune comes first: a scheduling model belongs to the CPU that the code is tuned
/// for, while -mcpu and -march may only say which instructions are allowed. clang's TuneCPU has a default, "generic",
/// also without -mtune.
void findNamingFlag(const std::vector<std::string> &command, CompiledTarget &target) {
  using namespace clang::options;
  const llvm::opt::InputArgList parsed = parseFlags(std::span(command).subspan(1));
  if (!parsed.hasArg(OPT_mtune_EQ))
    target.tuneCpu.clear();
  for (const ID id : {OPT_mtune_EQ, OPT_mcpu_EQ, OPT_march_EQ}) {
    const llvm::opt::Arg *flag = parsed.getLastArg(id);
    if (!flag)
      continue;
    const StringRef written = StringRef(flag->getValue()).split('+').first;
    const StringRef resolved = id == OPT_mtune_EQ ? target.tuneCpu : target.cpu;
    if (isRealCpu(written == "native" ? resolved : written, llvm::Triple(target.triple))) {
      target.cpuNamed = true;
      target.namedBy = flag->getAsString(parsed);
      return;
    }
  }
}

} // namespace

CompiledTarget targetOf(const CompileCommand &command) {
  // isRealCpu() looks targets up and reads their lists of CPUs.
  [[maybe_unused]] static const bool initialized =
      (llvm::InitializeAllTargetInfos(), llvm::InitializeAllTargetMCs(), true);
  CompiledTarget target;
  const std::vector<std::string> arguments = clangArguments(command);
  if (const Invocation invocation = invocationOf(command.directory, arguments); invocation.compiler) {
    const clang::TargetOptions &options = invocation.compiler->getTargetOpts();
    target = {options.Triple, options.CPU, options.TuneCPU, options.FeaturesAsWritten, false, ""};
    target.optimizes = invocation.compiler->getCodeGenOpts().OptimizationLevel > 0;
  } else {
    target.triple = llvm::sys::getDefaultTargetTriple();
  }
  findNamingFlag(arguments, target);
  return target;
}

} // namespace analysis
