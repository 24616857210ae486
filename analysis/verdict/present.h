// A simulated region with everything that is known of it, and what the words are made of.
#pragma once

#include "analysis/regions/region.h"
#include "analysis/simulate/other_cpus.h"
#include "analysis/verdict/verdict.h"
#include "analysis/wire/messages.h"
#include "analysis/wording/shown_region.h"
#include "mca-core/report/report.h"

#include <optional>
#include <span>

namespace analysis {

/// Pressure below this many cycles is printed as nothing by llvm-mca, and is nothing to a reader.
constexpr double kVisiblePressure = 0.005;

/// A region with everything that is known of it.
struct AnalysedRegion {
  size_t order = 0; ///< among all regions of the buffer
  const Region *region = nullptr;
  const mca::Report *report = nullptr;
  wire::Verdict verdict;
  std::span<const uint32_t> positions; ///< for each instruction of the report its position in the region
  // None where the document has too many instructions.
  const mca::DataflowLimit *limit = nullptr;
  std::span<const mca::DataLink> links;
  const mca::Waits *waits = nullptr;
  std::optional<mca::Summary> ordered; ///< if each load had to wait for the stores before it; where that was asked for
  std::vector<Change> changes;         ///< since earlier analyses
  std::vector<OtherCpu> others;        ///< the same region on other CPUs, where that was asked for
  std::vector<std::string> caveats;    ///< the region's own and what simulating it added
};

/// The paths through one loop, the most frequent first; what is no loop is alone.
using AnalysedLoop = std::vector<AnalysedRegion>;

/// "loop in f, vector body ×8, through line 7".
std::string nameOf(const Region &region);

wire::RegionSummary summarize(const AnalysedRegion &analysed, const TextLines &lines);

/// With its numbers, verdict included.
ShownRegion shownRegion(const AnalysedRegion &analysed, const TextLines &lines);
ShownLoop shownLoop(const AnalysedLoop &loop, const TextLines &lines);

} // namespace analysis
