// The same region on other CPUs, for a look side by side.
//
// The region is parsed again as a text of its own for each CPU: what a CPU lacks (AVX-512, say) is then told as an
// assembler tells it.
#pragma once

#include "analysis/simulate/program_cache.h"
#include "analysis/simulate/region_runs.h"
#include "mca-core/report/report.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace analysis {

/// A target, and what its regions are simulated with.
struct SimulatedTarget {
  explicit SimulatedTarget(std::unique_ptr<mca::Target> made) : target(std::move(made)), simulators(*target) {}
  std::unique_ptr<mca::Target> target;
  Simulators simulators;
  ProgramCache programs; // go before the target does
};

/// The target for a selection, made once; null with a message when there is none.
using FindTarget = std::function<SimulatedTarget *(const mca::TargetSelection &, std::string &)>;

struct OtherCpu {
  std::string cpu;
  std::optional<mca::Summary> summary; ///< none when it cannot be simulated there
  std::string remark;                  ///< why not; else what the model is worth where it is not the CPU's own
};

/// `listing`: the region's instructions (listing.h).
OtherCpu simulateOn(const std::string &cpu, const std::string &triple, const std::string &listing, uint32_t iterations,
                    const FindTarget &findTarget);

} // namespace analysis
