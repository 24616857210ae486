// Where a file's compile command comes from, and how it becomes ours.
//
// Of an entry, three things are taken: the directory, the flags that flags.h lets through, and what the name of its
// driver says (aarch64-linux-gnu-g++ means C++ for AArch64). Whether that program runs, compiler_choice.h decides.
#include "analysis/compile/compile.h"
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/database.h"
#include "analysis/compile/flags.h"

#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"

#include <optional>

namespace analysis {
namespace {

namespace path = llvm::sys::path;
using llvm::StringRef;

constexpr const char *kDatabaseName = "compile_commands.json";
constexpr const char *kFlagsFileName = "compile_flags.txt";

/// Programs that stand before the compiler in a command.
constexpr StringRef kWrappers[] = {"ccache", "distcc", "icecc", "sccache", "gomacc"};

/// Assembly on standard output; line directives, whose comments hold the inline stack, and nothing else of debug
/// information; errors in one line each; what became of loops; no warnings, which are clangd's to show; no file of any
/// kind.
constexpr const char *kClangFlags[] = {"-S",
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

/// The same of gcc. Its full debug information holds the inline stack, and the comments of -dA its blocks and their
/// frequencies; with a tab as wide as one column, columns are those of the text.
constexpr const char *kGccFlags[] = {"-S",
                                     "-o",
                                     "-",
                                     "-g",
                                     "-dA",
                                     "-fno-lto",
                                     "-fno-diagnostics-show-caret",
                                     "-fno-diagnostics-show-option",
                                     "-fdiagnostics-color=never",
                                     "-fmessage-length=0",
                                     "-fmax-errors=50",
                                     "-ftabstop=1",
                                     "-w",
                                     "-fopt-info-loop-vec-optimized"};

/// The frequency of each block as the compiler estimates it, in sections of data: no instruction changes.
constexpr const char *kBlockFrequencyFlags[] = {"-fbasic-block-address-map", "-mllvm", "-pgo-analysis-map=all"};
constexpr unsigned kFirstClangWithBlockFrequencies = 22;

/// Whether the compiler can tell block frequencies: those of other targets refuse the flag.
bool tellsBlockFrequencies(const CompileCommand &command) {
  if (command.kind != CompilerKind::Clang ||
      clangVersionOf(command.arguments.front()) < kFirstClangWithBlockFrequencies)
    return false;
  const llvm::Triple triple(targetOf(command).triple);
  return (triple.isX86() || triple.isAArch64()) && triple.isOSBinFormatELF();
}

/// What a command says, whatever it was read from.
struct Source {
  DatabaseEntry entry;
  std::string origin;
  std::string database; ///< that names a program; empty for flags alone
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
    std::optional<Source> source = accept(lookUpInDatabase(file, path_), file, origin);
    if (source)
      source->database = file;
    return source;
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
    return Source{std::move(*answer.entry), origin, "", false};
  }

  const std::string &path_;
  std::vector<std::string> &notes_;
};

Source fallbackFor(const std::string &file, wire::Language language, const std::vector<std::string> &extraFlags) {
  std::vector<std::string> arguments = {"clang", "-O2", language == wire::Language::C ? "-std=c17" : "-std=c++20"};
  arguments.insert(arguments.end(), extraFlags.begin(), extraFlags.end());
  const std::string origin = "fallback: " + llvm::join(llvm::drop_begin(arguments), " ");
  return {{path::parent_path(file).str(), std::move(arguments)}, origin, "", true};
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

/// Takes the driver's name and what stands before it off the arguments.
std::string takeDriver(std::vector<std::string> &arguments) {
  const auto isWrapper = [](const std::string &program) { return llvm::is_contained(kWrappers, path::stem(program)); };
  while (arguments.size() > 1 && isWrapper(arguments[0]) && arguments[1][0] != '-')
    arguments.erase(arguments.begin());
  std::string program = std::move(arguments.front());
  arguments.erase(arguments.begin());
  return program;
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

void append(std::vector<std::string> &to, llvm::ArrayRef<const char *> flags) {
  to.insert(to.end(), flags.begin(), flags.end());
}

/// Ours come after the entry's, so that they win.
void addOwnFlags(CompileCommand &command, const CommandQuery &query) {
  if (command.kind == CompilerKind::Gcc)
    return append(command.arguments, kGccFlags);
  append(command.arguments, kClangFlags);
  if (query.vectorizerReasons)
    command.arguments.push_back("-Rpass-analysis=loop-vectorize");
}

void addFile(CompileCommand &command, const std::string &file) {
  std::vector<std::string> &argv = command.arguments;
  const size_t end = argv.size();
  if (command.kind == CompilerKind::Clang)
    argv.push_back("--"); // gcc has no such thing; an absolute path is no flag
  argv.push_back(file);
  if (tellsBlockFrequencies(command))
    argv.insert(argv.begin() + end, std::begin(kBlockFrequencyFlags), std::end(kBlockFrequencyFlags));
}

} // namespace

CompileCommand findCompileCommand(const std::string &file, wire::Language language, const wire::Settings &settings,
                                  const CommandQuery &query) {
  CompileCommand command;
  Source source = findSource(file, language, settings, command.notes);
  command.origin = std::move(source.origin);
  command.fallback = source.fallback;
  command.directory = std::move(source.entry.directory);

  const std::string program = takeDriver(source.entry.arguments);
  const BuildProgram build{source.database.empty() ? "" : program, command.directory, source.database};
  const Compiler compiler = chooseCompiler(build, settings, command.notes);
  command.kind = compiler.kind;
  const DriverName driver = parseDriverName(program);
  if (driver.cl)
    command.notes.push_back("the compile command is for clang-cl; its flags that begin with / are left out");
  const SafeFlags flags = selectSafeFlags(source.entry.arguments, compiler.kind);
  command.notes.insert(command.notes.end(), flags.notes.begin(), flags.notes.end());

  std::vector<std::string> &argv = command.arguments;
  argv.push_back(compiler.program);
  if (!driver.targetFlag.empty() && compiler.kind == CompilerKind::Clang)
    argv.push_back(driver.targetFlag);
  argv.insert(argv.end(), flags.flags.begin(), flags.flags.end());
  const bool isC = languageOf(flags, driver, file, language) == wire::Language::C;
  argv.insert(argv.end(), {"-x", isC ? "c" : "c++"});
  addOwnFlags(command, query);
  addFile(command, file);
  return command;
}

} // namespace analysis
