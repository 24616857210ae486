// The hardware statistics: dispatch, schedulers, retirement, register files.
#include "tests/differential/reference/observers.h"

#include <algorithm>

namespace mca::reference {

using llvm::mca::HWInstructionDispatchedEvent;
using llvm::mca::HWInstructionEvent;
using llvm::mca::HWInstructionRetiredEvent;
using llvm::mca::HWStallEvent;

CycleHistogram CycleCounter::histogram() const {
  CycleHistogram result;
  for (const auto &[count, cycles] : cycles_)
    result.push_back({count, cycles});
  return result;
}

void DispatchObserver::onEvent(const HWInstructionEvent &event) {
  if (event.Type == HWInstructionEvent::Dispatched)
    microOps_.count(static_cast<const HWInstructionDispatchedEvent &>(event).MicroOpcodes);
}

void DispatchObserver::onEvent(const HWStallEvent &event) {
  static const std::map<unsigned, DispatchStall> stallOf = {
      {HWStallEvent::RegisterFileStall, DispatchStall::RegisterFile},
      {HWStallEvent::RetireControlUnitStall, DispatchStall::RetireTokens},
      {HWStallEvent::DispatchGroupStall, DispatchStall::Group},
      {HWStallEvent::SchedulerQueueFull, DispatchStall::Scheduler},
      {HWStallEvent::LoadQueueFull, DispatchStall::LoadQueue},
      {HWStallEvent::StoreQueueFull, DispatchStall::StoreQueue},
      {HWStallEvent::CustomBehaviourStall, DispatchStall::Custom},
  };
  if (const auto found = stallOf.find(event.Type); found != stallOf.end())
    ++statistics_.stalls[static_cast<unsigned>(found->second)];
}

void DispatchObserver::onCycleEnd() {
  ++statistics_.cycles;
  microOps_.onCycleEnd();
}

void DispatchObserver::finish(Report &report) {
  statistics_.microOps = microOps_.histogram();
  report.dispatch = statistics_;
}

SchedulerObserver::SchedulerObserver(const Setting &setting)
    : setting_(setting), buffers_(setting.model.getNumProcResourceKinds()) {
  if (setting.model.hasExtraProcessorInfo()) {
    loadQueue_ = setting.model.getExtraProcessorInfo().LoadQueueID;
    storeQueue_ = setting.model.getExtraProcessorInfo().StoreQueueID;
  }
}

void SchedulerObserver::onEvent(const HWInstructionEvent &event) {
  if (event.Type == HWInstructionEvent::Dispatched)
    onDispatched(event.IR);
  else if (event.Type == HWInstructionEvent::Issued)
    microOps_.count(event.IR.getInstruction()->getNumMicroOps());
  else if (event.Type == HWInstructionEvent::Executed)
    onExecuted(event.IR);
}

/// An instruction of many micro-ops is dispatched more than once; its entry in a queue is one.
void SchedulerObserver::onDispatched(const llvm::mca::InstRef &ref) {
  const int64_t id = ref.getSourceIndex();
  if (loadQueue_ && ref.getInstruction()->getMayLoad() && std::exchange(lastLoad_, id) != id)
    ++buffers_[loadQueue_].used;
  if (storeQueue_ && ref.getInstruction()->getMayStore() && std::exchange(lastStore_, id) != id)
    ++buffers_[storeQueue_].used;
}

void SchedulerObserver::onExecuted(const llvm::mca::InstRef &ref) {
  if (loadQueue_ && ref.getInstruction()->getMayLoad())
    --buffers_[loadQueue_].used;
  if (storeQueue_ && ref.getInstruction()->getMayStore())
    --buffers_[storeQueue_].used;
}

void SchedulerObserver::onReservedBuffers(const llvm::mca::InstRef &, llvm::ArrayRef<unsigned> resources) {
  for (const unsigned resource : resources)
    if (!isQueue(resource))
      ++buffers_[resource].used;
}

void SchedulerObserver::onReleasedBuffers(const llvm::mca::InstRef &, llvm::ArrayRef<unsigned> resources) {
  for (const unsigned resource : resources)
    if (!isQueue(resource))
      --buffers_[resource].used;
}

void SchedulerObserver::onCycleEnd() {
  ++cycles_;
  microOps_.onCycleEnd();
  for (Buffer &buffer : buffers_) {
    buffer.maxUsed = std::max(buffer.maxUsed, buffer.used);
    buffer.sumOfCycles += buffer.used;
  }
}

void SchedulerObserver::finish(Report &report) {
  SchedulerStatistics &statistics = report.schedulers.emplace();
  statistics.cycles = cycles_;
  statistics.microOps = microOps_.histogram();
  for (unsigned resource = 0; resource < buffers_.size(); ++resource) {
    const llvm::MCProcResourceDesc &description = *setting_.model.getProcResource(resource);
    const Buffer &buffer = buffers_[resource];
    if (buffer.maxUsed)
      statistics.anyBufferUsed = true;
    if (description.BufferSize > 0)
      statistics.buffers.push_back(
          {description.Name, static_cast<uint32_t>(description.BufferSize), buffer.maxUsed, buffer.sumOfCycles});
  }
}

RetireObserver::RetireObserver(const Setting &setting) {
  const bool has = setting.model.hasExtraProcessorInfo() && setting.model.getExtraProcessorInfo().ReorderBufferSize;
  statistics_.entries = has ? setting.model.getExtraProcessorInfo().ReorderBufferSize
                            : static_cast<uint32_t>(setting.model.MicroOpBufferSize);
}

void RetireObserver::onEvent(const HWInstructionEvent &event) {
  if (event.Type == HWInstructionEvent::Dispatched) {
    used_ += static_cast<const HWInstructionDispatchedEvent &>(event).MicroOpcodes;
  } else if (event.Type == HWInstructionEvent::Retired) {
    used_ -= event.IR.getInstruction()->getNumMicroOps();
    instructions_.count(1);
  }
}

void RetireObserver::onCycleEnd() {
  ++statistics_.cycles;
  statistics_.maxUsed = std::max(statistics_.maxUsed, used_);
  statistics_.sumOfCycles += used_;
  instructions_.onCycleEnd();
}

void RetireObserver::finish(Report &report) {
  statistics_.instructions = instructions_.histogram();
  report.retirement = statistics_;
}

RegisterFileObserver::RegisterFileObserver(const Setting &setting) {
  statistics_.files.emplace_back(); // stands for all registers
  if (setting.model.hasExtraProcessorInfo()) {
    const llvm::MCExtraProcessorInfo &info = setting.model.getExtraProcessorInfo();
    for (unsigned file = 1; file < info.NumRegisterFiles; ++file)
      statistics_.files.push_back(
          {.name = info.RegisterFiles[file].Name, .physicalRegisters = info.RegisterFiles[file].NumPhysRegs});
  }
  mappings_.resize(statistics_.files.size());
  eliminatedInCycle_.resize(statistics_.files.size());
}

void RegisterFileObserver::onEvent(const HWInstructionEvent &event) {
  if (event.Type == HWInstructionEvent::Dispatched) {
    const auto &created = static_cast<const HWInstructionDispatchedEvent &>(event).UsedPhysRegs;
    for (size_t file = 0; file < mappings_.size(); ++file) {
      RegisterFileUsage &usage = statistics_.files[file];
      mappings_[file] += created[file];
      usage.mappings += created[file];
      usage.maxMappings = std::max(usage.maxMappings, mappings_[file]);
    }
    onMove(*event.IR.getInstruction());
  } else if (event.Type == HWInstructionEvent::Retired) {
    const auto &freed = static_cast<const HWInstructionRetiredEvent &>(event).FreedPhysRegs;
    for (size_t file = 0; file < mappings_.size(); ++file)
      mappings_[file] -= freed[file];
  }
}

/// An exchange is two moves: its first definition takes the last use.
void RegisterFileObserver::onMove(const llvm::mca::Instruction &instruction) {
  const auto definitions = instruction.getDefs();
  const auto uses = instruction.getUses();
  if (!instruction.isOptimizableMove() || definitions.size() != uses.size())
    return;
  const unsigned file = definitions.front().getRegisterFileID();
  for (size_t i = 0; i < definitions.size(); ++i) {
    ++statistics_.files[file].optimizableMoves;
    if (definitions[i].isEliminated())
      ++eliminatedInCycle_[file];
    if (definitions[i].isWriteZero() && uses[uses.size() - 1 - i].isReadZero())
      ++statistics_.files[file].zeroMoves;
  }
}

void RegisterFileObserver::onCycleEnd() {
  for (size_t file = 0; file < eliminatedInCycle_.size(); ++file) {
    RegisterFileUsage &usage = statistics_.files[file];
    usage.eliminatedMoves += eliminatedInCycle_[file];
    usage.maxEliminatedInCycle = std::max(usage.maxEliminatedInCycle, eliminatedInCycle_[file]);
    eliminatedInCycle_[file] = 0;
  }
}

} // namespace mca::reference
