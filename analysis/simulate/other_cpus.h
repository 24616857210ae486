// Simulates the same region on other CPUs, to compare them.
//
// For each CPU the region is parsed again, as a text of its own: if the CPU lacks an instruction (AVX-512, say), the
// assembler's own message says so.
#pragma once

#include "analysis/simulate/program_cache.h"
#include "analysis/simulate/simulations.h"
#include "mca-core/model/memory_classes.h"
#include "mca-core/report/report.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace analysis {

/// A target, with the simulators and the programs that refer to it.
struct SimulatedTarget {
  explicit SimulatedTarget(std::unique_ptr<mca::Target> made)
      : target(std::move(made)), pointers(*target), simulators(*target) {}
  std::unique_ptr<mca::Target> target;
  mca::MemoryClassifier pointers;
  Simulators simulators;
  ProgramCache programs; // declared last: destroyed before the target
};

/// Returns the target for a selection, which is made once; null, and a message, if there is none.
using FindTarget = std::function<SimulatedTarget *(const mca::TargetSelection &, std::string &)>;

struct OtherCpu {
  std::string cpu;
  std::optional<mca::Summary> summary; ///< none if it cannot be simulated there
  std::string remark;                  ///< why not; or whose model is used, if it is not the CPU's own
  std::optional<wire::Caveat> leftOut; ///< the instructions without scheduling data there
};

/// `listing`: the region's instructions (listing.h).
OtherCpu simulateOn(const std::string &cpu, const std::string &triple, const std::string &listing, uint32_t iterations,
                    const FindTarget &findTarget);

} // namespace analysis
