// The static properties of a region's instructions, as in llvm-mca's "Instruction Info" view.
//
// Compilers repeat instructions, so descriptions are kept by the kind of instruction that Lowering assigns.
#pragma once

#include "mca-core/model/lowering.h"
#include "mca-core/report/simulator.h"

namespace mca {

/// Describes instructions of one Lowering, and caches the results. Not thread-safe.
class InstructionDescriber {
public:
  explicit InstructionDescriber(const Target &target) : target_(target) {}

  /// Clears the cache; required if the Lowering or the printer changes.
  void reset() { cache_.clear(); }

  /// Adds encodings, scheduling details and llvm-mca's misplaced instruments if `options` request them.
  std::vector<InstructionInfo> describe(const Program &program, const LoweredRegion &region,
                                        llvm::MCInstPrinter &printer, const SimulationOptions &options);

private:
  InstructionInfo describe(const Instruction &source, const LoweredInstruction &lowered,
                           const Program::InstrumentSet &instruments, llvm::MCInstPrinter &printer) const;

  const Target &target_;
  llvm::DenseMap<uint32_t, InstructionInfo> cache_; ///< by LoweredInstruction::kind
};

/// Returns the resources of the scheduling model that have units, in its order.
std::vector<ResourceDescription> describeResources(const llvm::MCSchedModel &model);

} // namespace mca
