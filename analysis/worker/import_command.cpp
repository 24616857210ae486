#include "analysis/worker/import_command.h"

#include "analysis/compile/compile.h"
#include "analysis/import/import.h"
#include "analysis/process/exit_status.h"
#include "analysis/worker/command_output.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <cstdio>
#include <optional>
#include <string_view>

namespace analysis {
namespace {

constexpr int kNoTrace = 2; // as with --check, when a run is impossible

struct Command {
  ImportRequest request;
  std::string language;    ///< "c" or "c++": the assembly is that of a source
  wire::Settings settings; ///< for compiling it
};

std::optional<Command> readCommand(llvm::ArrayRef<char *> arguments) {
  Command command;
  ImportRequest &request = command.request;
  const bool records = llvm::StringRef(arguments.front()) == "--record-trace";
  arguments = arguments.drop_front();
  if (!records) {
    if (arguments.size() < 2)
      return std::nullopt;
    request.kind = arguments[0];
    request.recording = arguments[1];
    arguments = arguments.drop_front(2);
  }
  const std::pair<llvm::StringRef, std::string *> options[] = {
      {"--program", &request.program},
      {"--assembly", &request.assembly},
      {"--output", &request.output},
      {"--triple", &request.target.triple},
      {"--cpu", &request.target.cpu},
      {"--features", &request.target.features},
      {"--language", &command.language},
      {"--compiler", &command.settings.compiler},
      {"--compile-commands", &command.settings.compileCommandsDir},
  };
  for (; arguments.size() >= 2; arguments = arguments.drop_front(2)) {
    const llvm::StringRef name = arguments[0];
    if (name == "--") {
      request.command.assign(arguments.begin() + 1, arguments.end());
      arguments = {};
      break;
    }
    const auto *const option = llvm::find_if(options, [&](const auto &one) { return one.first == name; });
    if (option != std::end(options))
      *option->second = arguments[1];
    else if (name == "--function")
      request.functions.emplace_back(arguments[1]);
    else if (name == "--extra-flag")
      command.settings.extraFlags.emplace_back(arguments[1]);
    else if (name == "--trusted-folder")
      command.settings.trustedFolders.emplace_back(arguments[1]);
    else if (name == "--allowed-compiler")
      command.settings.allowedCompilers.emplace_back(arguments[1]);
    else
      return std::nullopt;
  }
  const bool isWhole = arguments.empty() && !request.assembly.empty() && records != request.command.empty() &&
                       (records || !request.program.empty());
  return isWhole ? std::optional(std::move(command)) : std::nullopt;
}

/// Compiles a source as the editor does, since a trace names the labels of that assembly: flags change them. Returns
/// why that failed, or an empty text.
std::string compileSource(Command &command) {
  llvm::SmallString<256> path(command.request.assembly);
  if (const std::error_code error = llvm::sys::fs::make_absolute(path))
    return command.request.assembly + ": " + error.message();
  command.settings.triple = command.request.target.triple;
  const wire::Language language = command.language == "c" ? wire::Language::C : wire::Language::Cxx;
  CompileResult compiled = compile(findCompileCommand(path.str().str(), language, command.settings), std::stop_token());
  if (compiled.succeeded) {
    command.request.text = std::move(compiled.assembly);
    return {};
  }
  if (compiled.diagnostics.empty())
    return command.request.assembly + ": " + compiled.failure;
  const CompilerDiagnostic &first = compiled.diagnostics.front();
  return first.path + ":" + std::to_string(first.line) + ":" + std::to_string(first.column) + ": " + first.message;
}

} // namespace

bool isImportCommand(int argc, char **argv) {
  return argc > 1 && (std::string_view(argv[1]) == "--import-trace" || std::string_view(argv[1]) == "--record-trace");
}

int runImportCommand(int argc, char **argv) {
  auto command = readCommand(llvm::ArrayRef(argv + 1, static_cast<size_t>(argc - 1)));
  if (!command) {
    std::fputs("mca-worker: mca-lsp has the options of --import-trace and --record-trace\n", stderr);
    return kExitUsage;
  }
  CommandOutput output;
  const auto say = [&](const std::string &text) { output.note(text); };
  const auto showProgress = [&](const std::string &text) { output.progress(text); };
  if (!command->language.empty())
    if (const std::string error = compileSource(*command); !error.empty()) {
      say("error: " + error);
      return kNoTrace;
    }
  const ImportRequest &request = command->request;
  const auto made =
      request.command.empty() ? importTrace(request, say, showProgress) : recordTrace(request, say, showProgress);
  if (!made) {
    say("error: " + made.message());
    return kNoTrace;
  }
  output.finish(*made);
  return 0;
}

} // namespace analysis
