// The driver's view of a command: clang's own library turns the flags into the target that the compiler would use.
#include "analysis/compile/compile.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Options/Options.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/VirtualFileSystem.h"
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

std::vector<const char *> pointersTo(const std::vector<std::string> &strings) {
  std::vector<const char *> pointers;
  pointers.reserve(strings.size());
  for (const std::string &string : strings)
    pointers.push_back(string.c_str());
  return pointers;
}

/// The invocation of the compiler proper, or null when it cannot run or the flags make no sense to it.
std::unique_ptr<clang::CompilerInvocation> invocationOf(const CompileCommand &command) {
  clang::DiagnosticOptions diagnosticOptions;
  const auto diagnostics = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      clang::DiagnosticIDs::create(), diagnosticOptions, new clang::IgnoringDiagConsumer);
  clang::CreateInvocationOptions options;
  options.Diags = diagnostics;
  options.VFS = llvm::vfs::createPhysicalFileSystem();
  if (options.VFS->setCurrentWorkingDirectory(command.directory))
    return nullptr;
  options.RecoverOnError = true;
  return clang::createInvocation(pointersTo(command.arguments), options);
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
void findNamingFlag(const CompileCommand &command, CompiledTarget &target) {
  using namespace clang::options;
  unsigned missingIndex = 0, missingCount = 0;
  const std::vector<const char *> arguments = pointersTo(command.arguments);
  const llvm::opt::InputArgList parsed = clang::getDriverOptTable().ParseArgs(
      llvm::ArrayRef(arguments).drop_front(), missingIndex, missingCount, llvm::opt::Visibility(ClangOption));
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
  if (const std::unique_ptr<clang::CompilerInvocation> invocation = invocationOf(command)) {
    const clang::TargetOptions &options = invocation->getTargetOpts();
    target = {options.Triple, options.CPU, options.TuneCPU, options.FeaturesAsWritten, false, ""};
  } else {
    target.triple = llvm::sys::getDefaultTargetTriple();
  }
  findNamingFlag(command, target);
  return target;
}

} // namespace analysis
