// From the entry of a database to the command that we run.
//
// Three things of an entry are used: the directory, the flags that pass flags.h, and what the name of its driver says
// (compiler_choice.h, which also decides whether that program runs).
#include "analysis/compile/command_source.h"
#include "analysis/compile/command_variants.h"
#include "analysis/compile/compile.h"
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/compiler_confinement.h"
#include "analysis/compile/flags.h"
#include "analysis/compile/includers.h"
#include "analysis/compile/includes.h"
#include "analysis/compile/modules.h"
#include "analysis/compile/optimization_record.h"
#include "analysis/compile/paths.h"
#include "analysis/compile/plain_files.h"
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

/// The limits of the search for a source that includes a file: the open ones and those of the database that the
/// preprocessor runs on, and processor time for all of them.
constexpr size_t kMaxIncluders = 8;
constexpr std::chrono::seconds kIncluderTime{10};

/// Assembly with line directives, whose comments have the inline stack, and no further debug information.
constexpr const char *kClangFlags[] = {"-S", "-gline-directives-only"};

constexpr const char *kClangOutputFlags[] = {
    // Standard output, and no files: a crash would leave a reproducer.
    "-o", "-", "-fno-crash-diagnostics",
    // One line for each error. clangd shows the warnings.
    "-fno-color-diagnostics", "-fno-caret-diagnostics", "-fno-diagnostics-fixit-info", "-fno-diagnostics-show-option",
    "-fmessage-length=0", "-ferror-limit=50", "-w"};

/// Line markers lead back to the buffer (source_map/preprocessed.h); comments may hold region markers.
constexpr const char *kPreprocessFlags[] = {"-E", "-C"};

/// The version that has the -mllvm options below: such options come and go with versions, and an unknown one is an
/// error.
constexpr unsigned kClangWithOptions = 22;

/// The places of variables are not needed, but clang computes them even for line directives alone. Its older method
/// looks only at variables that are described, of which there are none: that saves 2.5 % of its time.
constexpr const char *kNoVariableFlags[] = {"-mllvm", "-experimental-debug-variable-locations=false"};

/// Has clang put the number of copies that unrolling and vectorizing made of each place into the discriminators of its
/// line directives (regions/duplication.h). The flag is meant for a first build before profiling, so that clang would
/// also defer inlining; that is switched off unless the command itself profiles.
constexpr const char *kDuplicationFlag = "-fdebug-info-for-profiling";
constexpr const char *kNoDeferredInlining[] = {"-mllvm", "-enable-npm-pgo-inline-deferral=false"};
constexpr const char *kProfileFlags[] = {"-fprofile", "-fcs-profile", "-fmemory-profile",
                                         "-fpseudo-probe-for-profiling", kDuplicationFlag};

/// Has clang refuse the file of a module if what it was made of has another size by now: its code and lines would be
/// those of before. clang does so by itself only for other kinds of precompiled files.
constexpr const char *kModuleFlags[] = {"-Xclang", "-fforce-check-cxx20-modules-input-files"};
constexpr unsigned kFirstClangWithModuleFlags = 17;

/// The same for gcc. -g1 has the inline stack; -gstatement-frontiers adds statements that a macro or the vectorizer
/// leaves no other trace of; the comments of -dA have the blocks and their frequencies. With -ftabstop=1, a column of a
/// message is one of the text.
constexpr const char *kGccFlags[] = {
    "-S",       "-g1",         "-gstatement-frontiers",     "-dA",
    "-fno-lto", "-ftabstop=1", "-fopt-info-loop-optimized", "-fopt-info-vec-note-optimized-missed-internals"};

constexpr const char *kGccOutputFlags[] = {"-o", "-",
                                           // One line for each error.
                                           "-fno-diagnostics-show-caret", "-fno-diagnostics-show-option",
                                           "-fdiagnostics-color=never", "-fmessage-length=0", "-fmax-errors=50", "-w"};

/// The frequency of each block as clang estimates it, in a section of its own (SHT_LLVM_BB_ADDR_MAP): no instruction
/// changes.
constexpr const char *kBlockFrequencyFlags[] = {"-fbasic-block-address-map", "-mllvm", "-pgo-analysis-map=all"};
constexpr unsigned kFirstClangWithBlockFrequencies = 22;

/// Whether clang accepts kBlockFrequencyFlags: it refuses them for other targets.
bool hasBlockFrequencies(const CompileCommand &command) {
  if (command.kind != CompilerKind::Clang || command.preprocesses ||
      clangVersionOf(command.arguments.front()) < kFirstClangWithBlockFrequencies)
    return false;
  const llvm::Triple triple(targetOf(command).triple);
  return (triple.isX86() || triple.isAArch64()) && triple.isOSBinFormatELF();
}

