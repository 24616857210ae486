// The options `--import-trace` and `--record-trace` on the command line. The worker does the work, because it reads
// programs and assembly texts with LLVM.
#pragma once

#include "analysis/wire/messages.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

class TraceCommand {
public:
  void addTo(CLI::App &app);
  /// Takes the command after `--` off the arguments, if it is for --record-trace or --record-profile: CLI11 would read
  /// it as files. Returns how many arguments are left.
  int takeCommand(int argc, char **argv);

  /// The values of --program and the command after `--`, which may be a profile's.
  const std::vector<std::string> &programs() const { return programs_; }
  const std::vector<std::string> &command() const { return command_; }

  bool wanted() const { return !import_.first.empty() || records_; }
  /// Runs it. `output`: where the trace goes; empty for the default. Returns the worker's exit status, or 2 if it could
  /// not be started or if options are missing.
  int run(const analysis::wire::Settings &settings, const std::string &worker, const std::string &output) const;

private:
  std::pair<std::string, std::string> import_; ///< kind and file; empty if not wanted
  bool records_ = false;
  std::vector<std::string> programs_;
  std::string assembly_;
  std::vector<std::string> functions_;
  std::vector<std::string> command_;
};
