// `mca-measure run`: the cycles of a file's regions on this CPU.
#pragma once

#include "mca-core/measure/measure_region.h"
#include "mca-core/target/target.h"

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace mca::measure {

struct RunOptions {
  std::string input; ///< a path, or "-" for the standard input
  TargetSelection target;
  std::vector<RegionForm> forms;
  std::string region; ///< only the one with this name; empty: all
  bool json = false;
  std::chrono::seconds timeout{600};
};

/// Measures and prints. Returns the exit status: 0 also if regions are refused, 1 after an error message. If the
/// machine is too busy for some of them, the others are printed nevertheless.
int runRegions(const RunOptions &options, llvm::raw_ostream &out);

} // namespace mca::measure
