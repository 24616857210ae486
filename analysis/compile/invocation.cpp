// clang's library diagnoses some flags only when the target is created, which CompilerInvocation leaves to the
// frontend.
#include "analysis/compile/invocation.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace analysis {
namespace {

class ErrorCollector final : public clang::DiagnosticConsumer {
public:
  explicit ErrorCollector(std::vector<std::string> &errors) : errors_(errors) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error)
      return;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    errors_.push_back(text.str().str());
  }

private:
  std::vector<std::string> &errors_;
};

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
  options.Diags = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(clang::DiagnosticIDs::create(), diagnosticOptions,
                                                                      new ErrorCollector(result.errors));
  options.VFS = llvm::vfs::createPhysicalFileSystem();
  options.RecoverOnError = true;
  if (options.VFS->setCurrentWorkingDirectory(directory))
    return result;
  result.compiler = clang::createInvocation(pointersTo(arguments), options);
  // For its errors about the CPU, the ABI and the like.
  if (result.compiler)
    const llvm::IntrusiveRefCntPtr<clang::TargetInfo> target(
        clang::TargetInfo::CreateTargetInfo(*options.Diags, result.compiler->getTargetOpts()));
  return result;
}

} // namespace analysis
