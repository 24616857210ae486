// The calibrated CPU: when each instruction is renamed, issued, executed and retired.
//
// Instructions are handled once, in program order, and each gets its times at once; no loop runs over cycles. An
// instruction takes the earliest cycle in which its operands are there and each resource that it uses has room. Older
// instructions have chosen before, so they come first. Resources are conjunctive, and what an instruction uses may be a
// fraction of a unit or last for several cycles.
//
//   fetch     bytes of code and taken branches per cycle, at most a queue ahead of renaming
//   rename    slots per cycle, those of vector instructions apart; room in the reorder buffer, a scheduler, the queues;
//             a port for each micro-op that may go to several: the one that the fewest wait for
//   execute   load, computation and store part of an instruction, each with its resources
//   retire    in order; stores leave afterwards, in order
//
// A limit that the body does not have costs nothing. The rules are built into the body (model/calibrated_body.h).
#pragma once

#include "mca-core/engine/cycle_calendar.h"
#include "mca-core/engine/machine.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mca {

/// Handles instructions in program order. Not thread-safe; reuse it, since it keeps its memory.
class CalibratedPipeline {
public:
  /// A part of an instance's wait: the cycles [from, to).
  struct Wait {
    WaitKind kind = WaitKind::Register;
    uint64_t key = 0;                    ///< the register, LLVM's number; or into CalibratedBody::resources
    uint64_t by = WriteRef::kNoInstance; ///< the instance that it waits for
    int64_t from = 0, to = 0;
  };
  /// A result of an instance.
  struct Value {
    uint64_t instance = 0;
    uint32_t destination = 0;   ///< of the instruction, from 0
    int64_t cycle = 0;          ///< in which it is there
    uint32_t waitedFor = kNone; ///< the value that it had to wait for last
    uint16_t reg = 0;           ///< in which that was read, LLVM's number; 0: it was loaded
  };

  /// Starts at cycle 0. `keepsWaits`: whether waits() is wanted. `values`: gets each value, if not null.
  void reset(const CalibratedBody &body, bool keepsWaits, std::vector<Value> *values = nullptr);
  /// Handles the instruction at this position. `isTaken`: it is a branch, and taken.
  InstanceTimes step(uint32_t position, bool isTaken);
  /// The next instruction begins an iteration. `isTaken`: the last one was a taken branch.
  void endIteration(bool isTaken);
  /// Fetching goes on in this cycle at the earliest.
  void holdFetch(int64_t until);
  /// Fetching loses so many cycles.
  void delayFetch(uint32_t cycles);

  /// Those of the last instance.
  std::span<const Wait> waits() const { return waits_; }
  /// The cycle in which the last instance was renamed.
  int64_t now() const { return calendar_.now(); }
  int64_t lastRetired() const { return lastRetired_; }
  /// Entries of the reorder buffer in use, if it has a limit.
  uint32_t inFlight() const { return calendar_.used(Queue::ReorderBuffer); }
  /// Whether there were as many iterations as the furthest load looks back.
  bool hasEarlierStores() const { return iteration_ >= storeDepth_; }
  /// Everything that later cycles depend on after an iteration, relative to the current cycle; and a hash of some of
  /// it.
  void appendState(std::vector<int32_t> &state) const;
  uint64_t fingerprint() const;

private:
  using Queue = CycleCalendar::Queue;
  static constexpr int32_t kNotOne = -1;
  struct Arrival {
    int64_t cycle = 0;
    uint64_t by = WriteRef::kNoInstance;
    uint32_t value = kNone;
    bool isOfFloatAdd = false; ///< an addition of floats, which others of them need not wait for as long
  };
  /// The first cycle in which a part of an instruction has all that it needs, and what came last.
  struct Ready {
    int64_t cycle = 0;
    int64_t since = 0;                  ///< it waits from this cycle on
    WaitKind kind = WaitKind::Resource; ///< what came last; Resource: no operand
    uint64_t by = WriteRef::kNoInstance;
    uint16_t reg = 0;
    uint32_t value = kNone;
    bool isRecorded = true; ///< whether its waits are those of the instruction

    void raise(int64_t to, WaitKind reason, const Arrival &arrival, uint16_t readFrom) {
      if (to <= cycle)
        return;
      cycle = to;
      kind = reason;
      by = arrival.by;
      reg = readFrom;
      value = arrival.value;
    }
  };

