// The driver's view of a command: clang's own library turns the flags into the target that the compiler would use.
#include "analysis/compile/compile.h"
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/flags.h"
#include "analysis/compile/invocation.h"

#include "clang/Basic/TargetOptions.h"
#include "clang/Options/Options.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>

namespace analysis {
namespace {

using llvm::StringRef;

void initializeTargets() {
  [[maybe_unused]] static const bool initialized =
      (llvm::InitializeAllTargetInfos(), llvm::InitializeAllTargetMCs(), true);
}

std::string targetFlagOf(const std::string &program) {
  const std::string flag = parseDriverName(program).targetFlag;
  llvm::SmallString<256> resolved;
  if (!flag.empty() || llvm::sys::fs::real_path(program, resolved))
    return flag;
  return parseDriverName(resolved.str().str()).targetFlag;
}

/// The arguments as clang's driver takes them. gcc's target is in its program's name, or in that of the program that it
/// is a link to; those of its flags that clang does not know say nothing about the target.
std::vector<std::string> clangArguments(const CompileCommand &command) {
  if (command.kind == CompilerKind::Clang)
    return command.arguments;
  const SafeFlags flags =
      selectSafeFlags({command.arguments.begin() + 1, command.arguments.end() - 1}, CompilerKind::Clang);
  std::vector<std::string> arguments = {"clang"};
  if (const std::string target = targetFlagOf(command.arguments.front()); !target.empty())
    arguments.push_back(target);
  arguments.insert(arguments.end(), flags.flags.begin(), flags.flags.end());
  arguments.insert(arguments.end(), {"-x", flags.language == wire::Language::C ? "c" : "c++", "--"});
  arguments.push_back(command.arguments.back());
  return arguments;
}

/// Whether the name is that of a machine. LLVM's lists of CPUs also hold architecture levels and placeholders.
bool isRealCpu(StringRef cpu, const llvm::Triple &triple) {
  for (StringRef level : {"generic", "x86-64", "i386", "i486", "i586", "i686", "ppc", "powerpc", "future", "mips"})
    if (cpu.starts_with(level))
      return false;
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return false;
  // An empty CPU name asks for the list alone.
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple, "", ""));
  return subtarget && subtarget->isCPUStringValid(cpu);
}

/// Finds the flag that names a CPU: what the code is tuned for before what it may use.
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
  initializeTargets();
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
