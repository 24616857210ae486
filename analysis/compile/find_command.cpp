// Where a file's compile command comes from, and how it becomes ours.
//
// Of an entry, three things are taken: the directory, the flags that flags.h lets through, and what the name of its
// driver says (aarch64-linux-gnu-g++ means C++ for AArch64). The program itself is always our own compiler.
#include "analysis/compile/compile.h"
#include "analysis/compile/database.h"
#include "analysis/compile/flags.h"

#include "clang/Driver/ToolChain.h"
#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdlib>
#include <optional>

namespace analysis {
namespace {

namespace path = llvm::sys::path;
using llvm::StringRef;

constexpr const char *kDefaultCompiler = "clang-22";
constexpr const char *kDatabaseName = "compile_commands.json";
constexpr const char *kFlagsFileName = "compile_flags.txt";

/// Programs that stand before the compiler in a command.
constexpr StringRef kWrappers[] = {"ccache", "distcc", "icecc", "sccache", "gomacc"};

/// Assembly on standard output; line directives, whose comments hold the inline stack, and nothing else of debug
/// information; errors in one line each; what became of loops; no warnings, which are clangd's to show; no file of any
/// kind.
constexpr const char *kOwnFlags[] = {"-S",
                                     "-o",
                                     "-",
                                     "-gline-directives-only",
                                     "-fno-crash-diagnostics",
                                     "-fno-color-diagnostics",
                                     "-fno-caret-diagnostics",
                                     "-fno-diagnostics-fixit-info",
                                     "-fno-diagnostics-show-option",
                                     "-fmessage-length=0",
                                     "-ferror-limit=50",
                                     "-w",
                                     "-Rpass=loop-vectorize|loop-unroll"};

/// The frequency of each block as the compiler estimates it, in sections of data: no instruction changes.
constexpr const char *kBlockFrequencyFlags[] = {"-fbasic-block-address-map", "-mllvm", "-pgo-analysis-map=all"};
constexpr unsigned kFirstClangWithBlockFrequencies = 22;

/// A name is looked up in PATH, where a relative folder would let the place we run in choose the program.
std::string findCompiler(const std::string &wanted) {
  std::string name = wanted.empty() ? kDefaultCompiler : wanted;
  if (StringRef(name).contains('/'))
    return name;
  const char *searchPath = std::getenv("PATH");
  llvm::SmallVector<StringRef> folders;
  StringRef(searchPath ? searchPath : "").split(folders, ':', -1, /*KeepEmpty=*/false);
  llvm::erase_if(folders, [](StringRef folder) { return !path::is_absolute(folder); });
  if (folders.empty())
    return name;
  const llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name, folders);
  return found ? *found : name;
}

/// The version in the name of the program or of its installation, as clang-22 and llvm-22 have it; 0 when neither does.
unsigned clangVersionOf(const std::string &program) {
  llvm::SmallString<256> resolved;
  if (llvm::sys::fs::real_path(program, resolved))
    return 0;
  for (auto part = path::rbegin(resolved), end = path::rend(resolved); part != end; ++part) {
    StringRef name = *part;
    unsigned version = 0;
    if ((name.consume_front("clang-") || name.consume_front("llvm-")) && !name.consumeInteger(10, version))
      return version;
  }
  return 0;
}

/// Whether the compiler can tell block frequencies: those of other targets refuse the flag.
bool tellsBlockFrequencies(const CompileCommand &command) {
  if (clangVersionOf(command.arguments.front()) < kFirstClangWithBlockFrequencies)
    return false;
  const llvm::Triple triple(targetOf(command).triple);
  return (triple.isX86() || triple.isAArch64()) && triple.isOSBinFormatELF();
}

/// What a command says, whatever it was read from.
struct Source {
  DatabaseEntry entry;
  std::string origin;
  bool fallback = false;
};

std::string joined(StringRef folder, StringRef below, StringRef name) {
  llvm::SmallString<256> file(folder);
  path::append(file, below, name);
  return file.str().str();
}

/// Goes through the sources in their order and remembers why one was passed over.
class Search {
public:
  Search(const std::string &path, std::vector<std::string> &notes) : path_(path), notes_(notes) {}

  std::optional<Source> inDatabase(const std::string &file, const std::string &origin) {
    return accept(lookUpInDatabase(file, path_), file, origin);
  }

  std::optional<Source> inFoldersUpward() {
    for (StringRef folder = path::parent_path(path_); !folder.empty(); folder = path::parent_path(folder)) {
      if (auto source = inDatabase(joined(folder, "", kDatabaseName), kDatabaseName))
        return source;
      if (auto source = inDatabase(joined(folder, "build", kDatabaseName), std::string("build/") + kDatabaseName))
        return source;
    }
    return std::nullopt;
  }

