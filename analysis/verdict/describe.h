// From the simulator's report to the messages: numbers, verdict, instructions, the first rows of the timeline.
#pragma once

#include "analysis/simulate/other_cpus.h"
#include "analysis/simulate/report_cache.h"
#include "analysis/verdict/verdict.h"
#include "analysis/wire/region.h"
#include "mca-core/report/report.h"

#include <string>
#include <vector>

namespace analysis {

/// llvm-mca prints "-" for less pressure than this (its ResourcePressureView): two decimals would be 0.00. In cycles
/// per iteration.
constexpr double kVisiblePressure = 0.005;

/// The optional parts of a region's description. They take long to compute or are long, so a document with very many
/// instructions goes without them.
struct Detail {
  bool waits = false;        ///< why each instruction waits
  bool memory = false;       ///< the cycles if each load waits for the stores before it, and if data are unaligned
  bool instructions = false; ///< the instructions one by one, and the longest chain
  bool operator==(const Detail &) const = default;
};

/// What a verdict is based on, of what `detail` needs.
Evidence evidenceOf(const ReportCache::CachedSimulation &known, Detail detail, bool inOrder);

/// Describes a simulation that succeeded, without its id and other CPUs. `known` must hold what `detail` needs.
wire::Simulation describe(const ReportCache::CachedSimulation &known, Detail detail, bool inOrder);

/// Whether the region both loads and stores, so that memory order may matter.
bool loadsAndStores(const mca::Report &report);

wire::CpuSummary summaryOf(const OtherCpu &other);

/// The units with visible pressure, in cycles per iteration.
std::vector<wire::ResourceUse> pressureOf(const mca::ResourcePressure &pressure);

/// The links of a chain as messages have them.
std::vector<wire::ChainLink> chainOf(const mca::DataflowLimit &limit);

} // namespace analysis
