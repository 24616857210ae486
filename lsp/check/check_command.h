// The options of `mca-lsp --check`.
#pragma once

#include "lsp/check/check.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

/// The options as they are written, and what becomes of them.
class CheckCommand {
public:
  /// `settings` are those of all that mca-lsp does; --listing is one of them.
  void addTo(CLI::App &app, analysis::wire::Settings &settings);

  bool wanted() const { return wanted_; }
  /// Runs it. The status of the program.
  int run(const analysis::wire::Settings &settings, const lsp::WorkerOptions &worker) const;

private:
  void addSelection(CLI::App &app, CLI::Option *check);
  void addOutput(CLI::App &app, CLI::Option *check);
  void addJudgement(CLI::App &app, CLI::Option *check);
  std::optional<lsp::CheckOptions> options(const analysis::wire::Settings &settings) const;

  bool wanted_ = false;
  std::vector<std::string> files_;
  std::string compileCommands_;
  std::vector<std::string> excludes_;
  std::string shard_ = "1/1";
  std::vector<std::string> merge_;
  unsigned jobs_ = 0;
  std::string format_ = "text";
  bool annotate_ = false;
  std::string color_ = "auto";
  size_t top_ = lsp::CheckOptions{}.top;
  std::string output_;
  bool quiet_ = false;
  std::string baseline_;
  double regressionPercent_ = 5;
  std::vector<std::string> failOn_;
};
