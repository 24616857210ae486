// clang's driver and frontend read the command in this process, as they would before they compile. For gcc there is
// only its manual.
#include "tests/fuzz/compiler_oracle.h"

#include "analysis/compile/optimization_record.h"
#include "tests/fuzz/property.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>

namespace {

using fuzz::require;
using llvm::StringRef;

/// The record goes to the compiler's own standard error.
bool isOurRecord(const std::string &file) {
  const std::vector<std::string> flags = analysis::recordFlags("");
  return file.empty() || std::ranges::find(flags, file) != flags.end();
}

/// The frontend loads no code, and writes nothing but its output and the record.
void checkInvocation(const clang::CompilerInvocation &invocation) {
  const clang::FrontendOptions &frontend = invocation.getFrontendOpts();
  require(frontend.ProgramAction == clang::frontend::EmitAssembly ||
          frontend.ProgramAction == clang::frontend::PrintPreprocessedInput);
  require(frontend.OutputFile == "-" && frontend.Plugins.empty() && frontend.AddPluginActions.empty() &&
          frontend.PluginArgs.empty() && frontend.ModuleFiles.empty() && frontend.ModuleMapFiles.empty() &&
          frontend.ASTMergeFiles.empty() && frontend.StatsFile.empty() && frontend.TimeTracePath.empty() &&
          frontend.ModuleOutputPath.empty() && frontend.DumpMinimizationHintsPath.empty() &&
          frontend.SymbolGraphOutputDir.empty() && frontend.OverrideRecordLayoutsFile.empty());
  const clang::CodeGenOptions &code = invocation.getCodeGenOpts();
  require(code.PassPlugins.empty() && isOurRecord(code.OptRecordFile) && code.SplitDwarfOutput.empty() &&
          code.StackUsageOutput.empty() && code.CoverageNotesFile.empty() && code.ThinLinkBitcodeFile.empty() &&
          code.SaveTempsFilePrefix.empty() && code.AsSecureLogFile.empty() && code.DIBugsReportFilePath.empty());
  const clang::DependencyOutputOptions &dependencies = invocation.getDependencyOutputOpts();
  require(dependencies.OutputFile.empty() && dependencies.HeaderIncludeOutputFile.empty() &&
          dependencies.DOTOutputFile.empty() && dependencies.ModuleDependencyOutputDir.empty());
  const clang::DiagnosticOptions &diagnostics = invocation.getDiagnosticOpts();
  require(diagnostics.DiagnosticLogFile.empty() && diagnostics.DiagnosticSerializationFile.empty());
  require(invocation.getHeaderSearchOpts().VFSOverlayFiles.empty() &&
          !invocation.getHeaderSearchOpts().ImplicitModuleMaps &&
          invocation.getPreprocessorOpts().ImplicitPCHInclude.empty());
}

/// The driver starts at most one program, clang itself.
void checkJobs(const std::string &directory, llvm::ArrayRef<std::string> command) {
  clang::DiagnosticOptions options;
  clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), options, new clang::IgnoringDiagConsumer);
  const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = llvm::vfs::createPhysicalFileSystem();
  if (files->setCurrentWorkingDirectory(directory))
    return;
  const std::string &program = command.front();
  clang::driver::Driver driver(program, llvm::sys::getDefaultTargetTriple(), diagnostics, "clang", files);
  driver.setCheckInputsExist(false);
  std::vector<const char *> arguments;
  for (const std::string &argument : command)
    arguments.push_back(argument.c_str());
  const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(arguments));
  if (!compilation || diagnostics.hasErrorOccurred())
    return;
  require(compilation->getJobs().size() <= 1 && compilation->getTempFiles().empty());
  for (const clang::driver::Command &job : compilation->getJobs()) {
    require(program == job.getExecutable() && StringRef(job.getCreator().getName()) == "clang");
    clang::CompilerInvocation invocation;
    if (clang::CompilerInvocation::CreateFromArgs(invocation, job.getArguments(), diagnostics))
      checkInvocation(invocation);
  }
}

