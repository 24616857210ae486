// The options of `mca-lsp --check` on the command line.
#pragma once

#include "lsp/check/check.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

class CheckCommand {
public:
  /// `settings` are those of the whole program; --listing is one of them. Both have to live until the options are read.
  void addTo(CLI::App &app, analysis::wire::Settings &settings);

  bool wanted() const { return wanted_; }
  /// The file of --output, which other commands have, too; empty if not given.
  const std::string &output() const { return options_.output; }
  /// `measure`: path of mca-measure. Runs it, and shows progress on standard error if that is a terminal. Returns the
  /// status of the program: kCheckUnusable, too, if words of --fail-on are unknown or no files are named.
  int run(const analysis::wire::Settings &settings, const lsp::WorkerOptions &worker, const std::string &measure);

private:
  class Adder;
  void addSelection(const Adder &add);
  void addOutput(const Adder &add);
  void addJudgement(const Adder &add);
  void addParts(const Adder &add);
  int writeNinja() const;

  bool wanted_ = false;
  CLI::App *app_ = nullptr; ///< has the options as they were given
  lsp::CheckOptions options_;
  std::string ninja_; ///< the Ninja file to write; empty for none
  // Words that run() converts:
  std::string shard_ = "1/1";
  std::string format_ = "text";
  std::vector<std::string> failOn_;
  std::string color_ = "auto";
  bool quiet_ = false;
};
