// The in-order machine: instructions issue in program order, or the first that cannot makes all behind it wait.
//
// It gives in every cycle what llvm-mca 22.1's in-order pipeline gives (class InOrderIssueStage of LLVM's MCA library):
// an instruction waits for its registers, for free resources, for the memory order, and until its results will not be
// written before those of earlier ones (unless it may retire out of order). One with more micro-ops than the cycle has
// left is carried over. What is executed retires at once.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/engine/memory_order.h"
#include "mca-core/engine/register_state.h"
#include "mca-core/engine/resource_state.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace mca {

template <typename Events>
class InOrderMachine {
public:
  InOrderMachine(const Body &body, const ResourceTable &resources, const MachineOptions &options, Events &events)
      : body_(body), options_(options), events_(events), registers_(body), resources_(resources),
        memory_(options.loadQueue, options.storeQueue, options.assumeNoAlias), instances_(64) {}

  /// Runs `iterations` of the body to the end.
  void run(uint64_t iterations) {
    last_ = iterations * body_.instructions.size();
    do
      cycle();
    while (fetched_ < last_ || !issued_.empty() || stalled_ || carried_);
  }

private:
  enum class Reason { Registers, Resources, Memory, Order };

  struct Instance {
    uint64_t id = WriteRef::kNobody;
    uint32_t what = 0;
    uint32_t group = 0; ///< of memory operations
    int64_t issued = 0;
    int64_t executed = 0;
    bool done = false;      ///< executed and retired
    bool forgotten = false; ///< executed, and will never retire
  };

  Instance &at(uint64_t id) { return instances_[id & (instances_.size() - 1)]; }
  const BodyInstruction &bodyOf(const Instance &instance) const { return body_.instructions[instance.what]; }
  const BodyResource *resourcesOf(const BodyInstruction &instruction) const {
    return body_.resources.data() + instruction.firstResource;
  }
  static bool isMemory(const BodyInstruction &instruction) { return instruction.mayLoad || instruction.mayStore; }

  void cycle() {
    startCycle();
    while (fetched_ < last_ && isAvailable(body_.instructions[fetched_ % body_.instructions.size()]))
      accept(fetched_++);
    events_.onCycleEnd();
    if (stalled_ && stallCycles_)
      --stallCycles_;
    if (lastWriteBack_)
      --lastWriteBack_;
    ++now_;
  }

  void startCycle() {
    issuedMicroOps_ = 0;
    bandwidth_ = options_.dispatchWidth;
    registers_.startCycle();
    memory_.startCycle(now_);
    resources_.startCycle(now_);
    finishExecuted();
    continueCarried();
    if (!stalled_)
      return;
    if (!stallCycles_) {
      stalled_ = false;
      tryIssue(at(stalledId_));
    }
    if (stalled_ && stallCycles_) {
      reportStall();
      bandwidth_ = 0;
    }
  }

  void finishExecuted() {
    for (size_t i = 0; i < issued_.size();) {
      Instance &instance = at(issued_[i]);
      if (instance.executed > now_) {
        ++i;
        continue;
      }
      // While an instruction is being carried over, what completes beside it is forgotten: it neither retires nor
      // leaves the memory order. That is what llvm-mca 22.1 does, and so do we.
      if (!carried_)
        finish(instance);
      else if (carriedId_ != instance.id)
        instance.forgotten = true;
      issued_[i] = issued_.back();
      issued_.pop_back();
    }
  }

  void continueCarried() {
    if (!carried_)
      return;
    if (carriedMicroOps_ > bandwidth_) {
      carriedMicroOps_ -= bandwidth_;
      bandwidth_ = 0;
      return;
    }
    Instance &instance = at(carriedId_);
    bandwidth_ = bodyOf(instance).endGroup ? 0 : bandwidth_ - carriedMicroOps_;
    if (instance.executed <= now_)
      finish(instance);
    carried_ = false;
  }

  bool isAvailable(const BodyInstruction &instruction) const {
    if (stalled_ || carried_)
      return false;
    if (bandwidth_ < instruction.microOps && instruction.microOps <= options_.dispatchWidth)
      return false;
    return !(instruction.beginGroup && issuedMicroOps_);
  }

  void accept(uint64_t id) {
    Instance &instance = enter(id);
    if (isMemory(bodyOf(instance)))
      instance.group = memory_.dispatch(bodyOf(instance));
    tryIssue(instance);
    if (stalled_)
      reportStall();
  }

  /// A free place for the instance: the store grows when the one that is there may still be asked for.
  Instance &enter(uint64_t id) {
    while (at(id).id != WriteRef::kNobody && !(at(id).done ? now_ - at(id).executed > int64_t(body_.longestLateRead)
                                                           : at(id).forgotten && !body_.longestLateRead)) {
      std::vector<Instance> larger(instances_.size() * 2);
      for (const Instance &instance : instances_)
        if (instance.id != WriteRef::kNobody)
          larger[instance.id & (larger.size() - 1)] = instance;
      instances_ = std::move(larger);
    }
    return at(id) = {.id = id, .what = static_cast<uint32_t>(id % body_.instructions.size())};
  }

  bool stall(const Instance &instance, int64_t cycles, Reason reason) {
    stalled_ = true;
    stalledId_ = instance.id;
    stallCycles_ = cycles;
    stallReason_ = reason;
    return false;
  }

