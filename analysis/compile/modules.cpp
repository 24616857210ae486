// clang's messages are those of clang/include/clang/Basic/DiagnosticSerializationKinds.td and DiagnosticLexKinds.td.
#include "analysis/compile/modules.h"

#include "analysis/compile/invocation.h"
#include "analysis/compile/paths.h"
#include "analysis/files/regular_file.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <span>

namespace analysis {
namespace {

namespace path = llvm::sys::path;
using llvm::StringRef;
using namespace clang::options;

/// The suffixes that compilers and CMake know. clang's own table lacks Microsoft's .ixx.
constexpr StringRef kModuleSuffixes[] = {".cppm", ".ixx", ".ccm", ".cxxm", ".c++m"};

/// The files in one folder of prebuilt modules that are looked at.
constexpr size_t kMaxPrebuilt = 4096;
/// Only the first lines of a module's source are read: they hold its declaration.
constexpr uint64_t kMaxSourceBytes = 8u << 20;

struct ModuleFile {
  std::string name; ///< "vecmath", "vecmath:part"
  std::string file; ///< absolute
};

void addPrebuilt(const std::string &folder, std::vector<ModuleFile> &modules) {
  std::error_code error;
  size_t seen = 0;
  for (llvm::sys::fs::directory_iterator file(folder, error), end; !error && file != end && seen < kMaxPrebuilt;
       file.increment(error), ++seen)
    if (path::extension(file->path()) == ".pcm") {
      // clang looks for the partition "m:part" in "m-part.pcm".
      std::string name = path::stem(file->path()).str();
      std::replace(name.begin(), name.end(), '-', ':');
      modules.push_back({std::move(name), file->path()});
    }
}

std::vector<ModuleFile> modulesOf(const CompileCommand &command) {
  std::vector<ModuleFile> modules;
  const llvm::opt::InputArgList flags = parseFlags(std::span(command.arguments).subspan(1));
  for (const llvm::opt::Arg *flag : flags.filtered(OPT_fmodule_file)) {
    const auto [name, file] = StringRef(flag->getValue()).split('=');
    modules.push_back({name.str(), absolutePath(file, command.directory)});
  }
  for (const llvm::opt::Arg *flag : flags.filtered(OPT_fprebuilt_module_path))
    addPrebuilt(absolutePath(flag->getValue(), command.directory), modules);
  return modules;
}

// ---- declarations in the text --------------------------------------------------------------------------------------

/// What a line imports or which module it declares: "vecmath", ":part", "<vector>"; empty for any other line.
/// `declares`: whether it is the declaration of an interface.
StringRef moduleNamedIn(StringRef line, bool &declares) {
  line = line.ltrim();
  const bool isExported = line.consume_front("export") && line.starts_with(" ");
  line = line.ltrim();
  const bool isModule = line.consume_front("module");
  if (!isModule && !line.consume_front("import"))
    return "";
  // "import<vector>;" needs no blank; "important = 1;" is none.
  if (line.empty() || !(line.front() == ' ' || line.front() == '\t' || line.front() == '<' || line.front() == '"'))
    return "";
  declares = isModule && isExported;
  return line.trim().take_until([](char c) { return c == ';' || c == '['; }).rtrim();
}

/// The 1-based line that imports the module, or is of its implementation; of a module that is imported by others, the
/// first import. 0 if there is none.
uint32_t importLineOf(StringRef text, StringRef name) {
  uint32_t first = 0, line = 0;
  for (const StringRef one : llvm::split(text, '\n')) {
    ++line;
    bool declares = false;
    const StringRef named = moduleNamedIn(one, declares);
    if (named.empty() || declares)
      continue;
    if (!name.empty() && (named == name || (named.starts_with(":") && name.ends_with(named))))
      return line;
    first = first ? first : line;
  }
  return first;
}

/// The module of which a source is the interface; empty for any other source.
std::string declaredIn(StringRef source) {
  for (const StringRef line : llvm::split(source, '\n')) {
    bool declares = false;
    const StringRef name = moduleNamedIn(line, declares);
    if (declares)
      return name.str();
  }
  return "";
}

// ---- clang's messages ----------------------------------------------------------------------------------------------

/// The text between the first two quotes after `before`.
StringRef quotedAfter(StringRef message, StringRef before) {
  const size_t at = message.find((before + "'").str());
  return at == StringRef::npos ? StringRef() : message.drop_front(at + before.size() + 1).split('\'').first;
}

std::string buildAgain(const std::string &name, StringRef file) {
  return "module '" + name + "' has changed since the build made " + path::filename(file).str() +
         " of it: build the project again, then save this file";
}

/// An error about a module in words that say what to do.
struct Explained {
  std::string module; ///< empty if unknown
  std::string message;
};

/// Of a file that clang does not load.
Explained refusedFile(StringRef message, StringRef file, const CompileCommand &command) {
  std::string name;
  for (const ModuleFile &module : modulesOf(command))
    if (module.file == absolutePath(file, command.directory))
      name = module.name;
  const std::string title = name.empty() ? "the module's file " + file.str() : "the file of module '" + name + "'";
  if (message.contains("has been modified since"))
    return {name, name.empty() ? title + " is older than what it was made of: build the project again"
                               : buildAgain(name, file)};
  if (message.contains("not found"))
    return {name, title + " is not there: build the project, then save this file (" + file.str() + ")"};
  return {name, title +
                    " is not loaded: build the project with the clang and the flags that are used here, or set "
                    "mca.compiler to the build's clang (" +
                    message.str() + ")"};
}

std::optional<Explained> explain(StringRef message, const CompileCommand &command) {
  if (message.contains("cannot be imported because it is not known to be a header unit"))
    return Explained{"", "header units are not supported: `#include` the header in place of its import"};
  StringRef name = quotedAfter(message, "failed to find module file for module ");
  if (name.empty() && message.starts_with("module ") && message.ends_with("not found"))
    name = quotedAfter(message, "module ");
  if (!name.empty())
    return Explained{name.str(),
                     "module '" + name.str() +
                         "' is not found: build the project with clang, so that the compile command names the "
                         "module's file (-fmodule-file=" +
                         name.str() + "=FILE or -fprebuilt-module-path=FOLDER); gcc's modules are not supported"};
  for (const StringRef before : {"module file ", "precompiled file "})
    if (const StringRef file = quotedAfter(message, before); !file.empty())
      return refusedFile(message, file, command);
  if (message.contains("is not a valid module file") || message.contains("is not a valid precompiled file"))
    return refusedFile(message, quotedAfter(message, "file "), command);
  if (message.contains("malformed or corrupted"))
    return Explained{"", "a module's file is not loaded: build the project again (" + message.str() + ")"};
  return std::nullopt;
}

CompilerDiagnostic at(uint32_t line, const std::string &path, std::string message) {
  CompilerDiagnostic error{.message = std::move(message)};
  if (line) {
    error.path = path;
    error.line = line;
    error.column = 1;
  }
  return error;
}

} // namespace

bool isModuleSource(const std::string &file) {
  return llvm::is_contained(kModuleSuffixes, path::extension(file));
}

bool loadsModules(const CompileCommand &command) {
  return llvm::any_of(command.arguments, [](StringRef argument) {
    return argument.starts_with("-fmodule-file=") || argument.starts_with("-fprebuilt-module-path=");
  });
}

std::vector<std::string> moduleFilesOf(const CompileCommand &command) {
  std::vector<std::string> files;
  for (ModuleFile &module : modulesOf(command))
    files.push_back(std::move(module.file));
  return files;
}

std::optional<CompilerDiagnostic> moduleErrorOf(const std::vector<CompilerDiagnostic> &errors,
                                                const CompileCommand &command, const std::string &path,
                                                std::string_view text) {
  for (const CompilerDiagnostic &error : errors)
    if (const std::optional<Explained> explained = explain(error.message, command)) {
      const bool isPlaced = error.line && isSameFile(error.path, path);
      return at(isPlaced ? error.line : importLineOf(text, explained->module), path, explained->message);
    }
  // gcc calls an import an unknown type, as its flags for modules are left out.
  const uint32_t line = command.kind == CompilerKind::Gcc && !errors.empty() ? importLineOf(text, "") : 0;
  const bool isAtImport =
      line && llvm::any_of(errors, [&](const CompilerDiagnostic &error) { return error.line == line; });
  if (!isAtImport)
    return std::nullopt;
  return at(line, path,
            "modules of gcc are not supported: analyse the file with clang, and with modules that clang made");
}

std::optional<CompilerDiagnostic> oldModuleErrorOf(const std::vector<std::string> &sources,
                                                   const CompileCommand &command, const std::string &path,
                                                   std::string_view text) {
  if (!loadsModules(command))
    return std::nullopt;
  const std::vector<ModuleFile> modules = modulesOf(command);
  for (const std::string &source : sources) {
    if (source == command.compiledFile || !isModuleSource(source))
      continue;
    const RegularFile read = readRegularFile(source, kMaxSourceBytes);
    const std::string name = read.isRead() ? declaredIn(read.text) : "";
    const auto module = llvm::find_if(modules, [&](const ModuleFile &one) { return one.name == name; });
    if (name.empty() || module == modules.end())
      continue;
    const std::optional<FileStamp> made = stampOfRegularFile(module->file);
    if (made && made->modified < read.stamp.modified)
      return at(importLineOf(text, name), path, buildAgain(name, module->file));
  }
  return std::nullopt;
}

} // namespace analysis
