// One run of the compiler: the environment it gets, and what its exit and its messages mean.
#include "analysis/compile/compile.h"
#include "analysis/compile/child_process.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

namespace analysis {
namespace {

using std::string_view;

/// What the compiler may see of our environment: what it needs to find headers and to speak plainly. Variables that
/// make it take other arguments, load code or write files (CCC_OVERRIDE_OPTIONS, CC_LOG_DIAGNOSTICS_FILE,
/// COMPILER_PATH, DEPENDENCIES_OUTPUT and their like) are not among them.
constexpr std::array kKeptVariables = {
    "PATH",    "HOME",    "TMPDIR",           "LD_LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
    "SDKROOT", "INCLUDE", "SOURCE_DATE_EPOCH"};

std::vector<std::string> compilerEnvironment() {
  // A crash must not start a symbolizer from PATH.
  std::vector<std::string> environment = {"LC_ALL=C", "LLVM_DISABLE_SYMBOLIZATION=1"};
  for (const char *name : kKeptVariables)
    if (const char *value = std::getenv(name))
      environment.push_back(std::string(name) + "=" + value);
  return environment;
}

string_view programName(const CompileCommand &command) {
  const string_view path = command.arguments.front();
  return path.substr(path.find_last_of('/') + 1);
}

// ---- the compiler's messages ---------------------------------------------------------------------------------------

/// Takes ":NUMBER" off the end of `text`.
std::optional<uint32_t> takeNumber(string_view &text) {
  const size_t colon = text.find_last_of(':');
  if (colon == string_view::npos)
    return std::nullopt;
  uint32_t number = 0;
  const char *const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc() || stopped != end)
    return std::nullopt;
  text = text.substr(0, colon);
  return number;
}

std::string absolutePath(string_view path, const std::string &directory) {
  if (path.empty() || path.front() == '/' || path.front() == '<')
    return std::string(path);
  while (path.substr(0, 2) == "./")
    path.remove_prefix(2);
  return directory + "/" + std::string(path);
}

/// "file:line:column: error: message", or without a place "program: error: message" and "error: message".
std::optional<CompilerDiagnostic> parseMessage(string_view line, const CompileCommand &command) {
  for (const string_view label : {"fatal error: ", "error: "}) {
    const size_t at = line.find(label);
    const bool labelled = at == 0 || (at != string_view::npos && at >= 2 && line.substr(at - 2, 2) == ": ");
    if (!labelled)
      continue;
    CompilerDiagnostic diagnostic;
    diagnostic.message = line.substr(at + label.size());
    string_view place = line.substr(0, at ? at - 2 : 0);
    const std::optional<uint32_t> last = takeNumber(place);
    const std::optional<uint32_t> before = last ? takeNumber(place) : std::nullopt;
    if (last) {
      diagnostic.line = before.value_or(*last);
      diagnostic.column = before ? *last : 0;
      diagnostic.path = absolutePath(place, command.directory);
    }
    return diagnostic;
  }
  return std::nullopt;
}

std::vector<string_view> linesOf(string_view text) {
  std::vector<string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<CompilerDiagnostic> parseMessages(string_view errors, const CompileCommand &command) {
  std::vector<CompilerDiagnostic> diagnostics;
  for (const string_view line : linesOf(errors)) {
    std::optional<CompilerDiagnostic> diagnostic = parseMessage(line, command);
    // The driver's summary of a crash says nothing that its exit status does not.
    if (diagnostic && !diagnostic->message.starts_with("clang frontend command failed"))
      diagnostics.push_back(std::move(*diagnostic));
  }
  return diagnostics;
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
    return program + " did not finish within " + std::to_string(limits.time.count() / 1000) + " s";
  case ChildResult::End::OutputLimit:
    return program + " printed more than " + std::to_string(limits.outputBytes >> 20) + " MiB of assembly";
  case ChildResult::End::Stopped:
    return "";
  }
  return "";
}

} // namespace

CompileResult compile(const CompileCommand &command, std::stop_token stop) {
  CompileResult result;
  if (command.arguments.front().front() != '/') {
    result.failure = notFound(command);
    return result;
  }
  const auto begin = std::chrono::steady_clock::now();
  const ChildLimits limits;
  ChildResult child = runChild({command.directory, command.arguments, compilerEnvironment()}, limits, stop);
  result.micros = static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin).count());

  result.cancelled = child.end == ChildResult::End::Stopped || stop.stop_requested();
  result.succeeded = !result.cancelled && child.end == ChildResult::End::Exited && child.status == 0;
  if (result.succeeded) {
    result.assembly = std::move(child.output);
  } else if (!result.cancelled) {
    result.diagnostics = parseMessages(child.errors, command);
    if (result.diagnostics.empty() || child.end != ChildResult::End::Exited)
      result.failure = describeEnd(child, command, limits);
  }
  return result;
}

} // namespace analysis
