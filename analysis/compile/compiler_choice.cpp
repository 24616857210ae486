// Names, paths and trust.
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/launchers.h"

#include "clang/Driver/ToolChain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"

#include <cstdlib>

namespace analysis {
namespace {

namespace path = llvm::sys::path;
using llvm::StringRef;

constexpr const char *kDefaultCompiler = "clang-22";
constexpr const char *kProjectsCompiler = "project";

std::string resolveLinks(const std::string &file) {
  llvm::SmallString<256> resolved;
  return llvm::sys::fs::real_path(file, resolved) ? file : resolved.str().str();
}

/// A name is looked up in PATH, where a relative folder would let the place we run in choose the program.
std::string findInPath(const std::string &name) {
  const char *searchPath = std::getenv("PATH");
  llvm::SmallVector<StringRef> folders;
  StringRef(searchPath ? searchPath : "").split(folders, ':', -1, /*KeepEmpty=*/false);
  llvm::erase_if(folders, [](StringRef folder) { return !path::is_absolute(folder); });
  if (folders.empty())
    return name;
  const llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name, folders);
  return found ? *found : name;
}

std::string findCompiler(const std::string &wanted) {
  return StringRef(wanted).contains('/') ? wanted : findInPath(wanted);
}

std::string ourCompiler() {
  static const std::string folder =
      path::parent_path(llvm::sys::fs::getMainExecutable("", /*MainExecAddr=*/nullptr)).str();
  return defaultCompiler(folder);
}

/// The path that would be run, without dots in it: what is compared is what runs.
std::string resolve(const std::string &name, const std::string &directory) {
  if (!StringRef(name).contains('/'))
    return findInPath(name);
  llvm::SmallString<256> file(name);
  llvm::sys::path::make_absolute(directory, file);
  path::remove_dots(file, /*remove_dot_dot=*/true);
  return file.str().str();
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
  const StringRef tool = toolName(program);
  if (tool == "clang" || tool == "clang++")
    return CompilerKind::Clang;
  if (tool == "gcc" || tool == "g++")
    return CompilerKind::Gcc;
  return std::nullopt;
}

bool liesIn(const std::string &file, const std::string &folder) {
  if (!path::is_absolute(folder))
    return false;
  const std::string resolvedFile = resolveLinks(file), resolvedFolder = resolveLinks(folder);
  StringRef rest = resolvedFile;
  return rest.consume_front(StringRef(resolvedFolder).rtrim('/')) && rest.starts_with("/");
}

bool isAllowed(const std::string &program, const std::vector<std::string> &globs) {
  return llvm::any_of(globs, [&](const std::string &glob) {
    llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(glob);
    if (!pattern) {
      llvm::consumeError(pattern.takeError());
      return false;
    }
    return pattern->match(program);
  });
}

bool isTrusted(const BuildProgram &build, const wire::Settings &settings) {
  return llvm::any_of(settings.trustedFolders,
                      [&](const std::string &folder) { return liesIn(build.database, folder); });
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

/// The launcher as it would run; empty when it was not found. Its own arguments may name programs, too, so that only a
/// trusted folder chooses it.
std::vector<std::string> launcherOf(const BuildProgram &build, const wire::Settings &settings) {
  if (!isTrusted(build, settings))
    return {};
  std::vector<std::string> launcher =
      build.launcher.empty() ? launcherInDatabase(build.database, build.file) : build.launcher;
  if (launcher.empty())
    return {};
  launcher.front() = resolve(launcher.front(), build.directory);
  return path::is_absolute(launcher.front()) ? launcher : std::vector<std::string>();
}

} // namespace

DriverName parseDriverName(const std::string &program) {
  [[maybe_unused]] static const bool initialized = (llvm::InitializeAllTargetInfos(), true);
  const auto parsed = clang::driver::ToolChain::getTargetAndModeFromProgramName(program);
  DriverName name;
  const StringRef mode = parsed.DriverMode ? parsed.DriverMode : "";
  name.cxx = mode == "--driver-mode=g++";
  name.cl = mode == "--driver-mode=cl";
  if (parsed.TargetIsValid)
    name.targetFlag = "--target=" + parsed.TargetPrefix;
  return name;
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

Compiler chooseCompiler(const BuildProgram &build, const wire::Settings &settings, std::vector<std::string> &notes) {
  if (settings.compiler != kProjectsCompiler) {
    const std::string program = settings.compiler.empty() ? ourCompiler() : findCompiler(settings.compiler);
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
