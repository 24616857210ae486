// The processor resources of a scheduling model and their bit masks in LLVM's MCA library.
//
// The highest bit of a resource's mask is its own; the lower bits of a group's mask are its members
// (computeProcResourceMasks in llvm/lib/MCA/Support.cpp). The simulator's results name resources by that highest bit,
// the state index, and units of a resource by separate bits.
#pragma once

#include "mca-core/target/target.h"

#include <cstdint>
#include <vector>

namespace mca {

/// Resources of one scheduling model, by LLVM's number: their masks, and the way back from a mask.
class ResourceTable {
public:
  explicit ResourceTable(const llvm::MCSchedModel &model);

  /// Number of resources, including LLVM's invalid resource 0.
  unsigned size() const { return static_cast<unsigned>(masks_.size()); }
  uint64_t maskOf(unsigned resource) const { return masks_[resource]; }
  /// Returns the resource whose own bit is the highest in `mask`, which must not be 0.
  unsigned resourceOf(uint64_t mask) const;
  const llvm::MCProcResourceDesc &describe(unsigned resource) const { return *model_.getProcResource(resource); }
  bool isGroup(unsigned resource) const { return describe(resource).SubUnitsIdxBegin != nullptr; }
  const llvm::MCSchedModel &model() const { return model_; }

private:
  const llvm::MCSchedModel &model_;
  llvm::SmallVector<uint64_t, 32> masks_;
  std::vector<unsigned> byStateIndex_;
};

} // namespace mca
