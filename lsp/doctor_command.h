// The option `--doctor`: what mca-lsp finds on this machine and in this folder, and what to do about what is missing,
// as a text for an issue. What needs LLVM, the worker finds out.
#pragma once

#include "lsp/jobs/worker_supervisor.h"
#include "lsp/settings/configuration.h"

#include <string>

struct DoctorCommand {
  lsp::ConfigurationOptions configuration;
  lsp::WorkerOptions worker;
  std::string program; ///< the path of this one
  std::string measure; ///< the path of mca-measure

  /// Prints the report. Returns 0, or 2 if there can be no numbers.
  int run() const;
};
