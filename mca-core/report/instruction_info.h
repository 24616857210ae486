// The static properties of a region's instructions: what llvm-mca's "Instruction Info" view lists.
#pragma once

#include "mca-core/model/lowering.h"
#include "mca-core/report/report.h"

namespace mca {

/// What to find out beyond what always is.
struct InstructionInfoOptions {
  bool encodings = false;
  bool schedulingDetails = false;
  bool misplacedInstruments = false; ///< see SimulationOptions
};

/// Describes instructions of one Lowering, and keeps what it has found. An object serves one thread.
class InstructionDescriber {
public:
  explicit InstructionDescriber(const Target &target) : target_(target) {}

  /// Forgets everything: the Lowering or the printer is another one from now on.
  void reset() { known_.clear(); }

  std::vector<InstructionInfo> describe(const Program &program, const LoweredRegion &region,
                                        llvm::MCInstPrinter &printer, const InstructionInfoOptions &options = {});

private:
  InstructionInfo describe(const Instruction &source, const LoweredInstruction &lowered,
                           const Program::InstrumentSet &instruments, llvm::MCInstPrinter &printer) const;

  const Target &target_;
  llvm::DenseMap<uint32_t, InstructionInfo> known_; ///< by LoweredInstruction::kind
};

/// The resources of the scheduling model that have units, in its order.
std::vector<ResourceDescription> describeResources(const llvm::MCSchedModel &model);

} // namespace mca
