#include "lsp/trace_command.h"

#include "lsp/check/check.h"
#include "lsp/system/log.h"
#include "lsp/worker_command.h"
#include "lsp/workspace/language.h"

#include <algorithm>
#include <string_view>

namespace {

int fail(const std::string &message) {
  lsp::logError(message);
  return lsp::kCheckUnusable;
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
  app.add_option("--program", programs_,
                 "The program that ran (ELF; default with --record-trace: the command's). For a profile it may be "
                 "repeated (default: the files that the recording names)")
      ->type_name("ELF")
      ->allow_extra_args(false);
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
  const bool records = std::any_of(argv, dashes, [](const char *one) {
    return std::string_view(one) == "--record-trace" || std::string_view(one) == "--record-profile";
  });
  if (!records || dashes == end)
    return argc;
  command_.assign(dashes + 1, end);
  return static_cast<int>(dashes - argv);
}

int TraceCommand::run(const analysis::wire::Settings &settings, const std::string &worker,
                      const std::string &output) const {
  if (assembly_.empty())
    return fail((records_ ? "--record-trace" : "--import-trace") + std::string(" needs --assembly"));
  if (!records_ && programs_.empty())
    return fail("--import-trace needs --program");
  if (programs_.size() > 1)
    return fail("a trace is of one --program");
  if (records_ && command_.empty())
    return fail("--record-trace needs a command after --");
  std::vector<std::string> arguments = {worker, records_ ? "--record-trace" : "--import-trace"};
  if (!records_)
    arguments.insert(arguments.end(), {import_.first, import_.second});
  const auto add = [&](const char *name, const std::string &value) {
    if (!value.empty())
      arguments.insert(arguments.end(), {name, value});
  };
  add("--program", programs_.empty() ? "" : programs_.front());
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
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), command_.begin(), command_.end());
  }
  return runWorkerCommand(std::move(arguments));
}