  std::optional<Source> inFlagsFile() {
    for (StringRef folder = path::parent_path(path_); !folder.empty(); folder = path::parent_path(folder)) {
      const std::string file = joined(folder, "", kFlagsFileName);
      if (auto source = accept(readFlagsFile(file, path_), file, kFlagsFileName))
        return source;
    }
    return std::nullopt;
  }

private:
  std::optional<Source> accept(DatabaseAnswer answer, const std::string &file, const std::string &origin) {
    if (!answer.problem.empty())
      notes_.push_back(answer.problem);
    else if (answer.exists && !answer.entry)
      notes_.push_back(file + " has no entry for this file");
    if (!answer.entry)
      return std::nullopt;
    return Source{std::move(*answer.entry), origin};
  }

  const std::string &path_;
  std::vector<std::string> &notes_;
};

Source fallbackFor(const std::string &file, wire::Language language, const std::vector<std::string> &extraFlags) {
  std::vector<std::string> arguments = {"clang", "-O2", language == wire::Language::C ? "-std=c17" : "-std=c++20"};
  arguments.insert(arguments.end(), extraFlags.begin(), extraFlags.end());
  const std::string origin = "fallback: " + llvm::join(llvm::drop_begin(arguments), " ");
  return {{path::parent_path(file).str(), std::move(arguments)}, origin, true};
}

Source findSource(const std::string &file, wire::Language language, const wire::Settings &settings,
                  std::vector<std::string> &notes) {
  Search search(file, notes);
  std::optional<Source> source;
  if (!settings.compileCommandsDir.empty()) {
    const std::string database = joined(settings.compileCommandsDir, "", kDatabaseName);
    source = search.inDatabase(database, database);
  } else {
    source = search.inFoldersUpward();
  }
  if (!source)
    source = search.inFlagsFile();
  return source ? *source : fallbackFor(file, language, settings.extraFlags);
}

/// What the name of the entry's compiler says.
struct DriverName {
  std::string targetFlag; ///< empty when it names no target
  bool cxx = false;
  bool cl = false;
};

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

/// Takes the driver's name and what stands before it off the arguments.
DriverName takeDriver(std::vector<std::string> &arguments) {
  const auto isWrapper = [](const std::string &program) { return llvm::is_contained(kWrappers, path::stem(program)); };
  while (arguments.size() > 1 && isWrapper(arguments[0]) && arguments[1][0] != '-')
    arguments.erase(arguments.begin());
  const DriverName name = parseDriverName(arguments.front());
  arguments.erase(arguments.begin());
  return name;
}

/// The command's -x, else its driver, else the file's extension; a header's language is what the editor says.
wire::Language languageOf(const SafeFlags &flags, const DriverName &driver, StringRef file, wire::Language asked) {
  if (flags.language)
    return *flags.language;
  if (driver.cxx)
    return wire::Language::Cxx;
  switch (clang::driver::types::lookupTypeForExtension(path::extension(file).drop_front(path::has_extension(file)))) {
  case clang::driver::types::TY_C:
    return wire::Language::C;
  case clang::driver::types::TY_CXX:
    return wire::Language::Cxx;
  default:
    return asked;
  }
}

} // namespace

CompileCommand findCompileCommand(const std::string &file, wire::Language language, const wire::Settings &settings,
                                  const CommandQuery &query) {
  CompileCommand command;
  Source source = findSource(file, language, settings, command.notes);
  command.origin = std::move(source.origin);
  command.fallback = source.fallback;
  command.directory = std::move(source.entry.directory);

  const DriverName driver = takeDriver(source.entry.arguments);
  if (driver.cl)
    command.notes.push_back("the compile command is for clang-cl; its flags that begin with / are left out");
  const SafeFlags flags = selectSafeFlags(source.entry.arguments);
  command.notes.insert(command.notes.end(), flags.notes.begin(), flags.notes.end());

  std::vector<std::string> &argv = command.arguments;
  argv.push_back(findCompiler(settings.compiler));
  if (!driver.targetFlag.empty())
    argv.push_back(driver.targetFlag);
  argv.insert(argv.end(), flags.flags.begin(), flags.flags.end());
  argv.insert(argv.end(), std::begin(kOwnFlags), std::end(kOwnFlags));
  if (query.vectorizerReasons)
    argv.push_back("-Rpass-analysis=loop-vectorize");
  const size_t end = argv.size();
  const bool isC = languageOf(flags, driver, file, language) == wire::Language::C;
  argv.insert(argv.end(), {"-x", isC ? "c" : "c++", "--", file});
  if (tellsBlockFrequencies(command))
    argv.insert(argv.begin() + end, std::begin(kBlockFrequencyFlags), std::end(kBlockFrequencyFlags));
  return command;
}

} // namespace analysis
