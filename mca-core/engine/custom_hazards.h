// The hazards that a target adds to its scheduling model, such as AMDGPU's s_waitcnt.
//
// LLVM implements them in CustomBehaviour, which inspects LLVM's own instructions. This class keeps such instructions
// in step with ours and queries LLVM.
#pragma once

#include "mca-core/model/lowering.h"

#include "llvm/MCA/CustomBehaviour.h"
#include "llvm/MCA/SourceMgr.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace mca {

class CustomHazards {
public:
  /// `region`: lowered with custom behaviour. `target` must have one, see hasCustomBehaviour().
  CustomHazards(const Target &target, const LoweredRegion &region);

  /// Returns the minimum number of cycles that the instance must wait; 0 if it can issue.
  uint32_t check(uint64_t id, int64_t now);
  void onIssued(uint64_t id, int64_t now);
  /// Removes an instance that is no longer in flight.
  void onGone(uint64_t id);

private:
  struct InFlight {
    uint64_t id;
    int64_t at; ///< the cycle up to which the instruction has been advanced
    std::unique_ptr<llvm::mca::Instruction> instruction;
  };

  llvm::SmallVector<std::unique_ptr<llvm::mca::Instruction>, 0> region_;
  llvm::mca::CircularSourceMgr source_;
  std::unique_ptr<llvm::mca::CustomBehaviour> behaviour_;
  std::vector<InFlight> inFlight_;
};

} // namespace mca
