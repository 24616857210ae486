#include "mca-core/model/body.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/MCA/Support.h"

#include <algorithm>

namespace mca {
namespace {

class BodyBuilder {
public:
  BodyBuilder(const Target &target, Body &body) : target_(target), body_(body) {}

  void build(const LoweredRegion &region) {
    for (const auto &instruction : region.instructions)
      collect(*instruction);
    body_.registers.finish();
    body_.writeKinds = static_cast<uint32_t>(kinds_.size());
    for (const auto &instruction : region.instructions)
      lower(*instruction);
  }

private:
  void collect(const llvm::mca::Instruction &instruction) {
    for (const llvm::mca::WriteState &write : instruction.getDefs()) {
      kinds_.insert({write.getWriteResourceID(), static_cast<uint16_t>(kinds_.size())});
      if (write.getRegisterID())
        body_.registers.add(write.getRegisterID());
    }
    for (const llvm::mca::ReadState &read : instruction.getUses())
      if (read.getRegisterID())
        body_.registers.add(read.getRegisterID());
  }

  void lower(const llvm::mca::Instruction &source) {
    const llvm::mca::InstrDesc &description = source.getDesc();
    BodyInstruction instruction;
    instruction.microOps = source.getNumMicroOps();
    instruction.latency = static_cast<int32_t>(source.getLatency());
    instruction.buffers = source.getUsedBuffers();
    instruction.groups = description.UsedProcResGroups;
    instruction.mayLoad = source.getMayLoad();
    instruction.mayStore = source.getMayStore();
    instruction.loadBarrier = source.isALoadBarrier();
    instruction.storeBarrier = source.isAStoreBarrier();
    instruction.beginGroup = source.getBeginGroup();
    instruction.endGroup = source.getEndGroup();
    instruction.retireOutOfOrder = source.getRetireOOO();
    instruction.optimizableMove = source.isOptimizableMove();
    instruction.issuesAtOnce = description.isZeroLatency() || description.MustIssueImmediately;
    instruction.overlappingGroups = description.HasPartiallyOverlappingGroups;
    addWrites(source, instruction);
    addReads(source, instruction);
    addResources(description, instruction);
    body_.instructions.push_back(instruction);
  }

  void addWrites(const llvm::mca::Instruction &source, BodyInstruction &instruction) {
    instruction.firstWrite = static_cast<uint32_t>(body_.writes.size());
    for (const llvm::mca::WriteState &write : source.getDefs()) {
      BodyWrite lowered;
      if (write.getRegisterID())
        lowered.reg = body_.registers.indexOf(write.getRegisterID());
      lowered.latency = static_cast<int32_t>(write.getLatency());
      lowered.kind = kinds_.lookup(write.getWriteResourceID());
      lowered.clearsSuperRegisters = write.clearsSuperRegisters();
      lowered.writesZero = write.isWriteZero();
      body_.writes.push_back(lowered);
    }
    instruction.writes = static_cast<uint32_t>(body_.writes.size()) - instruction.firstWrite;
  }

  void addReads(const llvm::mca::Instruction &source, BodyInstruction &instruction) {
    const llvm::MCSchedModel &model = target_.subtarget().getSchedModel();
    instruction.firstRead = static_cast<uint32_t>(body_.reads.size());
    for (const llvm::mca::ReadState &read : source.getUses()) {
      BodyRead lowered;
      if (read.getRegisterID())
        lowered.reg = body_.registers.indexOf(read.getRegisterID());
      lowered.independent = read.isIndependentFromDef();
      lowered.advances = static_cast<uint32_t>(body_.advances.size());
      const llvm::MCSchedClassDesc *sched = model.getSchedClassDesc(read.getDescriptor().SchedClassID);
      for (const auto &[kind, index] : kinds_) {
        const int advance = target_.subtarget().getReadAdvanceCycles(sched, read.getDescriptor().UseIndex, kind);
        body_.advances.push_back(static_cast<int16_t>(advance));
        body_.longestLateRead = std::max(body_.longestLateRead, -advance);
      }
      body_.reads.push_back(lowered);
    }
    instruction.reads = static_cast<uint32_t>(body_.reads.size()) - instruction.firstRead;
  }

  void addResources(const llvm::mca::InstrDesc &description, BodyInstruction &instruction) {
    instruction.firstResource = static_cast<uint32_t>(body_.resources.size());
    instruction.plainResources = !instruction.overlappingGroups;
    for (const auto &[mask, usage] : description.Resources) {
      BodyResource resource;
      resource.mask = mask;
      resource.cycles = usage.size();
      resource.units = usage.NumUnits;
      resource.index = static_cast<uint8_t>(llvm::mca::getResourceStateIndex(mask));
      resource.reserved = usage.isReserved();
      resource.group = llvm::popcount(mask) > 1;
      if (resource.reserved || resource.units != 1)
        instruction.plainResources = false;
      instruction.needed |= 1ull << resource.index;
      body_.resources.push_back(resource);
    }
    instruction.resources = static_cast<uint32_t>(body_.resources.size()) - instruction.firstResource;
  }

  const Target &target_;
  Body &body_;
  llvm::MapVector<unsigned, uint16_t> kinds_;
};

} // namespace

Body makeBody(const Target &target, const LoweredRegion &region, uint32_t registerFileSize) {
  Body body(RegisterTable(target.registers(), target.subtarget().getSchedModel(), registerFileSize));
  BodyBuilder(target, body).build(region);
  return body;
}

} // namespace mca
