// What the instructions of a region take of a calibration's resources and of LLVM's.
//
// LLVM's groups hold what their members hold. Resources whose micro-ops are bound to ports are there for reports only:
// what runs takes the ports.
#pragma once

#include "mca-core/model/calibrated_body.h"

#include <cstdint>
#include <vector>

namespace mca {

/// An instruction: LLVM's data, and the calibration's row for it. Null: everything is LLVM's.
struct CalibratedRow {
  const LoweredInstruction *lowered = nullptr;
  const CalibratedForm *row = nullptr;

  /// Whether slots and resources are the row's.
  bool hasUses() const { return row && (row->slots || !row->uses.empty()); }
};

/// Chooses resources for one region after the other. Not thread-safe.
class CalibratedResources {
public:
  /// All of them have to outlive it.
  CalibratedResources(const Target &target, const ResourceTable &resources, const Calibration &calibration);

  /// Forgets the region before.
  void clear();
  /// The region has this instruction.
  void require(const CalibratedRow &instruction);
  /// Adds all that its instructions take to an empty list: the calibrated ones in their order, then LLVM's.
  void addTo(CalibratedBody &body);

  /// Adds what an instruction takes. Loads take the resources of loads when they start, not when the loaded value is
  /// there.
  void addUses(const CalibratedRow &source, CalibratedInstruction &instruction, CalibratedBody &body);
  /// Two instructions become one, which takes of each resource what the one that needs more takes.
  static void fuse(CalibratedInstruction &first, CalibratedInstruction &second, CalibratedBody &body);

private:
  /// So much of LLVM's resource with these units.
  struct Taken {
    uint64_t units = 0;
    double amount = 0;
  };

  void addLlvmGroups();
  unsigned findLlvmResource(llvm::StringRef name) const;
  uint64_t unitsOf(unsigned resource) const;
  llvm::SmallVector<Taken, 8> takenOf(const CalibratedRow &source) const;
  llvm::SmallVector<CalibratedUse, 8> ownUses(const CalibratedRow &source, const CalibratedBody &body,
                                              bool areBound) const;
  llvm::SmallVector<CalibratedUse, 8> llvmUses(llvm::ArrayRef<Taken> taken, const CalibratedBody &body) const;
  void addPorts(llvm::ArrayRef<Taken> taken, CalibratedInstruction &instruction, CalibratedBody &body);
  void addLlvmPortUses(const Taken &taken, CalibratedBody &body);
  static void addPortUses(uint32_t ports, double amount, uint16_t resource, CalibratedBody &body);
  void addOwnPorts(const CalibratedRow &source, CalibratedInstruction &instruction, CalibratedBody &body);
  static uint32_t newPorts(uint32_t count, CalibratedBody &body);
  uint32_t portsOf(uint64_t units, CalibratedBody &body);

  const ResourceTable &resources_;
  const Calibration &calibration_;
  const bool bindsPorts_;
  uint64_t loadUnits_ = 0;              ///< the ports of plain loads, if ports are bound
  std::vector<uint32_t> positions_;     ///< of the calibration's resources in the body; kNone: not used
  std::vector<uint32_t> ownPorts_;      ///< of the calibration's resources; 0: it is not bound to ports
  std::vector<uint64_t> llvmUnits_;     ///< of the calibration's resources that are LLVM's; 0: it is none of them
  std::vector<unsigned> llvmResources_; ///< LLVM's numbers, from firstOfLlvm_ on in the body
  std::vector<uint64_t> ports_;         ///< the unit of each port of the body
  uint32_t firstOfLlvm_ = 0;
};

} // namespace mca
