// The command line of `mca`: llvm-mca's options with its names, values and defaults, and a few of our own.
//
// LLVM's cl library reads it, so that spelling, help and the words about mistakes are what llvm-mca's users know.
#pragma once

#include "mca-core/report/simulator.h"
#include "mca-core/target/target.h"
#include "mca-core/views/text.h"

#include <string>

namespace mca {

struct Options {
  std::string input;  ///< a path, or "-" for the standard input
  std::string output; ///< the same for the standard output
  TargetSelection target;
  llvm::MCTargetOptions mcOptions;
  SimulationOptions simulation;
  ViewSelection views;
  int outputVariant = -1; ///< assembly syntax of the report, -1: the input's
  bool json = false;
  bool wholeJson = false; ///< with `json`: everything that the report can hold
  bool instruments = true;
  bool skipUnparsed = false;    ///< lines that the parser rejects, rather than giving up
  bool skipUnscheduled = false; ///< instructions without scheduling data, rather than giving up
  bool acceptGccDebugInfo = false;

  bool wantsCpuHelp() const { return target.cpu == "help"; }
};

/// Reads the command line. On a mistake, and for -help and -version, prints what there is to say and ends the process.
Options readOptions(int argc, char **argv);

/// Turns the views on and off that -all-views, -all-stats and the views' own options name: of a group and a view the
/// one that comes later on the command line decides. What an in-order CPU has no use for is left out of the groups.
void resolveViews(Options &options, bool outOfOrder);

} // namespace mca