/// The command's -x, else that of its driver, else that of the file's extension; for a header, what the editor says.
wire::Language languageOf(const SafeFlags &flags, const DriverName &driver, StringRef file, wire::Language asked) {
  if (flags.language && *flags.language != wire::Language::Assembly)
    return *flags.language;
  if (driver.cxx)
    return wire::Language::Cxx;
  using namespace clang::driver::types;
  const ID type = lookupTypeForExtension(path::extension(file).drop_front(path::has_extension(file)));
  return type == TY_C ? wire::Language::C : type == TY_CXX ? wire::Language::Cxx : asked;
}

void addDuplicationFlags(std::vector<std::string> &arguments) {
  const bool profiles = llvm::any_of(arguments, [](StringRef argument) {
    return llvm::any_of(kProfileFlags, [&](StringRef flag) { return argument.starts_with(flag); });
  });
  if (!profiles)
    llvm::append_range(arguments, kNoDeferredInlining);
  arguments.push_back(kDuplicationFlag);
}

/// Adds our own flags. They come after the entry's: of contradicting flags the last one counts.
void addOwnFlags(CompileCommand &command, const CommandQuery &query) {
  std::vector<std::string> &argv = command.arguments;
  const bool clang = command.kind == CompilerKind::Clang;
  llvm::append_range(argv, clang ? llvm::ArrayRef(kClangOutputFlags) : llvm::ArrayRef(kGccOutputFlags));
  if (command.preprocesses) {
    llvm::append_range(argv, kPreprocessFlags);
    return;
  }
  llvm::append_range(argv, clang ? llvm::ArrayRef(kClangFlags) : llvm::ArrayRef(kGccFlags));
  if (!clang)
    return;
  if (loadsModules(command) && clangVersionOf(argv.front()) >= kFirstClangWithModuleFlags)
    llvm::append_range(argv, kModuleFlags);
  const bool isOurVersion = clangVersionOf(argv.front()) == kClangWithOptions;
  if (query.reasons)
    llvm::append_range(argv, recordFlags(isOurVersion ? "bitstream" : "yaml"));
  else
    argv.push_back(kLoopMessagesFlag);
  if (isOurVersion) {
    llvm::append_range(argv, kNoVariableFlags);
    addDuplicationFlags(argv);
  }
  // Full debug information changes no instruction, but the output is several times as long.
  if (query.variableLocations)
    argv.push_back("-g");
}

void addFile(CompileCommand &command, const std::string &file) {
  std::vector<std::string> &argv = command.arguments;
  const size_t end = argv.size();
  if (command.kind == CompilerKind::Clang)
    argv.push_back("--"); // gcc has no such argument; an absolute path is no flag
  argv.push_back(file);
  if (hasBlockFrequencies(command))
    argv.insert(argv.begin() + end, std::begin(kBlockFrequencyFlags), std::end(kBlockFrequencyFlags));
}

/// The language of the compiled file. The entry of another file determines it only for what is compiled as a part of
/// that file, and for a header.
wire::Language languageOf(const SafeFlags &flags, const DriverName &driver, const CommandSource &source,
                          const std::string &file, wire::Language asked) {
  const std::string &other = source.entry.inferredFrom;
  if (asked == wire::Language::Assembly)
    return asked;
  if (other.empty() || other == file || isHeader(file))
    return languageOf(flags, driver, other.empty() ? file : other, asked);
  return languageOf({}, {}, file, asked);
}

/// The language's name for -x.
const char *nameOf(wire::Language language) {
  if (language == wire::Language::Assembly)
    return "assembler-with-cpp";
  return language == wire::Language::C ? "c" : "c++";
}

/// Drops -std= if the entry is another language's: the standard of one language is an error in the other.
void dropForeignStandard(SafeFlags &flags, const DriverName &driver, const CommandSource &source,
                         wire::Language language) {
  const std::string &other = source.entry.inferredFrom;
  const bool foreign = !other.empty() && languageOf(flags, driver, other, language) != language;
  if (foreign || language == wire::Language::Assembly)
    llvm::erase_if(flags.flags, [](const std::string &flag) { return StringRef(flag).starts_with("-std="); });
}

/// Removes the flags that clang refuses between the arguments that the command has already and those that come `after`.
void leaveOutRefused(CompileCommand &command, std::vector<std::string> &flags, std::vector<std::string> after) {
  if (command.preprocesses)
    after.push_back("-E");
  llvm::append_values(after, "--", command.compiledFile);
  const std::vector<std::string> refused = takeRefusedFlags(command.directory, command.arguments, flags, after);
  if (!refused.empty())
    command.notes.push_back(refusedNote(refused));
}

