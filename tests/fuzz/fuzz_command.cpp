// Compile commands of a folder that may be hostile, from the bytes of its files to the command that would run; nothing
// runs. The first byte chooses the language and the compiler. The rest are the folder's files: compile_commands.json,
// compile_flags.txt and a response file, with NUL bytes between them. FOLDER stands for the folder's path.
//
// The program is the user's choice, and the command is harmless (compiler_oracle.h).
#include "analysis/compile/compile.h"
#include "tests/fuzz/compiler_oracle.h"
#include "tests/fuzz/no_programs.h"
#include "tests/fuzz/property.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdint>

namespace {

using namespace analysis;
using fuzz::require;
using llvm::StringRef;

/// The folder's files, which go away with it. Each has another path: databases are cached by their paths.
class Folder {
public:
  explicit Folder(std::string_view bytes) {
    static unsigned count = 0;
    static const std::string root = makeRoot();
    path_ = root + "/" + std::to_string(count++);
    require(!llvm::sys::fs::create_directory(path_));
    for (const char *name : kNames) {
      // A database that is not there is another case than an empty one.
      if (const std::string_view text = fuzz::takeUntil(bytes, '\0'); !text.empty())
        write(name, text);
    }
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder() { llvm::sys::fs::remove_directories(path_); }

  const std::string &path() const { return path_; }
  /// The names of the files in it.
  std::vector<std::string> contents() const {
    std::vector<std::string> names;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator at(path_, error), end; at != end && !error; at.increment(error))
      names.push_back(at->path());
    std::ranges::sort(names);
    return names;
  }

private:
  static constexpr const char *kNames[] = {"compile_commands.json", "compile_flags.txt", "x.rsp"};

  static std::string makeRoot() {
    llvm::SmallString<64> root;
    require(!llvm::sys::fs::createUniqueDirectory("fuzz-command", root));
    static const std::string kept = root.str().str();
    std::atexit([] { llvm::sys::fs::remove_directories(kept); });
    return kept;
  }

  void write(const char *name, std::string_view text) const {
    constexpr StringRef kFolder = "FOLDER";
    std::error_code error;
    llvm::raw_fd_ostream out(path_ + "/" + name, error);
    require(!error);
    for (StringRef rest = text; !rest.empty();) {
      const auto [before, after] = rest.split(kFolder);
      out << before << (before.size() == rest.size() ? "" : path_);
      rest = after;
    }
  }

  std::string path_;
};

// ---- the properties ------------------------------------------------------------------------------------------------

constexpr const char *kClang = "/usr/lib/llvm-22/bin/clang", *kGcc = "/usr/bin/x86_64-linux-gnu-gcc-12";

void checkCommand(const CompileCommand &command, const std::string &file, const std::string &program) {
  require(command.arguments.front() == program && command.launcher.empty());
  require(command.arguments.back() == file && command.compiledFile == file && !command.directory.empty());
  if (command.kind == CompilerKind::Gcc)
    fuzz::requireHarmlessGcc(llvm::ArrayRef(command.arguments).drop_front().drop_back());
  else
    fuzz::requireHarmlessClang(command.directory, command.arguments);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  constexpr const char *kFiles[] = {"/a.cpp", "/a.c", "/a.S"};
  constexpr wire::Language kLanguages[] = {wire::Language::Cxx, wire::Language::C, wire::Language::Assembly};
  if (size == 0)
    return 0;
  const unsigned chosen = data[0] % 3;
  const bool isGcc = data[0] & 0x40;
  const Folder folder(fuzz::textOf(data + 1, size - 1));
  const std::vector<std::string> before = folder.contents();
  const fuzz::NoPrograms nothingRuns;

  // "project" without a trusted folder: the database's own program must not run.
  wire::Settings settings{.compiler = isGcc ? kGcc : kClang};
  const std::string file = folder.path() + kFiles[chosen];
  const CompileCommand command = findCompileCommand(file, kLanguages[chosen], settings);
  checkCommand(command, file, settings.compiler);
  static_cast<void>(targetOf(command));
  settings.compiler = "project";
  const CompileCommand untrusted = findCompileCommand(file, kLanguages[chosen], settings);
  settings.compiler.clear();
  require(untrusted.arguments.front() == findCompileCommand(file, kLanguages[chosen], settings).arguments.front());
  require(untrusted.launcher.empty() && untrusted.kind == CompilerKind::Clang);
  require(folder.contents() == before);
  return 0;
}