/// What the driver does itself: it reads files with further flags, exchanges programs, and writes reports.
constexpr StringRef kDriverActs[] = {"-fproc-stat-report",
                                     "-gen-reproducer",
                                     "-fcrash-diagnostics",
                                     "-save-",
                                     "--save-",
                                     "--config",
                                     "-mllvm=",
                                     "--mllvm",
                                     "-ccc-",
                                     "-B",
                                     "--prefix",
                                     "-load",
                                     "@"};

/// What reaches LLVM and the frontend past the driver is ours, or a header.
void checkPassedOn(std::vector<std::string> arguments) {
  for (const char *format : {"bitstream", "yaml"}) {
    const std::vector<std::string> record = analysis::recordFlags(format);
    if (const auto ours = std::ranges::search(arguments, record); !ours.empty())
      arguments.erase(ours.begin(), ours.end());
  }
  constexpr StringRef kOurs[] = {"-experimental-debug-variable-locations=false",
                                 "-enable-npm-pgo-inline-deferral=false", "-pgo-analysis-map=all"};
  for (size_t i = 0; i < arguments.size(); ++i) {
    require(llvm::none_of(kDriverActs, [&](StringRef begin) { return StringRef(arguments[i]).starts_with(begin); }));
    if (arguments[i] == "-mllvm")
      require(i + 1 < arguments.size() && llvm::is_contained(kOurs, arguments[i + 1]));
    if (arguments[i] != "-Xclang")
      continue;
    require(i + 3 < arguments.size() && arguments[i + 2] == "-Xclang");
    require(llvm::is_contained({"-include", "--include", "-imacros", "--imacros"}, StringRef(arguments[i + 1])));
    require(!StringRef(arguments[i + 3]).starts_with("-"));
    i += 3;
  }
}

/// gcc's options that run, load or write something, by how they begin (gcc's manual, "Option Summary").
constexpr StringRef kGccRunsOrWrites[] = {"-fplugin",
                                          "-iplugindir",
                                          "-wrapper",
                                          "-specs",
                                          "--specs",
                                          "-B",
                                          "--prefix",
                                          "-foffload",
                                          "-fself-test",
                                          "-no-integrated",
                                          "-fdump",
                                          "-save-temps",
                                          "--save-temps",
                                          "-dump",
                                          "--dump",
                                          "-d",
                                          "-M",
                                          "--write",
                                          "-aux-info",
                                          "-fsave",
                                          "-fstack-usage",
                                          "-fcallgraph-info",
                                          "-ftest-coverage",
                                          "-fprofile-arcs",
                                          "--coverage",
                                          "-fcondition-coverage",
                                          "-fcompare-debug",
                                          "-fprofile-generate",
                                          "-freport-bug",
                                          "-fdiagnostics-format",
                                          "-fdiagnostics-add",
                                          "-gsplit-dwarf",
                                          "-flto",
                                          "-Wl,",
                                          "-Wa,",
                                          "-Wp,",
                                          "-X",
                                          "-T",
                                          "-fopt-info",
                                          "-ftime-report",
                                          "-frepo",
                                          "-time",
                                          "-pass-exit",
                                          "-o",
                                          "--output",
                                          "@"};

} // namespace

void fuzz::requireHarmlessClang(const std::string &directory, llvm::ArrayRef<std::string> command) {
  checkPassedOn(command.vec());
  checkJobs(directory, command);
}

void fuzz::requireHarmlessGcc(llvm::ArrayRef<std::string> flags) {
  constexpr StringRef kOurs[] = {"-dA", "-fopt-info-loop-optimized", "-fopt-info-vec-note-optimized-missed-internals",
                                 "-o"};
  for (const std::string &flag : flags)
    require(llvm::is_contained(kOurs, flag) ||
            llvm::none_of(kGccRunsOrWrites, [&](StringRef begin) { return StringRef(flag).starts_with(begin); }));
}
