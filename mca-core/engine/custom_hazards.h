// The hazards that a target knows beyond its scheduling model, such as what AMDGPU's s_waitcnt waits for.
//
// They are LLVM's own CustomBehaviour, which wants to see LLVM's instructions: here they are kept in step with ours.
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

  /// Cycles that the instance must wait at least; 0 when it can issue.
  uint32_t check(uint64_t id, int64_t now);
  void onIssued(uint64_t id, int64_t now);
  /// It is no longer in flight.
  void onGone(uint64_t id);

private:
  struct InFlight {
    uint64_t id;
    int64_t at; ///< the cycle that the instruction's state is of
    std::unique_ptr<llvm::mca::Instruction> instruction;
  };

  llvm::SmallVector<std::unique_ptr<llvm::mca::Instruction>, 0> region_;
  llvm::mca::CircularSourceMgr source_;
  std::unique_ptr<llvm::mca::CustomBehaviour> behaviour_;
  std::vector<InFlight> inFlight_;
};

} // namespace mca
