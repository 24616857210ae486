#include "mca-core/model/lowering.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/MCA/Support.h"

namespace mca {

Lowering::Lowering(const Target &target, unsigned callLatency, bool customBehaviour)
    : target_(target), builder_(target.subtarget(), target.instructions(), target.registers(), target.analysis(),
                                target.instruments(), callLatency),
      postProcess_(customBehaviour ? target.backend().createInstrPostProcess(target.subtarget(), target.instructions())
                                   : nullptr) {}

LoweredRegion Lowering::lower(const Program &program, std::span<const uint32_t> region, OnSkipped onSkipped) {
  LoweredRegion result;
  builder_.clear();
  if (postProcess_)
    postProcess_->resetState();
  for (uint32_t position = 0; position < region.size(); ++position) {
    const Instruction &source = program.instructions()[region[position]];
    auto lowered = builder_.createInstruction(source.inst, program.instrumentsOf(source));
    if (!lowered) {
      std::string message;
      llvm::handleAllErrors(
          lowered.takeError(), [&](const llvm::mca::InstructionError<llvm::MCInst> &error) { message = error.Message; },
          [&](const llvm::ErrorInfoBase &error) { message = error.message(); });
      result.skipped.push_back({position, std::move(message)});
      if (onSkipped && !onSkipped(result.skipped.back()))
        break;
      continue;
    }
    if (postProcess_)
      postProcess_->postProcessInstruction(**lowered, source.inst);
    result.origins.push_back(position);
    result.sources.push_back(&source);
    result.instructions.push_back(std::move(*lowered));
  }
  return result;
}

unsigned resolveSchedClass(const Target &target, const llvm::MCInst &inst, const Program::InstrumentSet &instruments) {
  const llvm::MCSchedModel &model = target.subtarget().getSchedModel();
  unsigned id = target.instruments().getSchedClassID(target.instructions(), inst, instruments);
  while (id && model.getSchedClassDesc(id)->isVariant())
    id = target.subtarget().resolveVariantSchedClass(id, &inst, &target.instructions(), model.getProcessorID());
  return id;
}

} // namespace mca
