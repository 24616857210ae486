// The arguments are read with clang's option table, so that each value of an option is looked at, joined or not.
#include "analysis/compile/compiler_confinement.h"

#include "analysis/compile/invocation.h"
#include "analysis/compile/paths.h"
#include "analysis/files/folders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <span>

namespace analysis {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::StringRef;

/// Where distributions install programs, libraries and headers.
constexpr const char *kSystemFolders[] = {"/usr",    "/bin", "/sbin",      "/lib",       "/lib32", "/lib64",
                                          "/libx32", "/opt", "/nix/store", "/gnu/store", "/snap",  "/home/linuxbrew"};

/// What the dynamic loader, the C library and compilers read beside these: no file that holds a secret.
constexpr const char *kSystemFiles[] = {"/etc/ld.so.cache",
                                        "/etc/ld.so.preload",
                                        "/etc/ld.so.conf",
                                        "/etc/ld.so.conf.d",
                                        "/etc/clang",
                                        "/etc/localtime",
                                        "/etc/os-release",
                                        "/etc/debian_version",
                                        "/proc/cpuinfo",
                                        "/proc/meminfo",
                                        "/proc/sys/vm/overcommit_memory",
                                        "/sys/devices/system/cpu",
                                        "/dev/null",
                                        "/dev/urandom",
                                        "/dev/random"};

/// Lists of folders that the user's environment adds to the search for headers and libraries.
constexpr const char *kVariables[] = {"CPATH",   "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                      "INCLUDE", "SDKROOT",        "LD_LIBRARY_PATH"};

/// File systems whose files are the state of the machine.
constexpr const char *kStateFolders[] = {"/proc", "/sys", "/dev", "/run"};

/// What an installation outside of the system's folders has beside its `bin`.
constexpr const char *kInstalled[] = {"bin", "lib", "lib32", "lib64", "libexec", "include", "share", "sysroot"};

std::string homeFolder() {
  const char *home = std::getenv("HOME");
  return home && path::is_absolute(home) ? resolveLinks(home) : "";
}

/// The root, the home folder and what holds it, and the state of the machine.
bool isTooMuch(const std::string &resolved, const std::string &home) {
  return resolved == "/" || (!home.empty() && isWithin(resolved, home)) ||
         llvm::any_of(kStateFolders, [&](const char *folder) { return isWithin(folder, resolved); });
}

/// Whether the path is hidden in the home folder (~/.ssh, ~/.config/gh, ~/.netrc), or is below what is.
bool isHiddenAtHome(StringRef resolved, StringRef home) {
  return !home.empty() && isWithin(home, resolved) && resolved.drop_front(home.size()).contains("/.");
}

class PathList {
public:
  explicit PathList(std::vector<std::string> &paths) : paths_(paths), home_(homeFolder()) {}

  /// Adds what exists, once.
  void add(const std::string &file) {
    if (path::is_absolute(file) && !llvm::is_contained(paths_, file) && fs::exists(file))
      paths_.push_back(file);
  }
  /// The same for a path that a folder chose.
  void addNamed(const std::string &file) {
    const std::string resolved = resolveLinks(file);
    if (!isTooMuch(resolved, home_) && !isHiddenAtHome(resolved, home_))
      add(file);
  }
  const std::string &home() const { return home_; }

private:
  std::vector<std::string> &paths_;
  std::string home_;
};

/// What the user opened or allowed, the file's own folder, and the repository around it.
void addOpened(const CompileCommand &command, const wire::Settings &settings, PathList &list) {
  for (const std::vector<std::string> *folders : {&settings.projectFolders, &settings.readableFolders})
    for (const std::string &folder : *folders)
      list.add(folder);
  list.add(path::parent_path(command.compiledFile).str());
  list.addNamed(repositoryAround(command.compiledFile));
}

void addProject(const CompileCommand &command, const std::string &database, const wire::Settings &settings,
                PathList &list) {
  addOpened(command, settings, list);
  if (database.empty())
    return;
  // Found upward of the file, or in `build` there.
  const StringRef folder = path::parent_path(database);
  list.addNamed(folder.str());
  list.addNamed(path::parent_path(folder).str());
}

void addArguments(const CompileCommand &command, PathList &list) {
  const auto flags = std::span(command.arguments).subspan(1);
  for (const llvm::opt::Arg *argument : parseFlags(flags))
    for (const StringRef value : argument->getValues())
      if (!value.empty())
        list.addNamed(absolutePath(value, command.directory));
}

void addEnvironment(PathList &list) {
  for (const char *variable : kVariables)
    if (const char *value = std::getenv(variable))
      for (const StringRef folder : llvm::split(value, ':'))
        list.add(folder.str());
}

/// Where the program is installed, links followed.
void addInstallation(const std::string &program, PathList &list) {
  const StringRef bin = path::parent_path(program);
  const std::string prefix = path::parent_path(bin).str();
  if (!isTooMuch(prefix, list.home()))
    return list.add(prefix);
  list.add(bin.str());
  for (const char *name : kInstalled)
    list.add(prefix + (prefix == "/" ? "" : "/") + name);
}

void addPrograms(const std::string &program, const std::string &resolved, PathList &list) {
  for (const char *folder : kSystemFolders)
    list.add(folder);
  addInstallation(program, list);
  addInstallation(resolved, list);
}

/// Whether it is a program for another word size or processor than this process is.
bool isForeign(const std::string &program) {
  const auto own = llvm::MemoryBuffer::getFileSlice("/proc/self/exe", llvm::ELF::EI_NIDENT + 4, 0);
  const auto its = llvm::MemoryBuffer::getFileSlice(program, llvm::ELF::EI_NIDENT + 4, 0);
  if (!own || !its || !(*its)->getBuffer().starts_with(llvm::ELF::ElfMagic))
    return false;
  // The class, and the machine after the identification and the type.
  const auto what = [](StringRef header) {
    return std::pair(header[llvm::ELF::EI_CLASS], header.substr(llvm::ELF::EI_NIDENT + 2, 2));
  };
  return what((*own)->getBuffer()) != what((*its)->getBuffer());
}

} // namespace

Confinement confinementOf(const CompileCommand &command, const std::string &database, const wire::Settings &settings) {
  const std::string program = resolveLinks(command.arguments.front());
  Confinement confinement{.files = Confinement::Files(), .foreignCalls = isForeign(program)};
  PathList readable(confinement.files->read), runnable(confinement.files->run);
  addPrograms(command.arguments.front(), program, runnable);
  for (const char *file : kSystemFiles)
    readable.add(file);
  // That of this process alone: it holds unsaved texts.
  llvm::SmallString<128> temporary;
  path::system_temp_directory(/*ErasedOnReboot=*/true, temporary);
  readable.add(temporary.str().str());
  addEnvironment(readable);
  addProject(command, database, settings, readable);
  addArguments(command, readable);
  return confinement;
}

/// Of a database in the project's folder, the folder above is another project's.
std::vector<std::string> quotableFolders(const CompileCommand &command, const std::string &database,
                                         const wire::Settings &settings) {
  std::vector<std::string> folders;
  PathList list(folders);
  const std::string &program = command.arguments.front();
  addPrograms(program, resolveLinks(program), list);
  addEnvironment(list);
  addOpened(command, settings, list);
  if (const StringRef folder = path::parent_path(database); !folder.empty()) {
    list.addNamed(folder.str());
    if (!isWithin(folder, command.compiledFile))
      list.addNamed(path::parent_path(folder).str());
  }
  llvm::transform(folders, folders.begin(), resolveLinks);
  return folders;
}

Confinement confinementOfReader(const std::string &program) {
  const std::string resolved = resolveLinks(program);
  Confinement confinement{.files = Confinement::Files{.read = {"/"}, .run = {}}, .foreignCalls = isForeign(resolved)};
  PathList runnable(confinement.files->run);
  addPrograms(program, resolved, runnable);
  return confinement;
}

} // namespace analysis
