// The command line of `mca`: llvm-mca's options with their names, values and defaults, and a few of our own.
//
// LLVM's cl library parses it, so that spelling, help and error messages are the same as in llvm-mca.
#pragma once

#include "mca-core/report/trace_simulation.h"
#include "mca-core/report/trace_window.h"
#include "mca-core/target/target.h"
#include "mca-core/views/text.h"

#include <string>

namespace mca {

/// The command line, with defaults applied.
struct Options {
  std::string input;  ///< a path, or "-" for the standard input
  std::string output; ///< a path, or "-" for the standard output
  TargetSelection target;
  llvm::MCTargetOptions mcOptions;
  SimulationOptions simulation;
  ViewSelection views;
  int outputVariant = -1; ///< assembly syntax of the report; -1: the input's
  bool json = false;
  bool fullJson = false; ///< with `json`: everything that a report can contain
  bool instruments = true;
  bool skipUnparsed = false;    ///< skip lines that the parser rejects instead of failing
  bool skipUnscheduled = false; ///< skip instructions without scheduling data instead of failing
  bool acceptGccDebugInfo = false;
  std::string trace; ///< path of a trace to simulate along instead of loops; empty for none
  TraceSettings traceSettings;
  std::string calibration; ///< what findCalibration() reads to simulate with; empty for none
  WindowRange traceWindow; ///< what the timeline, the bottlenecks and the wait reasons of a trace are about

  /// LLVM prints the CPUs or the features itself, and there is nothing to simulate.
  bool wantsCpuHelp() const { return target.cpu == "help"; }
};

/// Parses the command line. On errors, and for -help, -version and -list-calibrations, prints a message and ends the
/// process.
Options readOptions(int argc, char **argv);

/// Turns views on and off according to -all-views, -all-stats and the views' own options. Of a group and a view, the
/// later option on the command line decides. On an in-order CPU, the groups omit views that do not apply.
void resolveViews(Options &options, bool outOfOrder);

} // namespace mca
