// From the simulator's report to what is sent of it: numbers, verdict, instructions, the first rows of the timeline.
#pragma once

#include "analysis/simulate/other_cpus.h"
#include "analysis/simulate/report_cache.h"
#include "analysis/wire/region.h"
#include "mca-core/report/report.h"

#include <string>
#include <vector>

namespace analysis {

/// How much is sent for a region. What takes long to compute, or is long, is left out if a document has a lot of it.
struct Detail {
  bool waits = false;        ///< what each instruction waits for
  bool order = false;        ///< what it takes if each load waits for the stores before it
  bool instructions = false; ///< the instructions one by one, and the longest chain
  bool operator==(const Detail &) const = default;
};

/// A simulation that succeeded, without id and other CPUs. What `detail` asks for beyond the simulation itself is in
/// `known`.
wire::Simulation describe(const ReportCache::CachedSimulation &known, Detail detail, bool inOrder);

/// Whether memory order may matter to it.
bool loadsAndStores(const mca::Report &report);

wire::CpuSummary summaryOf(const OtherCpu &other);

/// The units that are in use for long enough to be seen, with their cycles per iteration.
std::vector<wire::ResourceUse> pressureOf(const mca::ResourcePressure &pressure);

} // namespace analysis
