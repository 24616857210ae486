// The names of drivers, and the trust in folders and programs.
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/paths.h"
#include "analysis/compile/wrappers.h"
#include "analysis/files/folders.h"

#include "clang/Driver/ToolChain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"

namespace analysis {
namespace {

namespace path = llvm::sys::path;
using llvm::StringRef;

constexpr const char *kDefaultCompiler = "clang-22";

bool isPath(StringRef program) {
  return program.contains('/');
}

std::string ourCompiler() {
  static const std::string folder =
      path::parent_path(llvm::sys::fs::getMainExecutable("", /*MainExecAddr=*/nullptr)).str();
  return defaultCompiler(folder);
}

/// The path that would run, without dots in it: trust is decided about the same string that is executed.
std::string resolve(const std::string &name, const std::string &directory) {
  return isPath(name) ? absolutePath(name, directory) : findInPath(name);
}

/// The name without the version at its end: "x86_64-linux-gnu-g++-12.2" is "x86_64-linux-gnu-g++".
StringRef withoutVersion(StringRef name) {
  const StringRef stem = name.rtrim("0123456789.");
  return stem.size() < name.size() && stem.ends_with("-") ? stem.drop_back() : name;
}

/// The last part of the name: of "aarch64-linux-gnu-g++" it is "g++".
StringRef toolName(StringRef program) {
  const StringRef name = withoutVersion(path::filename(program));
  return name.drop_front(name.rfind('-') + 1);
}

std::optional<CompilerKind> kindByName(StringRef program) {
  return llvm::StringSwitch<std::optional<CompilerKind>>(toolName(program))
      .Cases({"clang", "clang++"}, CompilerKind::Clang)
      .Cases({"gcc", "g++"}, CompilerKind::Gcc)
      .Default(std::nullopt);
}

bool isAllowed(const std::string &program, const std::vector<std::string> &globs) {
  return llvm::any_of(globs, [&](const std::string &glob) {
    const auto pattern = llvm::expectedToOptional(llvm::GlobPattern::create(glob));
    return pattern && pattern->match(program);
  });
}

bool isTrusted(const BuildProgram &build, const wire::Settings &settings) {
  return liesInAnyOf(build.database, settings.trustedFolders);
}

/// Why the build's own program is not run; empty when it is.
std::string refusal(const BuildProgram &build, const std::string &program, const wire::Settings &settings) {
  if (!path::is_absolute(program))
    return build.name + " was not found";
  if (!isTrusted(build, settings) && !isAllowed(program, settings.allowedCompilers))
    return program + " is not run, as a folder that was opened names it: to allow it, put the project's folder into "
                     "mca.trustedFolders or the program into mca.allowedCompilers, in the editor's "
                     "initializationOptions or on the command line";
  if (!kindOfCompiler(program))
    return program + " is neither clang nor gcc by its name";
  return "";
}

/// The launcher as it would run; empty if it was not found. Allowing a compiler is not enough for its launcher, whose
/// own arguments may name further programs (`ccache prefix_command=…`): only a trusted folder chooses one.
std::vector<std::string> launcherOf(const BuildProgram &build, const wire::Settings &settings) {
  if (!isTrusted(build, settings))
    return {};
  std::vector<std::string> launcher =
      build.launcher.empty() ? launcherInDatabase(build.database, build.file) : build.launcher;
  if (!launcher.empty())
    launcher.front() = resolve(launcher.front(), build.directory);
  return launcher.empty() || path::is_absolute(launcher.front()) ? launcher : std::vector<std::string>();
}

} // namespace

DriverName parseDriverName(const std::string &program) {
  // clang looks the prefix up among the registered targets, of which there are none before this.
  [[maybe_unused]] static const bool initialized = (llvm::InitializeAllTargetInfos(), true);
  const auto parsed = clang::driver::ToolChain::getTargetAndModeFromProgramName(program);
  const StringRef mode = parsed.DriverMode ? parsed.DriverMode : "";
  return {.targetFlag = parsed.TargetIsValid ? "--target=" + parsed.TargetPrefix : "",
          .cxx = mode == "--driver-mode=g++",
          .cl = mode == "--driver-mode=cl"};
}

bool isCompilerName(const std::string &program) {
  const StringRef tool = toolName(program);
  return kindByName(program) || tool == "cc" || tool == "c++" || tool == "cl";
}

std::optional<CompilerKind> kindOfCompiler(const std::string &program) {
  const StringRef tool = toolName(program);
  return kindByName(tool == "cc" || tool == "c++" ? resolveLinks(program) : program);
}

unsigned clangVersionOf(const std::string &program) {
  const std::string resolved = resolveLinks(program);
  for (auto part = path::rbegin(resolved), end = path::rend(resolved); part != end; ++part) {
    StringRef name = *part;
    unsigned version = 0;
    if ((name.consume_front("clang-") || name.consume_front("llvm-")) && !name.consumeInteger(10, version))
      return version;
  }
  return 0;
}

std::string defaultCompiler(const std::string &ownFolder) {
  llvm::SmallString<256> beside(ownFolder);
  path::append(beside, kDefaultCompiler);
  return !ownFolder.empty() && llvm::sys::fs::can_execute(beside) ? beside.str().str() : findInPath(kDefaultCompiler);
}

bool isBuildsOwn(const CompileCommand &command, const wire::Settings &settings) {
  return settings.compiler == wire::kProjectsCompiler &&
         (!command.launcher.empty() || command.arguments.front() != ourCompiler());
}

Compiler chooseCompiler(const BuildProgram &build, const wire::Settings &settings, std::vector<std::string> &notes) {
  if (settings.compiler != wire::kProjectsCompiler) {
    const std::string program = settings.compiler.empty()   ? ourCompiler()
                                : isPath(settings.compiler) ? settings.compiler
                                                            : findInPath(settings.compiler);
    return {program, kindOfCompiler(program).value_or(CompilerKind::Clang), {}};
  }
  if (build.name.empty())
    return {ourCompiler()};
  const std::string program = resolve(build.name, build.directory);
  const std::string why = refusal(build, program, settings);
  if (why.empty())
    return {program, *kindOfCompiler(program), launcherOf(build, settings)};
  notes.push_back(std::string(kDefaultCompiler) + " is used instead of the project's compiler: " + why);
  return {ourCompiler()};
}

} // namespace analysis
