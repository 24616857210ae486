#include "mca-core/views/instruction_info.h"

#include "llvm/MC/MCSchedule.h"
#include "llvm/Support/raw_ostream.h"

namespace mca {
namespace {

/// The printed form without the white space around it.
std::string printInstruction(const Target &target, const llvm::MCInst &inst, llvm::MCInstPrinter &printer) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printer.printInst(&inst, 0, "", target.subtarget(), stream);
  return llvm::StringRef(text).trim().str();
}

} // namespace

std::vector<InstructionInfo> describeInstructions(const Target &target, const Program &program,
                                                  const LoweredRegion &region, llvm::MCInstPrinter &printer) {
  const llvm::MCSubtargetInfo &subtarget = target.subtarget();
  const llvm::MCSchedModel &model = subtarget.getSchedModel();
  std::vector<InstructionInfo> result;
  result.reserve(region.origins.size());
  for (size_t i = 0; i < region.origins.size(); ++i) {
    const Instruction &source = *region.sources[i];
    const llvm::MCSchedClassDesc &sched =
        *model.getSchedClassDesc(resolveSchedClass(target, source.inst, program.instrumentsOf(source)));
    InstructionInfo info;
    info.text = printInstruction(target, source.inst, printer);
    info.microOps = sched.NumMicroOps;
    // The delay of the forwarding paths is part of what a reader of the instruction waits for.
    info.latency = llvm::MCSchedModel::computeInstrLatency(subtarget, sched) +
                   llvm::MCSchedModel::getForwardingDelayCycles(subtarget.getReadAdvanceEntries(sched));
    info.reciprocalThroughput = llvm::MCSchedModel::getReciprocalThroughput(subtarget, sched);
    const llvm::mca::Instruction &lowered = *region.instructions[i];
    info.mayLoad = lowered.getMayLoad();
    info.mayStore = lowered.getMayStore();
    info.hasSideEffects = lowered.getHasSideEffects();
    info.isCall = target.instructions().get(source.inst.getOpcode()).isCall();
    result.push_back(std::move(info));
  }
  return result;
}

} // namespace mca
