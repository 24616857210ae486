// llvm-mca's instruction view as typed values.
#include "tests/differential/reference/description.h"

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCSchedule.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/MCA/CodeEmitter.h"
#include "llvm/Support/raw_ostream.h"

#include <string_view>

namespace mca::reference {
namespace {

/// llvm-mca looks for the comment in the rest of the line. Of a comment in C's form it takes as many characters as
/// stand between the mnemonic and the comment's end mark.
std::string commentAt(const char *mnemonic) {
  const std::string_view rest(mnemonic ? mnemonic : "");
  const size_t length = rest.find('\n');
  if (length == std::string_view::npos)
    return {};
  const std::string_view line = rest.substr(0, length);
  const size_t begin = line.find("/*"), end = line.find("*/");
  if (begin != line.npos && end != line.npos)
    return std::string(line.substr(begin, end));
  const size_t slashes = line.find("//");
  return slashes == line.npos ? std::string() : std::string(line.substr(slashes));
}

} // namespace

std::string Describer::textOf(const llvm::MCInst &inst) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  printer_.printInst(&inst, 0, "", target_.subtarget(), out);
  const size_t begin = text.find_first_not_of(" \t\n\v\f\r");
  return begin == text.npos ? std::string() : text.substr(begin);
}

unsigned schedulingClassOf(const Target &target, const Program &program, const Instruction &instruction) {
  const llvm::MCSubtargetInfo &subtarget = target.subtarget();
  const llvm::MCSchedModel &model = subtarget.getSchedModel();
  unsigned id =
      target.instruments().getSchedClassID(target.instructions(), instruction.inst, program.instrumentsOf(instruction));
  while (id && model.getSchedClassDesc(id)->isVariant())
    id = subtarget.resolveVariantSchedClass(id, &instruction.inst, &target.instructions(), model.getProcessorID());
  return id;
}

InstructionInfo Describer::describe(const Instruction &source, const llvm::mca::Instruction &lowered,
                                    bool withDetails) const {
  const llvm::MCSubtargetInfo &subtarget = target_.subtarget();
  const llvm::MCSchedClassDesc &sched =
      *subtarget.getSchedModel().getSchedClassDesc(schedulingClassOf(target_, program_, source));
  const llvm::MCInstrDesc &opcode = target_.instructions().get(source.inst.getOpcode());
  InstructionInfo info;
  info.text = textOf(source.inst);
  info.microOps = sched.NumMicroOps;
  info.latency = llvm::MCSchedModel::computeInstrLatency(subtarget, sched) +
                 llvm::MCSchedModel::getForwardingDelayCycles(subtarget.getReadAdvanceEntries(sched));
  info.reciprocalThroughput = llvm::MCSchedModel::getReciprocalThroughput(subtarget, sched);
  info.mayLoad = opcode.mayLoad();
  info.mayStore = opcode.mayStore();
  info.hasSideEffects = opcode.hasUnmodeledSideEffects();
  info.isCall = opcode.isCall();
  info.loadBarrier = lowered.isALoadBarrier();
  info.storeBarrier = lowered.isAStoreBarrier();
  if (withDetails)
    info.scheduling = detailsOf(source.inst, sched, info.latency);
  return info;
}

SchedulingDetails Describer::detailsOf(const llvm::MCInst &inst, const llvm::MCSchedClassDesc &sched,
                                       uint32_t latency) const {
  const llvm::MCSubtargetInfo &subtarget = target_.subtarget();
  SchedulingDetails details;
  details.bypassLatency = latency - llvm::MCSchedModel::getBypassDelayCycles(subtarget, sched);
  details.opcode = target_.instructions().getName(inst.getOpcode()).str();
  details.comment = commentAt(inst.getLoc().getPointer());
  for (auto use = subtarget.getWriteProcResBegin(&sched); use != subtarget.getWriteProcResEnd(&sched); ++use)
    if (use->ReleaseAtCycle)
      details.resources.push_back({subtarget.getSchedModel().getProcResource(use->ProcResourceIdx)->Name,
                                   use->AcquireAtCycle, use->ReleaseAtCycle});
  return details;
}

void Describer::addEncodings(const std::vector<const Instruction *> &sources,
                             std::vector<InstructionInfo> &infos) const {
  const std::unique_ptr<llvm::MCCodeEmitter> emitter(
      target_.backend().createMCCodeEmitter(target_.instructions(), program_.context()));
  const std::unique_ptr<llvm::MCAsmBackend> backend(
      target_.backend().createMCAsmBackend(target_.subtarget(), target_.registers(), target_.mcOptions()));
  if (!emitter || !backend)
    return;
  std::vector<llvm::MCInst> sequence;
  for (const Instruction *source : sources)
    sequence.push_back(source->inst);
  llvm::mca::CodeEmitter encoder(target_.subtarget(), *backend, *emitter, sequence);
  for (unsigned i = 0; i < infos.size(); ++i)
    for (const char byte : encoder.getEncoding(i))
      infos[i].encoding.push_back(static_cast<uint8_t>(byte));
}

std::vector<ResourceDescription> Describer::resources() const {
  const llvm::MCSchedModel &model = target_.subtarget().getSchedModel();
  std::vector<ResourceDescription> result;
  for (unsigned index = 1; index < model.getNumProcResourceKinds(); ++index) {
    const llvm::MCProcResourceDesc &resource = *model.getProcResource(index);
    if (!resource.NumUnits)
      continue;
    ResourceDescription description{.name = resource.Name, .units = resource.NumUnits};
    for (unsigned i = 0; resource.SubUnitsIdxBegin && i < resource.NumUnits; ++i)
      description.members.emplace_back(model.getProcResource(resource.SubUnitsIdxBegin[i])->Name);
    result.push_back(std::move(description));
  }
  return result;
}

} // namespace mca::reference
