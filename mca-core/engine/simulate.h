// The simulator, behind one function.
//
// Today LLVM's own MCA pipeline does the work (llvm_pipeline.cpp); nothing outside this folder knows that.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/model/lowering.h"
#include "mca-core/result.h"
#include "mca-core/target/target.h"
#include "mca-core/views/report.h"

#include <span>
#include <vector>

namespace mca {

struct SimulationOptions {
  uint32_t iterations = 100;
  uint32_t callLatency = 100; ///< cycles assumed for a call
  bool timeline = false;
  uint32_t timelineMaxIterations = 10;
  uint32_t timelineMaxCycles = 80; ///< 0: no limit
  bool bottlenecks = false;
  int syntaxVariant = -1; ///< of the instructions' text; -1: as the program was written
  bool operator==(const SimulationOptions &) const = default;
};

struct Simulation {
  Report report;
  /// For each instruction of the report its position in the region.
  std::vector<uint32_t> instructions;
  /// Instructions of the region that the model says nothing about: the report is without them.
  std::vector<SkippedInstruction> skipped;
};

/// Simulates `region`, a list of instruction indices of `program`, in a loop. Fails when the CPU has no scheduling
/// model or no instruction is left to simulate.
Result<Simulation> simulate(const Target &target, const Program &program, std::span<const uint32_t> region,
                            const SimulationOptions &options);

} // namespace mca
