// One run of the compiler, and what its exit and its messages mean.
#include "analysis/compile/compile.h"
#include "analysis/common/child_process.h"
#include "analysis/compile/buffer_overlay.h"
#include "analysis/compile/compiler_environment.h"
#include "analysis/compile/compiler_messages.h"
#include "analysis/compile/gnu_spelling.h"
#include "analysis/compile/prewarmed_compiler.h"

#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>

namespace analysis {
namespace {

using std::string_view;

/// Of each file that a launcher writes.
constexpr uint64_t kLauncherFileBytes = uint64_t{1} << 30;

string_view programName(const CompileCommand &command) {
  const string_view path = command.arguments.front();
  return path.substr(path.find_last_of('/') + 1);
}

// ---- the compiler's end --------------------------------------------------------------------------------------------

std::string notFound(const CompileCommand &command) {
  const std::string &program = command.arguments.front();
  if (programName(command) == "clang-22")
    return program + " was not found; install the package clang-22 or set mca.compiler";
  return program + " was not found; mca.compiler has to be an absolute path or a program in PATH";
}

/// The first thing the compiler said, for an end that no diagnostic explains.
std::string withFirstLine(const std::string &text, string_view errors) {
  const std::vector<string_view> lines = linesOf(errors);
  return lines.empty() ? text : text + ": " + std::string(lines.front());
}

/// clang's crash handler prints what it was doing, the innermost step last: "1.<tab>file:line:column: what".
std::string describeCrash(const std::string &program, int signal, string_view errors) {
  std::string text = program + " crashed with signal " + std::to_string(signal);
  string_view step;
  for (const string_view line : linesOf(errors))
    if (const size_t dot = line.find(".\t"); dot != string_view::npos && dot > 0 && dot <= 2)
      step = line.substr(dot + 2);
  return step.empty() ? text : text + " at " + std::string(step);
}

wire::TimeLimit::Reached reachedLimitOf(ChildResult::End end) {
  return end == ChildResult::End::IdleLimit ? wire::TimeLimit::Reached::Idle : wire::TimeLimit::Reached::ProcessorTime;
}

std::string describeEnd(const ChildResult &child, const CompileCommand &command, const ChildLimits &limits) {
  const std::string program(programName(command));
  switch (child.end) {
  case ChildResult::End::Exited:
    // The driver runs the compiler proper in its own process and gives a crash as a status.
    if (child.status > 128)
      return describeCrash(program, child.status - 128, child.errors);
    return withFirstLine(program + " exited with status " + std::to_string(child.status), child.errors);
  case ChildResult::End::Signalled:
    return describeCrash(program, child.status, child.errors);
  case ChildResult::End::NoDirectory:
    return "the compile command's directory " + command.directory + " cannot be entered: " + strerror(child.status);
  case ChildResult::End::NoProgram:
    return child.status == ENOENT ? notFound(command)
                                  : command.arguments.front() + " cannot be run: " + strerror(child.status);
  case ChildResult::End::NotStarted:
    return program + " could not be started: " + strerror(child.status);
  case ChildResult::End::TimeLimit:
  case ChildResult::End::IdleLimit:
    return program +
           " did not finish: " + describeLimit(reachedLimitOf(child.end), limits.time, wire::kCompileTimeOption);
  case ChildResult::End::OutputLimit:
    return program + " printed more than " + std::to_string(limits.outputBytes >> 20) + " MiB of assembly";
  case ChildResult::End::Stopped:
    return "";
  }
  return "";
}

/// The overlay that shows the text to the compiler, whose arguments then name it; none when it cannot, and why.
std::optional<BufferOverlay> overlayFor(CompileCommand &command, const UnsavedText &unsaved, std::string &failure) {
  if (!compilesUnsavedText(command)) {
    failure = std::string(programName(command)) + " reads the file on disk, which differs from the buffer";
    return std::nullopt;
  }
  std::string error;
  std::optional<BufferOverlay> overlay = BufferOverlay::create(unsaved.path, unsaved.text, error);
  if (overlay)
    command.arguments.insert(command.arguments.begin() + 1, {"-ivfsoverlay", overlay->description()});
  else
    failure = "the unsaved text cannot be handed to the compiler: " + error;
  return overlay;
}

/// What is executed. A launcher keeps files, which the compiler alone may not; what it runs inherits that.
ChildCommand childOf(const CompileCommand &command) {
  ChildCommand child{command.directory, command.launcher, compilerEnvironment(!command.launcher.empty())};
  child.arguments.insert(child.arguments.end(), command.arguments.begin(), command.arguments.end());
  return child;
}

bool crashed(const ChildResult &child) {
  return child.end == ChildResult::End::Signalled || (child.end == ChildResult::End::Exited && child.status > 128);
}

ChildResult runOnce(const CompileCommand &command, const ChildLimits &limits, const std::stop_token &stop,
                    PrewarmedCompiler *ready) {
  const bool mayBeReady = ready && command.kind == CompilerKind::Clang && command.launcher.empty();
  return mayBeReady ? ready->run(childOf(command), limits, stop) : runChild(childOf(command), limits, stop);
}

CompileResult run(const CompileCommand &command, const std::stop_token &stop, PrewarmedCompiler *ready,
                  std::chrono::milliseconds time) {
  CompileResult result;
  const auto begin = std::chrono::steady_clock::now();
  const ChildLimits limits{.time = time, .fileBytes = command.launcher.empty() ? 0 : kLauncherFileBytes};
  ChildResult child = runOnce(command, limits, stop, ready);
  // clang's vectorizer looks at more when it is to say what it does: on some code it crashes then alone.
  CompileCommand silent = command;
  if (crashed(child) && !stop.stop_requested() &&
      std::erase_if(silent.arguments, [](const std::string &argument) { return argument.starts_with("-Rpass"); })) {
    ChildResult again = runOnce(silent, limits, stop, ready);
    result.remarksMissing = !crashed(again);
    if (result.remarksMissing)
      child = std::move(again);
  }
  result.micros = static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin).count());

