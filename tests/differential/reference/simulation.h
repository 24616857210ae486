// LLVM's own MCA pipeline as the reference that the simulator is held against.
//
// simulateWithLlvm() takes what Simulator::simulate() takes and gives what it must give. LlvmSimulation is the same in
// steps, for those who want to time them.
#pragma once

#include "mca-core/report/simulator.h"

#include "llvm/MCA/InstrBuilder.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mca::reference {

struct DependencyEdge;

/// One region with one set of options. The target and the program must outlive it.
class LlvmSimulation {
public:
  /// Lowers the region with LLVM's InstrBuilder. Fails as Simulator::simulate() does.
  static Result<LlvmSimulation> lower(const Target &target, const Program &program, std::span<const uint32_t> region,
                                      const SimulationOptions &options, OnSkipped onSkipped = nullptr);

  /// Fills the parts of the report that the scheduling model tells without a simulation.
  void describe(Report &report) const;
  /// Runs the pipeline and fills the rest of the report. May be called more than once. Returns what LLVM complains of;
  /// empty when it does not.
  /// `dependencies` becomes what the bottleneck analysis chooses the critical sequence from.
  std::string run(Report &report, uint32_t iterations, std::vector<DependencyEdge> *dependencies = nullptr) const;

  /// As Simulation has them.
  std::vector<uint32_t> instructions;
  std::vector<SkippedInstruction> skipped;

private:
  LlvmSimulation(const Target &target, const Program &program, const SimulationOptions &options);
  /// False when `onSkipped` wants no more.
  bool addInstructions(std::span<const uint32_t> region, OnSkipped onSkipped);

  const Target *target_;
  const Program *program_;
  SimulationOptions options_;
  std::unique_ptr<llvm::mca::InstrBuilder> builder_; // owns what the lowered instructions refer to
  std::unique_ptr<llvm::mca::InstrPostProcess> postProcess_;
  std::vector<std::unique_ptr<llvm::mca::Instruction>> lowered_;
  std::vector<const Instruction *> sources_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
};

Result<Simulation> simulateWithLlvm(const Target &target, const Program &program, std::span<const uint32_t> region,
                                    const SimulationOptions &options, OnSkipped onSkipped = nullptr);

} // namespace mca::reference
