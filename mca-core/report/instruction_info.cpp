// Describes instructions as InstructionInfoView in llvm/tools/llvm-mca/Views does.
#include "mca-core/report/instruction_info.h"

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCSchedule.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/MCA/CodeEmitter.h"
#include "llvm/Support/raw_ostream.h"

namespace mca {
namespace {

constexpr unsigned kMaxCached = 1 << 16; ///< cached descriptions, about 200 bytes each

/// Lowering has accepted the instruction, so that its class exists.
const llvm::MCSchedClassDesc &schedClassOf(const Target &target, const llvm::MCInst &inst,
                                           const Program::InstrumentSet &instruments) {
  return *target.subtarget().getSchedModel().getSchedClassDesc(resolveSchedClass(target, inst, instruments));
}

/// Instructions that differ only in a symbol have one kind but different texts.
bool mentionsSymbol(const llvm::MCInst &inst) {
  return llvm::any_of(inst, [](const llvm::MCOperand &operand) { return operand.isExpr(); });
}

/// Returns the printed instruction without leading white space.
std::string printInstruction(const Target &target, const llvm::MCInst &inst, llvm::MCInstPrinter &printer) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printer.printInst(&inst, 0, "", target.subtarget(), stream);
  return llvm::StringRef(text).ltrim().str();
}

/// Returns the C or C++ comment on the instruction's line. llvm-mca passes the end of a C comment as its length, so its
/// text is longer than the comment.
std::string trailingComment(const llvm::MCInst &inst) {
  const char *begin = inst.getLoc().getPointer();
  if (!begin)
    return {};
  const llvm::StringRef rest(begin);
  const size_t end = rest.find('\n');
  if (end == llvm::StringRef::npos)
    return {};
  const llvm::StringRef line = rest.take_front(end);
  const size_t open = line.find("/*"), close = line.find("*/");
  if (open != llvm::StringRef::npos && close != llvm::StringRef::npos)
    return line.substr(open, close).str();
  return line.substr(line.find("//")).str(); // empty from npos on
}

/// The additional columns of -instruction-tables=full.
SchedulingDetails detailsOf(const Target &target, const llvm::MCInst &inst, const llvm::MCSchedClassDesc &sched,
                            uint32_t latency) {
  const llvm::MCSubtargetInfo &subtarget = target.subtarget();
  SchedulingDetails details;
  details.bypassLatency = latency - llvm::MCSchedModel::getBypassDelayCycles(subtarget, sched);
  details.opcode = target.instructions().getName(inst.getOpcode()).str();
  for (const llvm::MCWriteProcResEntry &entry :
       llvm::make_range(subtarget.getWriteProcResBegin(&sched), subtarget.getWriteProcResEnd(&sched)))
    if (entry.ReleaseAtCycle)
      details.resources.push_back({subtarget.getSchedModel().getProcResource(entry.ProcResourceIdx)->Name,
                                   entry.AcquireAtCycle, entry.ReleaseAtCycle});
  details.comment = trailingComment(inst);
  return details;
}

/// Adds the machine code, as far as it is known without a layout: LLVM's CodeEmitter encodes each instruction alone. A
/// backend without an encoder adds none.
void addEncodings(const Target &target, const Program &program, const LoweredRegion &region,
                  std::vector<InstructionInfo> &instructions) {
  const std::unique_ptr<llvm::MCCodeEmitter> emitter(
      target.backend().createMCCodeEmitter(target.instructions(), program.context()));
  const std::unique_ptr<llvm::MCAsmBackend> backend(
      target.backend().createMCAsmBackend(target.subtarget(), target.registers(), target.mcOptions()));
  if (!emitter || !backend)
    return;
  std::vector<llvm::MCInst> sequence;
  for (const Instruction *source : region.sources)
    sequence.push_back(source->inst);
  llvm::mca::CodeEmitter encoder(target.subtarget(), *backend, *emitter, sequence);
  for (unsigned i = 0; i < instructions.size(); ++i) {
    const llvm::StringRef bytes = encoder.getEncoding(i);
    instructions[i].encoding.assign(bytes.bytes_begin(), bytes.bytes_end());
  }
}

/// Returns the instruments that llvm-mca uses for the instruction at `place` among those that were not skipped. It
/// finds those of the instruction that was at `place` in the whole region, if that one was not skipped.
const Program::InstrumentSet &misplacedInstruments(const Program &program, const LoweredRegion &region, size_t place) {
  static const Program::InstrumentSet none;
  const auto found = llvm::lower_bound(region.origins, place);
  if (found == region.origins.end() || *found != place)
    return none;
  return program.instrumentsOf(*region.sources[static_cast<size_t>(found - region.origins.begin())]);
}

} // namespace

