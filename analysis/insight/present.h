// From a simulated region to what the editor shows of it: the numbers, the hint and the hover.
#pragma once

#include "analysis/insight/verdict.h"
#include "analysis/regions/region.h"
#include "analysis/wire/messages.h"
#include "mca-core/views/report.h"

#include <span>

namespace analysis {

/// A region with everything that is known of it.
struct AnalysedRegion {
  const Region *region = nullptr;
  const mca::Report *report = nullptr;
  Verdict verdict;
  std::span<const uint32_t> positions; ///< for each instruction of the report its position in the region
  std::vector<std::string> caveats;    ///< the region's own and what simulating it added
};

wire::RegionSummary summarize(const AnalysedRegion &analysed);

/// One hint for the regions that share a line; the first one gives the numbers.
wire::Hint makeHint(const std::vector<AnalysedRegion> &onLine, const wire::TargetSummary &target);

/// One hover for them, over all of their lines: the first one whole, the others by name.
wire::Hover makeHover(const std::vector<AnalysedRegion> &onLine, const wire::TargetSummary &target);

} // namespace analysis
