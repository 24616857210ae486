// Keeps a copy of LLVM's instruction for each instance in flight, and advances it to the cycle of each check.
#include "mca-core/engine/custom_hazards.h"

#include "llvm/MC/TargetRegistry.h"

#include <algorithm>

namespace mca {
namespace {

llvm::SmallVector<std::unique_ptr<llvm::mca::Instruction>, 0> copyOf(const LoweredRegion &region) {
  llvm::SmallVector<std::unique_ptr<llvm::mca::Instruction>, 0> copies;
  for (const LoweredInstruction *instruction : region.instructions)
    copies.push_back(std::make_unique<llvm::mca::Instruction>(*instruction->llvmInstruction));
  return copies;
}

} // namespace

CustomHazards::CustomHazards(const Target &target, const LoweredRegion &region)
    : region_(copyOf(region)), source_(region_, 1),
      behaviour_(target.backend().createCustomBehaviour(target.subtarget(), source_, target.instructions())) {}

/// InOrderIssueStage::canExecute passes the list of its executing instructions to CustomBehaviour::checkCustomHazard,
/// which may look at the cycles that each has left. They are advanced only now, because most cycles check no
/// instruction.
uint32_t CustomHazards::check(uint64_t id, int64_t now) {
  llvm::SmallVector<llvm::mca::InstRef, 16> issued;
  for (InFlight &other : inFlight_) {
    for (; other.at < now; ++other.at)
      if (other.instruction->isExecuting())
        other.instruction->cycleEvent();
    issued.emplace_back(static_cast<unsigned>(other.id), other.instruction.get());
  }
  return behaviour_->checkCustomHazard(issued, {static_cast<unsigned>(id), region_[id % region_.size()].get()});
}

/// A copy of the instruction takes the steps that LLVM's pipeline would take with it. Its token in the reorder buffer
/// is irrelevant in order.
void CustomHazards::onIssued(uint64_t id, int64_t now) {
  InFlight &issued = inFlight_.emplace_back(
      InFlight{id, now, std::make_unique<llvm::mca::Instruction>(*region_[id % region_.size()])});
  issued.instruction->dispatch(0);
  issued.instruction->execute(static_cast<unsigned>(id));
}

void CustomHazards::onGone(uint64_t id) {
  std::erase_if(inFlight_, [id](const InFlight &other) { return other.id == id; });
}

} // namespace mca
