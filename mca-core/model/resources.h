// The processor resources of a scheduling model, and the bit masks by which LLVM's MCA library speaks of them.
//
// Each resource has a mask whose highest bit is its own; for a group the lower bits are its members'. What comes out of
// the simulator names resources by that highest bit ("state index"), units of one resource by further bits.
#pragma once

#include "mca-core/target/target.h"

#include <cstdint>
#include <vector>

namespace mca {

class ResourceTable {
public:
  explicit ResourceTable(const llvm::MCSchedModel &model);

  /// Number of resources, index 0 (LLVM's invalid one) included.
  unsigned size() const { return static_cast<unsigned>(masks_.size()); }
  uint64_t maskOf(unsigned resource) const { return masks_[resource]; }
  /// The resource whose own bit is the highest one of `mask`. `mask` must not be 0.
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
