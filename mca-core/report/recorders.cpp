// The events of FullRecorder that reports without statistics and waits do not need, kept out of the machines' inlined
// code.
#include "mca-core/report/recorders.h"

namespace mca {

void FullRecorder::countDispatched(uint64_t id, const BodyInstruction &instruction, uint32_t microOps,
                                   const Dispatched &dispatched) {
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
  PlainRecorder::onIssued(issued);
  if (schedulers)
    schedulers->onIssued(body_->instructions[issued.instructionIndex].microOps);
  if (bottlenecks)
    bottlenecks->onIssued(issued, taken_);
  if (waits)
    waits->onIssued(issued, taken_);
  taken_.clear();
}

void FullRecorder::countExecuted(uint64_t id, const BodyInstruction &instruction) {
  if (waits)
    waits->onExecuted(id);
  if (schedulers)
    schedulers->onExecuted(instruction.mayLoad, instruction.mayStore);
}

void FullRecorder::countRetired(uint64_t id, const BodyInstruction &instruction, bool eliminated) {
  if (retirement)
    retirement->onRetired(instruction.microOps);
  if (waits)
    waits->onRetired(id);
  if (registerFiles && !eliminated)
    registerFiles->onRetired(instruction.allocations);
}

void FullRecorder::onCyclesEnd(int64_t cycles) {
  PlainRecorder::onCyclesEnd(cycles);
  forEachCollector([=](auto &collector) {
    if (collector)
      collector->onCyclesEnd(cycles);
  });
}

void FullRecorder::mark(Mark &mark) {
  PlainRecorder::mark(mark.plain);
  CounterSnapshot snapshot(mark.counters);
  forEachCollector([&](auto &collector) {
    if (collector)
      collector->visitCounters(snapshot);
  });
}

void FullRecorder::repeat(const Mark &mark, uint64_t times) {
  PlainRecorder::repeat(mark.plain, times);
  CounterRepetition repetition(mark.counters, times);
  forEachCollector([&](auto &collector) {
    if (collector)
      collector->visitCounters(repetition);
  });
}

} // namespace mca
