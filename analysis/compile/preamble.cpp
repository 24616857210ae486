// clang compares the size of each file that a precompiled header was made of, and an edit changes the size of the
// source. So the preamble is a header that a virtual file system (-ivfsoverlay) shows in the folder of the source,
// where its #include directives look first, and the compiled file includes just that.
//
// clang's own -preamble-bytes would need no empty lines, but accepts a preamble only for a source of the same size
// unless clang is a library of the program.
#include "analysis/compile/preamble.h"

#include "analysis/compile/buffer_overlay.h"
#include "analysis/compile/compiler_environment.h"
#include "analysis/compile/includes.h"
#include "analysis/compile/invocation.h"
#include "analysis/compile/modules.h"
#include "analysis/compile/optimization_record.h"
#include "analysis/compile/paths.h"
#include "analysis/compile/preamble_bounds.h"
#include "analysis/compile/prewarmed_compiler.h"
#include "analysis/process/child_process.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <span>
#include <utility>

namespace analysis {
namespace {

namespace path = llvm::sys::path;

constexpr uint64_t kMostBytes = uint64_t{64} << 20;

constexpr std::string_view kText = "preamble", kSource = "source", kOverlay = "overlay.yaml", kPrecompiled = "pch";

/// The file that only the overlay has.
std::string headerOf(const CompileCommand &command) {
  return path::parent_path(command.compiledFile).str() + "/.mca-lsp-preamble";
}

/// Has the compiler print the precompiled header, and to standard error the rule of make for it.
constexpr const char *kMakeFlags[] = {"-emit-pch", "-dependency-file", "/proc/self/fd/2", "-sys-header-deps",
                                      "-MT",       "preamble"};

/// The files of the rule without ours.
std::vector<std::string> includedBy(const std::string &rule, const CompileCommand &command, const std::string &folder) {
  std::vector<std::string> files = prerequisitesOf(rule);
  for (std::string &file : files)
    file = absolutePath(file, command.directory);
  llvm::erase_if(files, [&](const std::string &file) { return isWithin(folder, file) || file == headerOf(command); });
  return files;
}

/// The folders that the command names, and the source's.
std::vector<std::string> searchedBy(const CompileCommand &command) {
  std::vector<std::string> folders{path::parent_path(command.compiledFile).str()};
  const auto flags = std::span(command.arguments).subspan(1);
  for (const llvm::opt::Arg *flag : parseFlags(flags))
    for (const llvm::StringRef value : flag->getValues())
      if (!value.empty() && flag->getOption().matches(clang::options::OPT_I_Group))
        folders.push_back(absolutePath(value, command.directory));
  return folders;
}

std::string checksumOf(llvm::StringRef text) {
  return llvm::MD5::hash(llvm::arrayRefFromStringRef(text)).digest().str().str();
}

/// Line directives have the checksum of the source (DWARF 5), and the module from which they are made.
void replaceChecksum(std::string &output, const std::string &compiled, const std::string &text) {
  const std::string from = checksumOf(compiled), to = checksumOf(text);
  for (const std::string_view before : {"md5 0x", "checksum: \""}) {
    const std::string whole = std::string(before) + from;
    for (size_t at = output.find(whole); at != std::string::npos; at = output.find(whole, at + whole.size()))
      output.replace(at + before.size(), to.size(), to);
  }
}

} // namespace

bool Preamble::isPossible(const CompileCommand &command) {
  // The path is written into an #include.
  const bool isPlainPath = command.compiledFile.find_first_of("\"\\\n\r") == std::string::npos;
  return command.kind == CompilerKind::Clang && command.launcher.empty() && !command.preprocesses &&
         !loadsModules(command) && isPlainPath && isClang(command.arguments.front());
}

Preamble::Preamble(CompileCommand command, std::string_view text, PrivateFolder folder)
    : command_(std::move(command)), text_(text), folder_(std::move(folder)),
      compiler_(stampOfRegularFile(command_.arguments.front())) {
  removeRemarkFlags(command_.arguments);
}

bool Preamble::writeSources() const {
  const std::string header = headerOf(command_);
  std::string error; // the compile goes on without a preamble
  return folder_.write(kText, text_, error) && folder_.write(kSource, "#include \"" + header + "\"\n", error) &&
         folder_.write(kOverlay, describeOverlay(header, folder_.pathOf(kText)), error);
}

std::vector<std::string> Preamble::makingArguments(Templates templates) const {
  CompileCommand command = command_;
  command.arguments.insert(command.arguments.begin() + 1, {"-ivfsoverlay", folder_.pathOf(kOverlay)});
  command.arguments.back() = folder_.pathOf(kSource);
  std::vector<std::string> flags;
  for (const char *flag : kMakeFlags)
    flags.insert(flags.end(), {"-Xclang", flag});
  if (templates == Templates::InPreamble)
    flags.insert(flags.end(), {"-Xclang", "-fpch-instantiate-templates"});
  addClangFlags(command, flags);
  return command.arguments;
}

Preamble::Made Preamble::make(const CompileCommand &command, std::string_view text, size_t bytes, Templates templates,
                              const std::stop_token &stop, const wire::CompileLimits &limits) {
  const auto start = std::chrono::system_clock::now();
  std::string error;
  std::optional<PrivateFolder> folder = PrivateFolder::create(error);
  if (!folder)
    return {};
  Preamble preamble(command, text.substr(0, bytes), std::move(*folder));
  if (!preamble.writeSources())
    return {};
  const ChildResult child =
      runChild({command.directory, preamble.makingArguments(templates), compilerEnvironment(), command.confinement},
               {.time = limits.time, .outputBytes = kMostBytes, .memoryBytes = limits.memoryBytes}, stop);
  if (child.end == ChildResult::End::Stopped || stop.stop_requested())
    return {{}, Failure::Cancelled};
  if (child.end != ChildResult::End::Exited || child.status != 0 ||
      !preamble.folder_.write(kPrecompiled, child.output, error))
    return {};
  const std::vector<std::string> files = includedBy(child.errors, command, preamble.folder_.path());
  // A preamble that includes its own source would see another text in it.
  const auto isSource = [&](const std::string &file) { return isSameFile(file, command.compiledFile); };
  if (files.empty() || llvm::any_of(files, isSource))
    return {};
  preamble.size_ = child.output.size();
  preamble.included_ = IncludedFiles::of(files, searchedBy(command), start);
  if (!preamble.included_)
    return {{}, Failure::Changed};
  return {std::move(preamble)};
}

bool Preamble::fits(const CompileCommand &command, std::string_view text, size_t bytes) const {
  if (bytes != text_.size() || !text.starts_with(text_))
    return false;
  std::vector<std::string> arguments = command.arguments;
  removeRemarkFlags(arguments);
  return arguments == command_.arguments && command.directory == command_.directory &&
         command.compiledFile == command_.compiledFile && command.confinement == command_.confinement;
}

bool Preamble::isCurrent() const {
  return compiler_ == stampOfRegularFile(command_.arguments.front()) && included_->areUnchanged();
}

CompileResult Preamble::compile(CompileCommand command, const std::string &text, const std::stop_token &stop,
                                PrewarmedCompiler *ready, const wire::CompileLimits &limits) const {
  CompileResult result = compileWith(lend(), std::move(command), text, stop, ready, limits);
  result.usedPreamble = true;
  result.plainMicros = plainMicros_;
  return result;
}

CompileResult Preamble::compileWith(const wire::LentPreamble &preamble, CompileCommand command, const std::string &text,
                                    const std::stop_token &stop, PrewarmedCompiler *ready,
                                    const wire::CompileLimits &limits) {
  const auto pathOf = [&](std::string_view name) { return preamble.folder + "/" + std::string(name); };
  command.arguments.insert(command.arguments.begin() + 1, {"-ivfsoverlay", pathOf(kOverlay)});
  addClangFlags(command, {"-Xclang", "-include-pch", "-Xclang", pathOf(kPrecompiled)});
  const UnsavedText rest{command.compiledFile, withoutPreamble(text, preamble.bytes)};
  CompileResult result = analysis::compile(command, stop, &rest, ready, limits);
  replaceChecksum(result.assembly, rest.text, text);
  return result;
}

} // namespace analysis