InstructionInfo InstructionDescriber::describe(const Instruction &source, const LoweredInstruction &lowered,
                                               const Program::InstrumentSet &instruments,
                                               llvm::MCInstPrinter &printer) const {
  const llvm::MCSubtargetInfo &subtarget = target_.subtarget();
  const llvm::MCSchedClassDesc &sched = schedClassOf(target_, source.inst, instruments);
  const llvm::MCInstrDesc &description = target_.instructions().get(source.inst.getOpcode());
  const int latency = llvm::MCSchedModel::computeInstrLatency(subtarget, sched);
  // The delay of forwarding paths is part of the latency that readers see.
  const auto withForwarding = static_cast<uint32_t>(
      latency + llvm::MCSchedModel::getForwardingDelayCycles(subtarget.getReadAdvanceEntries(sched)));
  return {.text = printInstruction(target_, source.inst, printer),
          .microOps = sched.NumMicroOps,
          .latency = withForwarding,
          .effectiveLatency = lowered.latency == latency ? withForwarding : static_cast<uint32_t>(lowered.latency),
          .reciprocalThroughput = llvm::MCSchedModel::getReciprocalThroughput(subtarget, sched),
          .mayLoad = description.mayLoad(),
          .mayStore = description.mayStore(),
          .hasSideEffects = description.hasUnmodeledSideEffects(),
          .isCall = description.isCall(),
          .loadBarrier = lowered.loadBarrier,
          .storeBarrier = lowered.storeBarrier};
}

std::vector<InstructionInfo> InstructionDescriber::describe(const Program &program, const LoweredRegion &region,
                                                            llvm::MCInstPrinter &printer,
                                                            const SimulationOptions &options) {
  std::vector<InstructionInfo> result;
  result.reserve(region.origins.size());
  if (cache_.size() > kMaxCached)
    cache_.clear();
  const bool misplaced = options.misplacedInstruments && !region.skipped.empty();
  for (size_t i = 0; i < region.origins.size(); ++i) {
    const Instruction &source = *region.sources[i];
    const LoweredInstruction &lowered = *region.instructions[i];
    const Program::InstrumentSet &instruments =
        misplaced ? misplacedInstruments(program, region, i) : program.instrumentsOf(source);
    if (misplaced || !lowered.kind || mentionsSymbol(source.inst)) {
      result.push_back(describe(source, lowered, instruments, printer));
    } else {
      const auto [known, isNew] = cache_.try_emplace(lowered.kind);
      if (isNew)
        known->second = describe(source, lowered, instruments, printer);
      result.push_back(known->second);
    }
    if (options.schedulingDetails)
      result.back().scheduling =
          detailsOf(target_, source.inst, schedClassOf(target_, source.inst, instruments), result.back().latency);
  }
  if (options.encodings)
    addEncodings(target_, program, region, result);
  return result;
}

std::vector<ResourceDescription> describeResources(const llvm::MCSchedModel &model) {
  std::vector<ResourceDescription> resources;
  for (unsigned index = 1; index < model.getNumProcResourceKinds(); ++index) {
    const llvm::MCProcResourceDesc &resource = *model.getProcResource(index);
    if (!resource.NumUnits)
      continue;
    ResourceDescription &description =
        resources.emplace_back(ResourceDescription{resource.Name, resource.NumUnits, {}});
    if (resource.SubUnitsIdxBegin)
      for (const unsigned member : llvm::ArrayRef(resource.SubUnitsIdxBegin, resource.NumUnits))
        description.members.emplace_back(model.getProcResource(member)->Name);
  }
  return resources;
}

} // namespace mca
