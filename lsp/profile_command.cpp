#include "lsp/profile_command.h"

#include "lsp/check/check.h"
#include "lsp/system/log.h"
#include "lsp/worker_command.h"

namespace {

int fail(const std::string &message) {
  lsp::logError(message);
  return lsp::kCheckUnusable;
}

} // namespace

void ProfileCommand::addTo(CLI::App &app) {
  app.option_defaults()->group("Profiles");
  auto *imports = app.add_option("--import-profile", imports_,
                                 "Write the profile of a recording: its kind (perf, pprof, autofdo, profdata, gcov, "
                                 "callgrind or mcaprofile) and its "
                                 "file (- is standard input); may be repeated, and adds them up")
                      ->type_name("KIND FILE")
                      ->allow_extra_args(false);
  auto *records =
      app.add_flag("--record-profile", records_, "Run the command that follows -- under perf, and write its profile")
          ->excludes(imports);
  app.add_option("--seconds", seconds_, "With --record-profile: end the command after so many seconds")
      ->type_name("N")
      ->needs(records);
  app.add_option("--clock", clock_,
                 "The core's clock during the recording in GHz, which makes cycles of times (default: with "
                 "--record-profile measured, else unknown)")
      ->type_name("GHZ")
      ->check(CLI::Range(0.001, 999.0));
}

int ProfileCommand::run(const std::vector<std::string> &programs, const std::vector<std::string> &command,
                        const std::string &worker, const std::string &output) const {
  if (records_ && command.empty())
    return fail("--record-profile needs a command after --");
  std::vector<std::string> arguments{worker};
  if (records_)
    arguments.emplace_back("--record-profile");
  for (const auto &[kind, file] : imports_)
    arguments.insert(arguments.end(), {"--import-profile", kind, file});
  for (const std::string &program : programs)
    arguments.insert(arguments.end(), {"--program", program});
  if (!output.empty())
    arguments.insert(arguments.end(), {"--output", output});
  if (!clock_.empty())
    arguments.insert(arguments.end(), {"--clock", clock_});
  if (records_) {
    arguments.insert(arguments.end(), {"--seconds", std::to_string(seconds_), "--"});
    arguments.insert(arguments.end(), command.begin(), command.end());
  }
  return runWorkerCommand(std::move(arguments));
}