  // Fetch.
  void fetch(const CalibratedInstruction &code);
  void redirectFetch();
  // Rename.
  void rename(const CalibratedInstruction &code);
  void advance(std::optional<WaitKind> reason);
  void waitForRoom(Queue queue, uint32_t size, uint32_t entries, WaitKind reason);
  void takeSlots(const CalibratedInstruction &code);
  void endTakenBranch();
  // Execute.
  void forwardAtRename(const CalibratedInstruction &code, InstanceTimes &times);
  void execute(const CalibratedInstruction &code, InstanceTimes &times);
  int64_t load(const CalibratedInstruction &code, Ready &ready);
  void forwardStore(const CalibratedInstruction &code, Ready &ready) const;
  void awaitAddress(const CalibratedInstruction &code, Ready &ready) const;
  void schedule(Range uses, Range ports, Ready &ready);
  uint32_t fullBefore(int64_t cycle, std::span<const CalibratedUse> uses) const;
  uint32_t choosePort(uint32_t ports);
  void takeDependent(std::span<const CalibratedUse> uses, int64_t cycle);
  void findLongestLatencies();
  void findResult(const CalibratedInstruction &code, uint32_t destination, const Ready &ready, Value &result) const;
  void define(const CalibratedInstruction &code, const CalibratedDestination &destination, const Value &result);
  void occupyScheduler(const CalibratedInstruction &code, int64_t issued);
  // Retire.
  void retire(const CalibratedInstruction &code, InstanceTimes &times);

  void addWait(WaitKind kind, uint64_t key, uint64_t by, int64_t from, int64_t to) {
    if (keepsWaits_ && from < to)
      recordWait(kind, key, by, from, to);
  }
  void recordWait(WaitKind kind, uint64_t key, uint64_t by, int64_t from, int64_t to);
  int32_t fromNow(int64_t cycle, int64_t earliest) const;
  /// When the instruction can have a value that arrives.
  int64_t availableTo(const CalibratedInstruction &code, const Arrival &arrival) const {
    return arrival.cycle + (code.isFloatAdd && !arrival.isOfFloatAdd ? body_->limits.floatAddDelay : 0);
  }
  Queue schedulerOf(const CalibratedInstruction &code) const;
  Arrival &stored(uint32_t iteration, uint32_t store) {
    return stored_[size_t(iteration % storeDepth_) * body_->instructions.size() + store];
  }

  const CalibratedBody *body_ = nullptr;
  /// By destination: cycles from the start to the result; kNotOne if it also depends on when a source arrives.
  std::vector<int32_t> longestLatencies_;
  bool keepsWaits_ = false;
  std::vector<Value> *values_ = nullptr;
  CycleCalendar calendar_;
  uint64_t instance_ = 0;                 ///< of the instruction at hand
  uint32_t iteration_ = 0, position_ = 0; ///< likewise
  bool isFirst_ = true;                   ///< of its iteration
  int64_t iterationBegin_ = 0;            ///< in which its first instruction was renamed
  std::vector<Arrival> arrivals_;         ///< by cell
  std::vector<Wait> waits_;
  std::vector<Arrival> stored_;     ///< what was stored, by iteration modulo storeDepth_, and by instruction
  std::vector<Arrival> lastStored_; ///< by instruction
  uint32_t storeDepth_ = 1;
  int32_t longestForward_ = 0;      ///< cycles
  std::vector<uint32_t> forwarded_; ///< the instructions whose stores are read

  bool fetches_ = false;            ///< whether there is a limit of fetch
  int64_t fetchCycle_ = 0;          ///< in which the last instruction was fetched
  uint32_t fetchUsed_ = 0;          ///< ticks of that cycle
  int64_t takenEnd_ = 0;            ///< ticks
  std::vector<int64_t> fetchQueue_; ///< cycles in which the last instructions were renamed
  size_t fetchOldest_ = 0;

  int64_t leastRename_ = 0;                      ///< no instruction is renamed before this cycle
  uint32_t slotsUsed_ = 0, vectorSlotsUsed_ = 0; ///< ticks of this cycle
  uint32_t unlaminated_ = 0;                     ///< instructions of this cycle that were taken apart

  std::vector<uint32_t> waiting_; ///< by port: ticks that are taken of it after this cycle
  uint32_t turn_ = 0;             ///< counts choices of a port, modulo kTurns
  std::vector<Value> results_;    ///< of the instruction at hand
  int64_t resourceWait_ = 0;      ///< cycles that the last scheduled part waited for room
  int64_t lastExecuted_ = 0, lastRetired_ = 0;
  int64_t slowestExecuted_ = 0;              ///< the latest end of execution so far
  uint64_t slowest_ = WriteRef::kNoInstance; ///< whose
  uint32_t retiredEntries_ = 0;              ///< in the cycle lastRetired_
  int64_t commitEnd_ = 0;                    ///< ticks
};

} // namespace mca