  result.cancelled = child.end == ChildResult::End::Stopped || stop.stop_requested();
  result.reachedLimit =
      !result.cancelled && (child.end == ChildResult::End::TimeLimit || child.end == ChildResult::End::IdleLimit ||
                            child.end == ChildResult::End::OutputLimit);
  result.succeeded = !result.cancelled && child.end == ChildResult::End::Exited && child.status == 0;
  CompilerMessages messages = parseCompilerMessages(child.errors, command.directory);
  if (result.succeeded) {
    const bool compiledByGcc = command.kind == CompilerKind::Gcc && !command.preprocesses;
    result.assembly = compiledByGcc ? withLlvmSpelling(std::move(child.output)) : std::move(child.output);
    result.remarks = std::move(messages.remarks);
  } else if (!result.cancelled) {
    result.diagnostics = std::move(messages.errors);
    if (result.diagnostics.empty() || child.end != ChildResult::End::Exited)
      result.failure = describeEnd(child, command, limits);
  }
  return result;
}

} // namespace

bool compilesUnsavedText(const CompileCommand &command) {
  return command.kind == CompilerKind::Clang;
}

CompileResult compile(const CompileCommand &command, std::stop_token stop, const UnsavedText *unsaved,
                      PrewarmedCompiler *ready, std::chrono::milliseconds time) {
  CompileResult result;
  if (command.arguments.front().front() != '/') {
    result.failure = notFound(command);
    return result;
  }
  if (!unsaved)
    return run(command, stop, ready, time);
  CompileCommand overlaid = command;
  const std::optional<BufferOverlay> overlay = overlayFor(overlaid, *unsaved, result.failure);
  return overlay ? run(overlaid, stop, ready, time) : result;
}

} // namespace analysis
