// One run of the compiler, and the result that its exit and its messages stand for. A crash of clang is the file's
// failure and not ours: it runs in a process of its own.
#include "analysis/compile/compile.h"
#include "analysis/compile/buffer_overlay.h"
#include "analysis/compile/compiler_environment.h"
#include "analysis/compile/compiler_messages.h"
#include "analysis/compile/gnu_spelling.h"
#include "analysis/compile/invocation.h"
#include "analysis/compile/optimization_record.h"
#include "analysis/compile/paths.h"
#include "analysis/compile/prewarmed_compiler.h"
#include "analysis/process/child_process.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/FileSystem.h"

#include <chrono>
#include <cstring>
#include <optional>
#include <span>
#include <unistd.h>

namespace analysis {
namespace {

using llvm::StringRef;
using End = ChildResult::End;

/// What compilers print if an allocation fails: LLVM, gcc and the C++ library.
constexpr StringRef kOutOfMemory[] = {"LLVM ERROR: out of memory", ": out of memory allocating ", "std::bad_alloc"};

/// The size limit of each file that a launcher writes. A cache's files are as large as what the compiler prints.
constexpr uint64_t kLauncherFileBytes = uint64_t{1} << 30;

std::string programName(const CompileCommand &command) {
  const std::string &path = command.arguments.front();
  return path.substr(path.find_last_of('/') + 1);
}

// ---- what its messages may quote -----------------------------------------------------------------------------------

/// Whether the text of a file that a message names may be shown. If the compiled file's path has a line end, a path in
/// a message may be half of one, and names nothing.
bool mayQuote(const CompileCommand &command, const std::string &file) {
  if (file.starts_with('<') || file == command.compiledFile) // "<built-in>", "<command line>"
    return true;
  if (StringRef(command.compiledFile + command.directory).contains('\n'))
    return false;
  const std::string resolved = resolveLinks(file);
  return llvm::any_of(command.quotable, [&](StringRef folder) { return isWithin(folder, resolved); });
}

/// The file that a message without a place may quote: a flag's value, as in "malformed sanitizer ignorelist: …".
std::string unquotableFlagFileIn(StringRef message, const CompileCommand &command) {
  for (const llvm::opt::Arg *flag : parseFlags(std::span(command.arguments).subspan(1)))
    for (const StringRef value : flag->getValues())
      if (!value.empty() && message.contains(value))
        if (std::string file = absolutePath(value, command.directory);
            llvm::sys::fs::is_regular_file(file) && !mayQuote(command, file))
          return file;
  return "";
}

/// The kernel's refusal quotes nothing.
void hideFlagFile(CompilerDiagnostic &diagnostic, const CompileCommand &command) {
  if (!diagnostic.path.empty() || StringRef(diagnostic.message).contains("Permission denied"))
    return;
  if (const std::string file = unquotableFlagFileIn(diagnostic.message, command); !file.empty())
    diagnostic.message = wordsWithoutText(file);
}

/// The first line that the compiler printed, unless it may quote what must not be shown.
StringRef quotableLine(StringRef line, const CompileCommand &command) {
  const auto isQuotable = [&](const std::string &file) { return mayQuote(command, file); };
  const bool quotes =
      !unquotableFileOf(line, command.directory, isQuotable).empty() || !unquotableFlagFileIn(line, command).empty();
  return quotes ? "" : line;
}

// ---- the compiler's end --------------------------------------------------------------------------------------------

std::string notFound(const CompileCommand &command) {
  const std::string &program = command.arguments.front();
  if (programName(command) == "clang-22")
    return program + " was not found; install the package clang-22 or set mca.compiler";
  return program + " was not found; mca.compiler has to be an absolute path or a program in PATH";
}

/// With the first line that the compiler printed, for an end that no diagnostic explains.
std::string withFirstLine(const std::string &text, StringRef errors, const CompileCommand &command) {
  const StringRef line = quotableLine(errors.split('\n').first, command);
  return line.empty() ? text : text + ": " + line.str();
}

/// clang's crash handler (llvm::PrettyStackTraceEntry) prints its steps, the innermost last, as
/// "1.<tab>file:line:column: step".
std::string describeCrash(const CompileCommand &command, int signal, StringRef errors) {
  std::string text = programName(command) + " crashed with signal " + std::to_string(signal);
  StringRef step;
  for (const StringRef line : llvm::split(errors, '\n'))
    if (const size_t dot = line.find(".\t"); dot == 1 || dot == 2)
      step = quotableLine(line.substr(dot + 2), command);
  return step.empty() ? text : text + " at " + step.str();
}

std::string describeEnd(const ChildResult &child, const CompileCommand &command, const ChildLimits &limits) {
  using Reached = wire::TimeLimit::Reached;
  const std::string program = programName(command);
  switch (child.end) {
  case End::Exited:
    // The driver runs the compiler proper in its own process, catches a crash and exits with 128 + signal, as a shell
    // does.
    if (child.status > 128)
      return describeCrash(command, child.status - 128, child.errors);
    return withFirstLine(program + " exited with status " + std::to_string(child.status), child.errors, command);
  case End::Signalled:
    return describeCrash(command, child.status, child.errors);
  case End::NoDirectory:
    return "the compile command's directory " + command.directory + " cannot be entered: " + strerror(child.status);
  case End::NoProgram:
    return child.status == ENOENT ? notFound(command)
                                  : command.arguments.front() + " cannot be run: " + strerror(child.status);
  case End::NotStarted:
    return program + " could not be started: " + strerror(child.status);
  case End::TimeLimit:
  case End::IdleLimit:
    return program + " did not finish: " +
           describeLimit(child.end == End::IdleLimit ? Reached::Idle : Reached::ProcessorTime, limits.time,
                         wire::kCompileTimeOption);
  case End::OutputLimit:
    return program + " printed more than " + std::to_string(limits.outputBytes >> 20) + " MiB of assembly";
  case End::MemoryLimit:
    return program + " used more than " + std::to_string(limits.memoryBytes >> 20) + " MiB of memory, the limit of " +
           wire::kCompileMemoryOption;
  case End::ProcessLimit:
    return program + " was ended: it had started more than " + std::to_string(limits.processes) + " processes";
  case End::WaitedForFile:
    return program + " was ended: it waited for " + child.waitedFor + ", which is no regular file";
  case End::Stopped:
    return "";
  }
  return "";
}

/// What is executed. A launcher keeps files, which the compiler alone may not; a program that it starts inherits that.
ChildCommand childOf(const CompileCommand &command) {
  ChildCommand child{command.directory, command.launcher, compilerEnvironment(!command.launcher.empty()),
                     command.confinement};
  llvm::append_range(child.arguments, command.arguments);
  return child;
}

bool crashed(const ChildResult &child) {
  return child.end == End::Signalled || (child.end == End::Exited && child.status > 128);
}

/// clang and gcc say so and end in ways that differ.
bool isOutOfMemory(const ChildResult &child) {
  const bool failed = child.end == End::Signalled || (child.end == End::Exited && child.status != 0);
  return failed && llvm::any_of(kOutOfMemory, [&](StringRef words) { return StringRef(child.errors).contains(words); });
}

bool reachedLimit(const ChildResult &child) {
  return llvm::is_contained(
      {End::TimeLimit, End::IdleLimit, End::OutputLimit, End::MemoryLimit, End::ProcessLimit, End::WaitedForFile},
      child.end);
}

/// Runs the command. If clang crashes, it runs again without remarks: its vectorizer looks at more when it has to
/// report its decisions, and on some code only that crashes.
ChildResult runTwiceIfNeeded(const CompileCommand &command, const ChildLimits &limits, const std::stop_token &stop,
                             PrewarmedCompiler *ready, bool &remarksMissing) {
  const bool mayBeReady = ready && command.kind == CompilerKind::Clang && command.launcher.empty();
  const auto runOnce = [&](const CompileCommand &one) {
    ChildResult child = mayBeReady ? ready->run(childOf(one), limits, stop) : runChild(childOf(one), limits, stop);
    if (isOutOfMemory(child))
      child.end = End::MemoryLimit;
    return child;
  };
  ChildResult child = runOnce(command);
  CompileCommand silent = command;
  if (!crashed(child) || stop.stop_requested() || !removeRemarkFlags(silent.arguments))
    return child;
  ChildResult again = runOnce(silent);
  remarksMissing = !crashed(again);
  return again;
}

/// "cannot open file 'PATH': Permission denied", if the reason is the confinement.
void explainRefusal(CompilerDiagnostic &diagnostic) {
  StringRef file = diagnostic.message;
  if (file.consume_back(": Permission denied") && file.consume_back("'") &&
      access(file.substr(file.rfind('\'') + 1).str().c_str(), R_OK) == 0)
    diagnostic.message += ", as it lies outside of what a compile may read: the opened folders, the system's, what the "
                          "compile command names (but nothing hidden in your home folder), and mca.readableFolders";
}

CompileResult run(const CompileCommand &command, const std::stop_token &stop, PrewarmedCompiler *ready,
                  const wire::CompileLimits &own) {
  using std::chrono::steady_clock;
  CompileResult result;
  const auto begin = steady_clock::now();
  const ChildLimits limits{
      .time = own.time, .memoryBytes = own.memoryBytes, .fileBytes = command.launcher.empty() ? 0 : kLauncherFileBytes};
  ChildResult child = runTwiceIfNeeded(command, limits, stop, ready, result.remarksMissing);
  result.micros =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - begin).count());