/// The folders whose files of modules are loaded: those that the user opened or allowed, that of the file, and that of
/// its database.
std::vector<std::string> projectOf(const CommandSource &source, const std::string &file,
                                   const wire::Settings &settings) {
  std::vector<std::string> folders = settings.projectFolders;
  llvm::append_range(folders, settings.readableFolders);
  folders.push_back(path::parent_path(file).str());
  if (!source.database.empty())
    folders.push_back(path::parent_path(source.database).str());
  return folders;
}

/// The part that all runs of a compiler on the file share: the program, the source's safe flags and the language.
CompileCommand beginCommand(const CommandSource &source, const std::string &file, wire::Language asked,
                            const wire::Settings &settings, const CommandQuery &query = {}) {
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
  const bool clang = compiler.kind == CompilerKind::Clang;
  command.kind = compiler.kind;
  command.launcher = compiler.launcher;
  const DriverName driver = parseDriverName(taken.name);
  if (driver.cl)
    command.notes.push_back("the compile command is for clang-cl; its flags that begin with / are left out");
  const auto isOfProject = [&](StringRef name) {
    return leadsBelow(absolutePath(name, command.directory), projectOf(source, file, settings));
  };
  SafeFlags flags = selectSafeFlags(arguments, compiler.kind, isOfProject);
  llvm::append_range(command.notes, flags.notes);
  const wire::Language language = languageOf(flags, driver, source, file, asked);
  dropForeignStandard(flags, driver, source, language);

  std::vector<std::string> &argv = command.arguments;
  argv.push_back(compiler.program);
  if (!driver.targetFlag.empty() && clang)
    argv.push_back(driver.targetFlag);
  command.preprocesses = language == wire::Language::Assembly;
  std::vector<std::string> after = {"-x", nameOf(language)};
  const std::string &target = query.triple.empty() && source.fallback ? query.fallbackTriple : query.triple;
  if (!target.empty() && clang)
    after.push_back("--target=" + target);
  if (clang)
    leaveOutRefused(command, flags.flags, after);
  llvm::append_range(argv, flags.flags);
  llvm::append_range(argv, after);
  return command;
}

/// Finds a source that includes a file without a command of its own. A header seldom compiles alone, and neither does a
/// source that others include; the flags of both are those of the sources.
struct IncluderSearch {
  const std::string &part;
  wire::Language asked;
  wire::Settings settings; ///< without a compiler: clang preprocesses, whichever one compiles
  const CommandQuery &query;
  std::chrono::milliseconds left = kIncluderTime;

  /// An open source that includes the part, with its own flags. Of a header's, one with its name is tried first, so
  /// that the other open files do not decide what it shows. Those whose text says so are next, and then all others: any
  /// may include a header by way of other headers.
  std::optional<CommandSource> amongOpenFiles() {
    std::vector<std::string> files = query.openFiles;
    llvm::erase_if(files, [&](const std::string &file) { return file == part || !mayInclude(file); });
    std::vector<std::string> candidates = likelyIncluders(part, files);
    if (isHeader(part)) {
      llvm::copy_if(files, std::back_inserter(candidates),
                    [&](const std::string &file) { return !llvm::is_contained(candidates, file); });
      std::stable_partition(candidates.begin(), candidates.end(),
                            [&](const std::string &file) { return path::stem(file) == path::stem(part); });
    }
    return firstOf(std::move(candidates), /*isOpen=*/true);
  }

  /// A source of the database that includes the part. `closest`: the one that LLVM's tooling takes for the closest.
  std::optional<CommandSource> inDatabase(const CommandSource &closest) {
    const std::string &other = closest.entry.inferredFrom;
    if (isHeader(part) && includes(closest, other, /*isOpen=*/false))
      return closest;
    std::vector<std::string> sources = filesOfDatabase(closest.database);
    llvm::erase_if(sources, [&](const std::string &file) { return !mayInclude(file); });
    return firstOf(likelyIncluders(part, std::move(sources)), /*isOpen=*/false);
  }

  std::optional<CommandSource> firstOf(std::vector<std::string> candidates, bool isOpen) {
    candidates.resize(std::min(candidates.size(), kMaxIncluders));
    for (const std::string &file : candidates) {
      CommandSource source = findOwnFlags(file);
      if (!includes(source, file, isOpen))
        continue;
      source.entry.inferredFrom = file;
      return source;
    }
    return std::nullopt;
  }

