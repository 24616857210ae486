// clang's library diagnoses some flags only when the target is created, which CompilerInvocation leaves to the
// frontend.
#include "analysis/compile/invocation.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace analysis {
namespace {

auto pointersTo(std::span<const std::string> strings) {
  return llvm::map_to_vector(strings, [](const std::string &string) { return string.c_str(); });
}

} // namespace

llvm::opt::InputArgList parseFlags(std::span<const std::string> flags) {
  unsigned missingIndex = 0, missingCount = 0;
  return clang::getDriverOptTable().ParseArgs(pointersTo(flags), missingIndex, missingCount,
                                              llvm::opt::Visibility(clang::options::ClangOption));
}

Invocation invocationOf(const std::string &directory, const std::vector<std::string> &arguments) {
  Invocation result;
  clang::DiagnosticOptions diagnosticOptions;
  clang::CreateInvocationOptions options;
  auto *const messages = new clang::TextDiagnosticBuffer; // belongs to the engine
  options.Diags =
      llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(clang::DiagnosticIDs::create(), diagnosticOptions, messages);
  options.VFS = llvm::vfs::createPhysicalFileSystem();
  options.RecoverOnError = true;
  if (options.VFS->setCurrentWorkingDirectory(directory))
    return result;
  result.compiler = clang::createInvocation(pointersTo(arguments), options);
  // For its errors about the CPU, the ABI and the like.
  if (result.compiler)
    const llvm::IntrusiveRefCntPtr<clang::TargetInfo> target(
        clang::TargetInfo::CreateTargetInfo(*options.Diags, result.compiler->getTargetOpts()));
  for (const auto &[place, error] : llvm::make_range(messages->err_begin(), messages->err_end()))
    result.errors.push_back(error);
  return result;
}

} // namespace analysis