  result.cancelled = child.end == End::Stopped || stop.stop_requested();
  if (result.cancelled)
    return result;
  const PrintedRecord printed = splitRecord(child.errors);
  CompilerMessages messages = parseCompilerMessages(printed.messages, command.directory,
                                                    [&](const std::string &file) { return mayQuote(command, file); });
  result.reachedLimit = reachedLimit(child);
  result.succeeded = child.end == End::Exited && child.status == 0;
  if (result.succeeded) {
    const bool compiledByGcc = command.kind == CompilerKind::Gcc && !command.preprocesses;
    result.assembly = compiledByGcc ? withLlvmSpelling(std::move(child.output)) : std::move(child.output);
    const bool hasRecord = writesRecord(command.arguments);
    result.hasReasons = !result.remarksMissing && (compiledByGcc || hasRecord);
    if (!hasRecord) {
      result.remarks = std::move(messages.remarks);
      result.decisions = std::move(messages.decisions);
    } else {
      OptimizationRecord record = readRecord(printed.record, command);
      result.remarks = std::move(record.loops);
      result.decisions = std::move(record.decisions);
      result.missed = std::move(record.missed);
    }
    return result;
  }
  child.errors.resize(printed.messages.size());
  result.diagnostics = std::move(messages.errors);
  for (CompilerDiagnostic &diagnostic : result.diagnostics) {
    if (command.confinement)
      explainRefusal(diagnostic);
    hideFlagFile(diagnostic, command);
  }
  if (result.diagnostics.empty() || child.end != End::Exited)
    result.failure = describeEnd(child, command, limits);
  return result;
}

} // namespace

