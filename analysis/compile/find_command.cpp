// Where a file's compile command comes from, and how it becomes ours.
//
// Of an entry, three things are taken: the directory, the flags that flags.h lets through, and what the name of its
// driver says (aarch64-linux-gnu-g++ means C++ for AArch64). Whether that program runs, compiler_choice.h decides.
#include "analysis/compile/command_source.h"
#include "analysis/compile/command_variants.h"
#include "analysis/compile/compile.h"
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/flags.h"
#include "analysis/compile/includes.h"
#include "analysis/compile/refused_flags.h"
#include "analysis/compile/wrappers.h"

#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace analysis {
namespace {

namespace path = llvm::sys::path;
using llvm::StringRef;

/// Sources in the editor that are looked through for a header, and the processor time for all of them.
constexpr size_t kMaxOpenFiles = 8;
constexpr std::chrono::seconds kIncluderTime{10};

constexpr const char *kDuplicationFlag = "-fdebug-info-for-profiling";

/// Assembly on standard output; line directives, whose comments hold the inline stack, and nothing else of debug
/// information; what became of loops.
constexpr const char *kClangFlags[] = {"-S", "-gline-directives-only", "-Rpass=loop-(vectorize|unroll)"};

/// Standard output; errors in one line each; no warnings, which are clangd's to show; no file of any kind.
constexpr const char *kClangOutputFlags[] = {"-o",
                                             "-",
                                             "-fno-crash-diagnostics",
                                             "-fno-color-diagnostics",
                                             "-fno-caret-diagnostics",
                                             "-fno-diagnostics-fixit-info",
                                             "-fno-diagnostics-show-option",
                                             "-fmessage-length=0",
                                             "-ferror-limit=50",
                                             "-w"};

/// What the assembler would read, with line markers and with comments, which may hold our markers.
constexpr const char *kPreprocessFlags[] = {"-E", "-C"};

/// Where variables live is not needed. clang computes it even for line directives alone, unless it uses its older
/// method, which looks only at variables that are described. That saves one part in forty of its time.
constexpr const char *kNoVariableFlags[] = {"-mllvm", "-experimental-debug-variable-locations=false"};
constexpr unsigned kClangWithVariableFlags = 22;

/// How often unrolling and vectors copied each place, in the discriminators of its line directives. clang takes this
/// for the first step of profiling and would defer inlining, which is switched off unless the command itself profiles.
constexpr const char *kNoDeferredInlining[] = {"-mllvm", "-enable-npm-pgo-inline-deferral=false"};
constexpr unsigned kClangWithDuplication = 22;
constexpr const char *kProfileFlags[] = {"-fprofile", "-fcs-profile", "-fmemory-profile",
                                         "-fpseudo-probe-for-profiling", kDuplicationFlag};

/// The same of gcc. Its least debug information holds the inline stack, with the statements that a macro or the
/// vectorizer leaves no other trace of, and the comments of -dA its blocks and their frequencies; with a tab as wide as
/// one column, columns are those of the text.
constexpr const char *kGccFlags[] = {
    "-S",       "-g1",         "-gstatement-frontiers",     "-dA",
    "-fno-lto", "-ftabstop=1", "-fopt-info-loop-optimized", "-fopt-info-vec-note-optimized-internals"};

constexpr const char *kGccOutputFlags[] = {"-o",
                                           "-",
                                           "-fno-diagnostics-show-caret",
                                           "-fno-diagnostics-show-option",
                                           "-fdiagnostics-color=never",
                                           "-fmessage-length=0",
                                           "-fmax-errors=50",
                                           "-w"};

/// The frequency of each block as the compiler estimates it, in sections of data: no instruction changes.
constexpr const char *kBlockFrequencyFlags[] = {"-fbasic-block-address-map", "-mllvm", "-pgo-analysis-map=all"};
constexpr unsigned kFirstClangWithBlockFrequencies = 22;

/// Whether the compiler can tell block frequencies: those of other targets refuse the flag.
bool tellsBlockFrequencies(const CompileCommand &command) {
  if (command.kind != CompilerKind::Clang || command.preprocesses ||
      clangVersionOf(command.arguments.front()) < kFirstClangWithBlockFrequencies)
    return false;
  const llvm::Triple triple(targetOf(command).triple);
  return (triple.isX86() || triple.isAArch64()) && triple.isOSBinFormatELF();
}

/// The command's -x, else its driver, else the file's extension; a header's language is what the editor says.
wire::Language languageOf(const SafeFlags &flags, const DriverName &driver, StringRef file, wire::Language asked) {
  if (flags.language && *flags.language != wire::Language::Assembly)
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

void addDuplicationFlags(std::vector<std::string> &arguments) {
  const bool profiles = llvm::any_of(arguments, [](StringRef argument) {
    return llvm::any_of(kProfileFlags, [&](StringRef flag) { return argument.starts_with(flag); });
  });
  if (!profiles)
    append(arguments, kNoDeferredInlining);
  arguments.push_back(kDuplicationFlag);
}

/// Ours come after the entry's, so that they win.
void addOwnFlags(CompileCommand &command, const CommandQuery &query) {
  const bool clang = command.kind == CompilerKind::Clang;
  append(command.arguments, clang ? llvm::ArrayRef(kClangOutputFlags) : llvm::ArrayRef(kGccOutputFlags));
  if (command.preprocesses)
    return append(command.arguments, kPreprocessFlags);
  append(command.arguments, clang ? llvm::ArrayRef(kClangFlags) : llvm::ArrayRef(kGccFlags));
  if (!clang)
    return;
  const unsigned version = clangVersionOf(command.arguments.front());
  if (version == kClangWithVariableFlags)
    append(command.arguments, kNoVariableFlags);
  if (version == kClangWithDuplication)
    addDuplicationFlags(command.arguments);
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

/// The language of what is compiled: an entry of another file says it only for a header.
wire::Language languageOf(const SafeFlags &flags, const DriverName &driver, const CommandSource &source,
                          const std::string &file, wire::Language asked) {
  const std::string &other = source.entry.inferredFrom;
  if (asked == wire::Language::Assembly)
    return asked;
  if (other.empty() || isHeader(file))
    return languageOf(flags, driver, other.empty() ? file : other, asked);
  return languageOf({}, {}, file, asked);
}

/// As -x takes it.
const char *nameOf(wire::Language language) {
  switch (language) {
  case wire::Language::Assembly:
    return "assembler-with-cpp";
  case wire::Language::C:
    return "c";
  case wire::Language::Cxx:
    return "c++";
  }
  return "";
}

/// The standard of one language is an error in the other.
void dropForeignStandard(SafeFlags &flags, const DriverName &driver, const CommandSource &source,
                         wire::Language language) {
  const std::string &other = source.entry.inferredFrom;
  const bool foreign = !other.empty() && languageOf(flags, driver, other, language) != language;
  if (foreign || language == wire::Language::Assembly)
    llvm::erase_if(flags.flags, [](const std::string &flag) { return StringRef(flag).starts_with("-std="); });
}

/// What clang refuses of the flags that come between the command as it is and what is `behind` them.
void leaveOutRefused(CompileCommand &command, std::vector<std::string> &flags, std::vector<std::string> behind) {
  if (command.preprocesses)
    behind.push_back("-E");
  behind.insert(behind.end(), {"--", command.compiledFile});
  const std::vector<std::string> refused = takeRefusedFlags(command.directory, command.arguments, flags, behind);
  if (!refused.empty())
    command.notes.push_back(refusedNote(refused));
}

/// What all runs of the compiler on the file share: the program, the source's safe flags and the language.
/// `triple` is another target than the source says, unless it is empty.
CompileCommand beginCommand(const CommandSource &source, const std::string &file, wire::Language asked,
                            const wire::Settings &settings, const std::string &triple = "") {
  CompileCommand command{.directory = source.entry.directory,
                         .compiledFile = file,
                         .inferredFrom = source.entry.inferredFrom,
                         .origin = source.origin,
                         .fallback = source.fallback};
  if (!command.inferredFrom.empty())
    command.origin = "inferred from " + command.inferredFrom + " (" + source.origin + ")";
  std::vector<std::string> arguments = source.entry.arguments;
  const TakenCompiler taken = takeCompiler(arguments);
  const BuildProgram build{.name = source.database.empty() ? "" : taken.name,
                           .directory = command.directory,
                           .database = source.database,
                           .file = command.inferredFrom.empty() ? file : command.inferredFrom,
                           .launcher = taken.launcher};
  const Compiler compiler = chooseCompiler(build, settings, command.notes);
  command.kind = compiler.kind;
  command.launcher = compiler.launcher;
  const DriverName driver = parseDriverName(taken.name);
  if (driver.cl)
    command.notes.push_back("the compile command is for clang-cl; its flags that begin with / are left out");
  SafeFlags flags = selectSafeFlags(arguments, compiler.kind);
  command.notes.insert(command.notes.end(), flags.notes.begin(), flags.notes.end());
  const wire::Language language = languageOf(flags, driver, source, file, asked);
  dropForeignStandard(flags, driver, source, language);

  std::vector<std::string> &argv = command.arguments;
  argv.push_back(compiler.program);
  if (!driver.targetFlag.empty() && compiler.kind == CompilerKind::Clang)
    argv.push_back(driver.targetFlag);
  command.preprocesses = language == wire::Language::Assembly;
  std::vector<std::string> behind = {"-x", nameOf(language)};
  if (!triple.empty() && compiler.kind == CompilerKind::Clang)
    behind.push_back("--target=" + triple);
  if (compiler.kind == CompilerKind::Clang)
    leaveOutRefused(command, flags.flags, behind);
  argv.insert(argv.end(), flags.flags.begin(), flags.flags.end());
  argv.insert(argv.end(), behind.begin(), behind.end());
  return command;
}

/// Finds out which sources include a header.
class IncluderSearch {
public:
  IncluderSearch(const std::string &header, wire::Language asked, const wire::Settings &settings,
                 const CommandQuery &query)
      : header_(header), asked_(asked), settings_(settings), query_(query) {
    settings_.compiler.clear(); // clang's preprocessor, whatever compiles
  }

  /// An open source that includes the header, with its own flags. One of the header's own name is tried first.
  std::optional<CommandSource> amongOpenFiles() {
    std::vector<std::string> files = query_.openFiles;
    llvm::erase_if(files, [&](const std::string &file) { return file == header_ || isHeader(file); });
    std::stable_partition(files.begin(), files.end(),
                          [&](const std::string &file) { return path::stem(file) == path::stem(header_); });
    files.resize(std::min(files.size(), kMaxOpenFiles));
    for (const std::string &file : files) {
      std::vector<std::string> notes;
      CommandSource source = findOwnFlags(file, notes);
      if (!includes(source, file))
        continue;
      source.entry.inferredFrom = file;
      return source;
    }
    return std::nullopt;
  }

  /// Whether the file, compiled with the flags of the source, includes the header.
  bool includes(const CommandSource &source, const std::string &file) {
    if (left_.count() <= 0)
      return false;
    CompileCommand command = beginCommand(source, file, asked_, settings_);
    append(command.arguments, kDependencyFlags);
    command.arguments.insert(command.arguments.end(), {"--", file});
    return printsDependency(command, header_, left_, query_.stop);
  }

private:
  CommandSource findOwnFlags(const std::string &file, std::vector<std::string> &notes) const {
    SourceSearch search(file, settings_, notes);
    if (std::optional<CommandSource> source = search.inDatabases())
      return *source;
    if (std::optional<CommandSource> source = search.inFlagsFile())
      return *source;
    return search.fallback(asked_);
  }

  const std::string &header_;
  wire::Language asked_;
  wire::Settings settings_;
  const CommandQuery &query_;
  std::chrono::milliseconds left_ = kIncluderTime;
};

struct Found {
  CommandSource source;
  std::string compiledFile;
};

/// Goes through the sources of flags in their order.
Found findSource(const std::string &file, wire::Language asked, const wire::Settings &settings,
                 const CommandQuery &query, std::vector<std::string> &notes) {
  SourceSearch search(file, settings, notes);
  if (std::optional<CommandSource> own = search.inDatabases())
    return {*own, file};
  IncluderSearch includers(file, asked, settings, query);
  const bool header = asked != wire::Language::Assembly && isHeader(file);
  if (header)
    if (std::optional<CommandSource> source = includers.amongOpenFiles())
      return {*source, source->entry.inferredFrom};
  if (std::optional<CommandSource> source = search.inFlagsFile())
    return {*source, file};
  if (std::optional<CommandSource> source = search.closest()) {
    const std::string &other = source->entry.inferredFrom;
    return {*source, header && includers.includes(*source, other) ? other : file};
  }
  return {search.fallback(asked), file};
}

/// Of a file that is built several times the command of this name, else the first.
CompileCommand chooseCommand(const Found &found, wire::Language language, const wire::Settings &settings,
                             const CommandQuery &query) {
  std::vector<CompileCommand> commands{
      beginCommand(found.source, found.compiledFile, language, settings, query.triple)};
  for (const DatabaseEntry &entry : found.source.further) {
    CommandSource source = found.source;
    source.entry = entry;
    source.entry.inferredFrom = found.source.entry.inferredFrom;
    commands.push_back(beginCommand(source, found.compiledFile, language, settings, query.triple));
  }
  const std::vector<CommandVariant> variants = commandVariants(commands);
  const auto wanted = llvm::find_if(variants, [&](const CommandVariant &one) { return one.name == query.command; });
  const CommandVariant &chosen = wanted == variants.end() ? variants.front() : *wanted;
  CompileCommand command = std::move(commands[chosen.index]);
  if (variants.size() == 1)
    return command;
  for (const CommandVariant &variant : variants)
    command.variants.push_back(variant.name);
  command.variant = chosen.name;
  command.origin += ", the command " + chosen.name;
  return command;
}

} // namespace

CompileCommand findCompileCommand(const std::string &file, wire::Language language, const wire::Settings &settings,
                                  const CommandQuery &query) {
  std::vector<std::string> notes;
  const Found found = findSource(file, language, settings, query, notes);
  CompileCommand command = chooseCommand(found, language, settings, query);
  command.notes.insert(command.notes.begin(), notes.begin(), notes.end());
  addOwnFlags(command, query);
  addFile(command, found.compiledFile);
  return command;
}

bool tellsDuplication(const CompileCommand &command) {
  return command.kind == CompilerKind::Clang && llvm::is_contained(command.arguments, kDuplicationFlag) &&
         clangVersionOf(command.arguments.front()) == kClangWithDuplication;
}

} // namespace analysis
