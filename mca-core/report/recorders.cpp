// The events of FullRecorder, passed on to the collectors that are on.
#include "mca-core/report/recorders.h"

namespace mca {

void FullRecorder::countDispatched(uint64_t id, uint32_t instructionIndex, uint32_t microOps,
                                   const Dispatched &dispatched) {
  const BodyInstruction &instruction = body_->instructions[instructionIndex];
  if (waits && dispatched.first)
    waits->onDispatched(id);
  if (dispatch)
    dispatch->onDispatched(microOps);
  if (schedulers)
    schedulers->onDispatched(id, instruction.mayLoad, instruction.mayStore);
  if (retirement)
    retirement->onDispatched(microOps);
  if (!registerFiles)
    return;
  if (dispatched.first && !dispatched.eliminated)
    registerFiles->onDispatched(instruction.allocations);
  // In llvm-mca a move counts once per cycle of its dispatch.
  if (instruction.moveCandidates)
    registerFiles->onMoves(instruction.moveFile, instruction.moveCandidates, dispatched.eliminated,
                           dispatched.zeroMoves);
}

void FullRecorder::onIssued(const IssuedInstruction &issued) {
  plain.onIssued(issued);
  if (schedulers)
    schedulers->onIssued(body_->instructions[issued.instructionIndex].microOps);
  if (bottlenecks)
    bottlenecks->onIssued(issued, taken_);
  if (waits)
    waits->onIssued(issued, taken_);
  taken_.clear();
}

void FullRecorder::countExecuted(uint64_t id, uint32_t instructionIndex) {
  if (waits)
    waits->onExecuted(id);
  if (schedulers)
    schedulers->onExecuted(body_->instructions[instructionIndex].mayLoad,
                           body_->instructions[instructionIndex].mayStore);
}

void FullRecorder::countRetired(uint64_t id, uint32_t instructionIndex, bool eliminated) {
  const BodyInstruction &instruction = body_->instructions[instructionIndex];
  if (retirement)
    retirement->onRetired(instruction.microOps);
  if (waits)
    waits->onRetired(id);
  if (registerFiles && !eliminated)
    registerFiles->onRetired(instruction.allocations);
}

void FullRecorder::countStall(DispatchStall stall) {
  if (waits)
    waits->onStall(stall);
  if (dispatch)
    dispatch->onStall(stall);
}

void FullRecorder::onCyclesEnd(int64_t cycles) {
  plain.onCyclesEnd(cycles);
  if (bottlenecks)
    bottlenecks->onCyclesEnd(cycles);
  if (dispatch)
    dispatch->onCyclesEnd(cycles);
  if (schedulers)
    schedulers->onCyclesEnd(cycles);
  if (retirement)
    retirement->onCyclesEnd(cycles);
  if (registerFiles)
    registerFiles->onCyclesEnd();
  if (waits)
    waits->onCyclesEnd(cycles);
}

template <typename Visit>
void FullRecorder::visitCounters(Visit &visit) {
  if (bottlenecks)
    bottlenecks->visitCounters(visit);
  if (dispatch)
    dispatch->visitCounters(visit);
  if (schedulers)
    schedulers->visitCounters(visit);
  if (retirement)
    retirement->visitCounters(visit);
  if (registerFiles)
    registerFiles->visitCounters(visit);
  if (waits)
    waits->visitCounters(visit);
}

void FullRecorder::mark(Mark &mark) {
  plain.mark(mark.plain);
  CounterSnapshot snapshot(mark.counters);
  visitCounters(snapshot);
}

void FullRecorder::repeat(const Mark &mark, uint64_t times) {
  plain.repeat(mark.plain, times);
  CounterRepetition repeat(mark.counters, times);
  visitCounters(repeat);
}

} // namespace mca