/// A command of clang ends with "--" and the file.
void addClangFlags(CompileCommand &command, const std::vector<std::string> &flags) {
  command.arguments.insert(command.arguments.end() - 2, flags.begin(), flags.end());
}

std::string wordsInPlaceOfQuote(const CompileCommand &command, const std::string &file) {
  const bool isRelative = !file.starts_with('/') && !file.starts_with('<');
  return mayQuote(command, isRelative ? command.directory + "/" + file : file) ? "" : wordsWithoutText(file);
}

bool compilesUnsavedText(const CompileCommand &command) {
  return command.kind == CompilerKind::Clang;
}

CompileResult compile(const CompileCommand &command, const std::stop_token &stop, const UnsavedText *unsaved,
                      PrewarmedCompiler *ready, const wire::CompileLimits &limits) {
  if (command.arguments.front().front() != '/')
    return {.failure = notFound(command)};
  if (!unsaved)
    return run(command, stop, ready, limits);
  if (!compilesUnsavedText(command))
    return {.failure = programName(command) + " reads the file on disk, which differs from the buffer"};
  std::string error;
  const std::optional<BufferOverlay> overlay = BufferOverlay::create(unsaved->path, unsaved->text, error);
  if (!overlay)
    return {.failure = "the unsaved text cannot be handed to the compiler: " + error};
  CompileCommand overlaid = command;
  overlaid.arguments.insert(overlaid.arguments.begin() + 1, {"-ivfsoverlay", overlay->description()});
  return run(overlaid, stop, ready, limits);
}

} // namespace analysis