  bool canIssue(const Instance &instance) {
    const BodyInstruction &instruction = bodyOf(instance);
    if (const int64_t cycles = registerHazard(instruction))
      return stall(instance, cycles, Reason::Registers);
    if (!resources_.canIssue(instruction, resourcesOf(instruction)))
      return stall(instance, 1, Reason::Resources);
    if (isMemory(instruction) && !memory_.isReady(instance.group))
      return stall(instance, 1, Reason::Memory);
    if (lastWriteBack_ && !instruction.retireOutOfOrder) {
      int64_t first = instruction.latency;
      for (uint32_t i = 0; i < instruction.writes; ++i)
        first = std::min<int64_t>(first, body_.writes[instruction.firstWrite + i].latency);
      if (first < lastWriteBack_)
        return stall(instance, lastWriteBack_ - first, Reason::Order);
    }
    return true;
  }

  /// Cycles until the first read that has to wait is satisfied; 0 when none has to.
  int64_t registerHazard(const BodyInstruction &instruction) {
    for (uint32_t i = 0; i < instruction.reads; ++i) {
      const BodyRead &read = body_.reads[instruction.firstRead + i];
      if (read.reg == kNoRegister)
        continue;
      int64_t wait = 0;
      registers_.forEachWriter(read.reg, [&](const WriteRef &writer) {
        const Instance &producer = at(writer.id);
        if (producer.id != writer.id)
          return;
        const BodyWrite &write = body_.writes[writer.write];
        const int64_t advance = body_.advances[read.advances + write.kind];
        const int64_t left =
            !producer.done
                ? write.latency - std::min<int64_t>(now_ - producer.issued, bodyOf(producer).latency) - advance
            : advance < 0 ? -advance - (now_ - producer.executed)
                          : 0;
        wait = std::max(wait, left);
      });
      if (wait > 0)
        return wait;
    }
    return 0;
  }

  void tryIssue(Instance &instance) {
    if (!canIssue(instance)) {
      bandwidth_ = 0;
      return;
    }
    const BodyInstruction &instruction = bodyOf(instance);
    for (uint32_t i = 0; i < instruction.writes; ++i) {
      const BodyWrite &write = body_.writes[instruction.firstWrite + i];
      registers_.define(write, instruction.firstWrite + i, instance.id, /*eliminated=*/false, write.writesZero);
    }
    events_.onDispatched(instance.id, instance.what, instruction.microOps, registers_.changed());
    resources_.issue(instruction, resourcesOf(instruction), now_, used_);
    instance.issued = now_;
    instance.executed = now_ + instruction.latency;
    if (isMemory(instruction))
      memory_.issued(instance.group, instance.id, instance.executed);
    events_.onReady(instance.id, instance.what);
    events_.onIssued(instance.id, instance.what, used_, IssuedInstruction{.id = instance.id});

    const bool carries = instruction.microOps > bandwidth_;
    if (carries) {
      carried_ = true;
      carriedId_ = instance.id;
      carriedMicroOps_ = instruction.microOps - bandwidth_;
      bandwidth_ = 0;
    } else {
      issuedMicroOps_ += instruction.microOps;
      bandwidth_ = instruction.endGroup ? 0 : bandwidth_ - instruction.microOps;
    }
    if (!instruction.latency && !carries)
      return finish(instance);
    issued_.push_back(instance.id);
    if (!instruction.retireOutOfOrder)
      lastWriteBack_ = instruction.latency;
  }

  void finish(Instance &instance) {
    const BodyInstruction &instruction = bodyOf(instance);
    if (isMemory(instruction))
      memory_.executed(instance.group, instance.id);
    events_.onExecuted(instance.id, instance.what);
    for (uint32_t i = 0; i < instruction.writes; ++i)
      registers_.retire(body_.writes[instruction.firstWrite + i], body_.writes[instruction.firstWrite + i].writesZero);
    if (isMemory(instruction))
      memory_.retired(instruction);
    instance.done = true;
    instance.executed = now_;
    events_.onRetired(instance.id, instance.what, registers_.changed());
  }

  void reportStall() {
    const DelayedInstruction delayed[] = {{stalledId_, 0}};
    if (stallReason_ == Reason::Registers) {
      events_.onStall(Stall::RegisterFile);
      if (options_.pressure)
        events_.onPressure(PressureReason::RegisterDependencies, delayed, 0);
    } else if (stallReason_ == Reason::Resources) {
      events_.onStall(Stall::DispatchGroup);
      if (options_.pressure)
        events_.onPressure(PressureReason::Resources, delayed, 0);
    }
  }

  const Body &body_;
  MachineOptions options_;
  Events &events_;
  RegisterState registers_;
  ResourceState resources_;
  MemoryOrder memory_;

  int64_t now_ = 0;
  uint64_t last_ = 0;    ///< instances to run
  uint64_t fetched_ = 0; ///< of them have been taken from the source
  std::vector<Instance> instances_;
  std::vector<uint64_t> issued_; ///< executing
  std::vector<UsedUnit> used_;
  uint32_t bandwidth_ = 0; ///< micro-ops that may still be issued in this cycle
  uint32_t issuedMicroOps_ = 0;
  int64_t lastWriteBack_ = 0; ///< cycles until the last one issued writes its results
  bool stalled_ = false;
  uint64_t stalledId_ = 0;
  int64_t stallCycles_ = 0;
  Reason stallReason_ = Reason::Registers;
  bool carried_ = false;
  uint64_t carriedId_ = 0;
  uint32_t carriedMicroOps_ = 0;
};

} // namespace mca
