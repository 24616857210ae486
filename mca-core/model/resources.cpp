// Computes the resource masks with LLVM, and inverts them.
#include "mca-core/model/resources.h"

#include "llvm/MCA/Support.h"

namespace mca {

ResourceTable::ResourceTable(const llvm::MCSchedModel &model)
    : model_(model), masks_(model.getNumProcResourceKinds(), 0), byStateIndex_(64, 0) {
  llvm::mca::computeProcResourceMasks(model, masks_);
  for (unsigned resource = 1; resource < size(); ++resource)
    byStateIndex_[llvm::mca::getResourceStateIndex(masks_[resource])] = resource;
}

unsigned ResourceTable::resourceOf(uint64_t mask) const {
  return byStateIndex_[llvm::mca::getResourceStateIndex(mask)];
}

} // namespace mca
