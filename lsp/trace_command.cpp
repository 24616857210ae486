#include "lsp/trace_command.h"

#include "analysis/process/process.h"
#include "lsp/check/check.h"
#include "lsp/system/log.h"
#include "lsp/workspace/language.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <sys/wait.h>

namespace {

int fail(const std::string &message) {
  lsp::logError(message);
  return lsp::kCheckUnusable;
}

/// Waits for a child. Returns its exit status; 2 if a signal ended it.
int statusOf(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  return fail("the worker was ended by signal " + std::to_string(WTERMSIG(status)));
}

} // namespace

void TraceCommand::addTo(CLI::App &app) {
  app.option_defaults()->group("Branch traces");
  auto *imports = app.add_option("--import-trace", import_,
                                 "Write the trace of a recording: its kind (qemu, perf, perf-trace, callgrind, bolt or "
                                 "gcov) and its file (- is standard input)")
                      ->type_name("KIND FILE");
  app.add_flag("--record-trace", records_,
               "Run the command that follows -- under qemu-user, and write its trace (needs --assembly)")
      ->excludes(imports);
  app.add_option("--program", program_, "The program that ran (ELF; default with --record-trace: the command's)")
      ->type_name("ELF");
  app.add_option("--assembly", assembly_,
                 "The assembly of the functions to trace, or their C or C++ source, which is compiled as in the editor")
      ->type_name("FILE");
  app.add_option("--function", functions_,
                 "A function to trace; may be repeated (default: each that is called from outside of the text)")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

int TraceCommand::takeCommand(int argc, char **argv) {
  char **const end = argv + argc;
  char **const dashes = std::find_if(argv, end, [](const char *one) { return std::string_view(one) == "--"; });
  const bool records =
      std::any_of(argv, dashes, [](const char *one) { return std::string_view(one) == "--record-trace"; });
  if (!records || dashes == end)
    return argc;
  command_.assign(dashes + 1, end);
  return static_cast<int>(dashes - argv);
}

int TraceCommand::run(const analysis::wire::Settings &settings, const std::string &worker,
                      const std::string &output) const {
  if (assembly_.empty())
    return fail((records_ ? "--record-trace" : "--import-trace") + std::string(" needs --assembly"));
  if (!records_ && program_.empty())
    return fail("--import-trace needs --program");
  if (records_ && command_.empty())
    return fail("--record-trace needs a command after --");
  analysis::ProcessStart start;
  start.arguments = {worker, records_ ? "--record-trace" : "--import-trace"};
  if (!records_)
    start.arguments.insert(start.arguments.end(), {import_.first, import_.second});
  const auto add = [&](const char *name, const std::string &value) {
    if (!value.empty())
      start.arguments.insert(start.arguments.end(), {name, value});
  };
  add("--program", program_);
  add("--assembly", assembly_);
  for (const std::string &function : functions_)
    add("--function", function);
  add("--output", output);
  add("--triple", settings.triple);
  add("--cpu", settings.cpu);
  add("--features", settings.features);
  using analysis::wire::Language;
  if (const auto language = lsp::languageOfPath(assembly_); language && *language != Language::Assembly) {
    add("--language", *language == Language::C ? "c" : "c++");
    add("--compiler", settings.compiler);
    add("--compile-commands", settings.compileCommandsDir);
    for (const std::string &flag : settings.extraFlags)
      add("--extra-flag", flag);
    for (const std::string &folder : settings.trustedFolders)
      add("--trusted-folder", folder);
    for (const std::string &compiler : settings.allowedCompilers)
      add("--allowed-compiler", compiler);
  }
  if (records_) {
    start.arguments.emplace_back("--");
    start.arguments.insert(start.arguments.end(), command_.begin(), command_.end());
  }
  const analysis::StartedProcess started = analysis::startProcess(start);
  if (started.pid < 0)
    return fail("cannot start " + worker + ": " + std::strerror(started.error));
  return statusOf(started.pid);
}
