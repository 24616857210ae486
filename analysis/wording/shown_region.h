// What hints, hovers and findings are made of: a region's numbers and what else there is to say of it.
#pragma once

#include "analysis/wire/messages.h"
#include "analysis/wording/comparison.h"

#include <cstdint>
#include <string>
#include <vector>

namespace analysis {

/// One execution of an instruction, in cycles from the start of the simulation.
struct TimelineRow {
  uint32_t iteration = 0;
  uint32_t instruction = 0; ///< position in the region
  std::string text;         ///< of the instruction, in one line
  int64_t dispatched = 0;
  int64_t issued = 0;
  int64_t executed = 0;
  int64_t retired = 0;
};

struct ShownRegion {
  wire::RegionSummary numbers;
  std::string variant;                  ///< which of several loops on one line: "vector body ×8"; empty when alone
  std::string path;                     ///< of a Path: "through line 7"; empty otherwise
  uint32_t anchor = 0;                  ///< the hint stands at the end of the line that holds this offset
  std::vector<std::string> vectorTypes; ///< RISC-V: "e32, m2 for 4 instructions"
  std::vector<std::string> inlined;     ///< "at (vector:12), 3 instructions"
  bool loadsAndStores = false;
  double orderedCycles = -1; ///< per iteration, if each load waited for the stores before it; -1: not simulated
  double chainCycles = 0;    ///< per iteration, of the longest loop-carried chain; 0: there is none, or it is unknown
  std::vector<wire::ChainLink> chain;
  std::vector<uint32_t> chainLines;    ///< of each link's instruction, 1-based; 0 when it has none
  std::vector<std::string> chainTexts; ///< of each link's instruction
  std::vector<TimelineRow> timeline;   ///< the first instances, as many as a hover shows; empty without a timeline
  uint32_t bodySize = 0;               ///< instructions of the timeline's region
  std::vector<Change> changes;         ///< since earlier analyses
};

/// The paths through one loop, the most frequent first; what is no loop is alone.
using ShownLoop = std::vector<ShownRegion>;

} // namespace analysis