  /// Whether the file is a source in a language that can include the part's.
  bool mayInclude(StringRef file) const {
    const bool isAssembly = file.ends_with(".S") || file.ends_with(".sx");
    return asked == wire::Language::Assembly ? isAssembly : !isAssembly && !isHeader(file.str());
  }

  /// Whether the file, compiled with the flags of the source, includes the part. A database can name any file of the
  /// machine, and -include in its flags the part: unless the user opened the file, it has to be one of the project.
  bool includes(const CommandSource &source, const std::string &file, bool isOpen) {
    if (left.count() <= 0)
      return false;
    CompileCommand command = beginCommand(source, file, asked, settings);
    if (!isOpen && !isOfProject(command, source, file))
      return false;
    llvm::append_range(command.arguments, kDependencyFlags);
    llvm::append_values(command.arguments, "--", file);
    if (query.confined)
      command.confinement = confinementOf(command, source.database, settings);
    return printsDependency(command, part, left, query.stop);
  }

  bool isOfProject(CompileCommand command, const CommandSource &source, const std::string &file) const {
    command.compiledFile = part;
    return leadsBelow(file, quotableFolders(command, source.database, settings));
  }

  CommandSource findOwnFlags(const std::string &file) const {
    SearchRecord record; // about another file: not shown
    SourceSearch search(file, settings, record);
    std::optional<CommandSource> source = search.inDatabases();
    if (!source)
      source = search.inFlagsFile();
    return source ? *source : search.fallback(asked);
  }
};

struct Found {
  CommandSource source;
  std::string compiledFile;
};

/// Tries the sources of flags in the order of findCompileCommand().
Found findSource(const std::string &file, wire::Language asked, const wire::Settings &settings,
                 const CommandQuery &query, SearchRecord &record) {
  SourceSearch search(file, settings, record);
  if (std::optional<CommandSource> own = search.inDatabases())
    return {*own, file};
  IncluderSearch includers{file, asked, settings, query};
  includers.settings.compiler.clear();
  if (std::optional<CommandSource> source = includers.amongOpenFiles())
    return {*source, source->entry.inferredFrom};
  if (std::optional<CommandSource> source = search.inFlagsFile())
    return {*source, file};
  if (const std::optional<CommandSource> closest = search.closest()) {
    if (const std::optional<CommandSource> source = includers.inDatabase(*closest))
      return {*source, source->entry.inferredFrom};
    return {*closest, file};
  }
  return {search.fallback(asked), file};
}

/// The command that the query names, of a file that is built several times; else the first.
CompileCommand chooseCommand(const Found &found, wire::Language language, const wire::Settings &settings,
                             const CommandQuery &query) {
  CommandSource source = found.source;
  std::vector<CompileCommand> commands{beginCommand(source, found.compiledFile, language, settings, query)};
  for (const DatabaseEntry &entry : found.source.further) {
    source.entry = entry;
    source.entry.inferredFrom = found.source.entry.inferredFrom; // also if the entry is that of an including source
    commands.push_back(beginCommand(source, found.compiledFile, language, settings, query));
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

/// Applies the query's changes. What is added comes after the command's own flags, of which the last one counts.
void changeFlags(CompileCommand &command, const CommandQuery &query) {
  std::vector<std::string> &argv = command.arguments;
  argv.erase(std::remove_if(argv.begin() + 1, argv.end(),
                            [&](const std::string &flag) { return llvm::is_contained(query.removedFlags, flag); }),
             argv.end());
  llvm::append_range(argv, selectSafeFlags(query.addedFlags, command.kind).flags);
}

} // namespace

CompileCommand findCompileCommand(const std::string &file, wire::Language language, const wire::Settings &settings,
                                  const CommandQuery &query) {
  SearchRecord record;
  const Found found = findSource(file, language, settings, query, record);
  CompileCommand command = chooseCommand(found, language, settings, query);
  command.notes.insert(command.notes.begin(), record.notes.begin(), record.notes.end());
  command.readFrom = std::move(record.files);
  changeFlags(command, query);
  addOwnFlags(command, query);
  addFile(command, found.compiledFile);
  command.quotable = quotableFolders(command, found.source.database, settings);
  if (query.confined && !isBuildsOwn(command, settings))
    command.confinement = confinementOf(command, found.source.database, settings);
  return command;
}

bool tellsDuplication(const CompileCommand &command) {
  return command.kind == CompilerKind::Clang && llvm::is_contained(command.arguments, kDuplicationFlag) &&
         clangVersionOf(command.arguments.front()) == kClangWithOptions;
}

} // namespace analysis
