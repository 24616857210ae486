// The options `--import-profile` and `--record-profile` on the command line. The worker does the work, because it reads
// programs with LLVM.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

class ProfileCommand {
public:
  void addTo(CLI::App &app);

  bool wanted() const { return !imports_.empty() || records_; }
  /// Runs it. `programs` and `command`: those of TraceCommand. `output`: where the profile goes; empty for the default.
  /// Returns the worker's exit status, or 2 if it could not be started or if options are missing.
  int run(const std::vector<std::string> &programs, const std::vector<std::string> &command, const std::string &worker,
          const std::string &output) const;

private:
  std::vector<std::pair<std::string, std::string>> imports_; ///< kind and file of each
  bool records_ = false;
  unsigned seconds_ = 0;
  std::string clock_; ///< in GHz, as written
};
