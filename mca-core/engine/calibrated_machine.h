// The calibrated machine: when each instruction of a loop is renamed, issued, executed and retired.
//
// Instructions are handled once, in program order, and each gets its times at once; no loop runs over cycles. An
// instruction takes the earliest cycle in which its operands are there and each resource that it uses has room. Older
// instructions have chosen before, so they come first. Resources are conjunctive, and what an instruction uses may be a
// fraction of a unit or last for several cycles.
//
//   fetch     bytes of code and taken branches per cycle, at most a queue ahead of renaming
//   rename    slots per cycle, those of vector instructions apart; room in the reorder buffer, a scheduler, the queues
//   execute   load, computation and store part of an instruction, each with its resources
//   retire    in order; stores leave afterwards, in order
//
// A limit that the body does not have costs nothing. The rules are built into the body (model/calibrated_body.h).
#pragma once

#include "mca-core/engine/cycle_calendar.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mca {

/// Cycles of one execution of an instruction.
struct CalibratedTimes {
  int64_t renamed = 0;
  int64_t ready = 0;  ///< the operands of the part that issues last are there
  int64_t issued = 0; ///< its last part; the cycle of renaming if nothing executes
  int64_t executed = 0;
  int64_t retired = 0;
};

/// What an instruction waited for last.
struct CalibratedWait {
  enum class Kind : uint8_t {
    None,
    Fetch,
    Slots,
    ReorderBuffer,
    Scheduler,
    LoadQueue,
    StoreQueue,
    Operand,  ///< a register, from `instruction`
    Memory,   ///< a value that `instruction` stored
    Resource, ///< `resource` was taken
  };
  Kind kind = Kind::None;
  uint32_t instruction = kNone; ///< of the region
  uint16_t operand = 0;         ///< as FormOperand::number
  uint16_t resource = 0;        ///< into CalibratedBody::resources
  int64_t cycles = 0;           ///< for how long; from renaming on for the last three kinds
};

struct CalibratedRunOptions {
  uint32_t iterations = 100;
  uint32_t recorded = 0;            ///< iterations whose times are kept
  uint64_t rateSearchLimit = 65536; ///< instructions after which a loop that has not repeated is measured instead
};

struct CalibratedRun {
  int64_t cycles = 0; ///< of all iterations, until the last one has retired
  /// The steady loop: so many cycles in so many iterations, in lowest terms if it is exact.
  uint64_t rateCycles = 0, rateIterations = 0;
  bool rateIsExact = false;
  std::vector<CalibratedTimes> times; ///< iteration by iteration
  std::vector<CalibratedWait> waits;  ///< by instruction, of the last simulated iteration
};

/// Runs loops. Not thread-safe; reuse it, since it keeps its memory.
class CalibratedMachine {
public:
  CalibratedRun run(const CalibratedBody &body, const CalibratedRunOptions &options);

private:
  using Queue = CycleCalendar::Queue;
  using Kind = CalibratedWait::Kind;
  struct Arrival {
    int64_t cycle = 0;
    uint32_t writer = kNone;
  };
  /// The first cycle in which an instruction has all that it needs, and what came last.
  struct Ready {
    int64_t cycle = 0;
    CalibratedWait wait;
    void raise(int64_t to, const CalibratedWait &by) {
      if (to > cycle) {
        cycle = to;
        wait = by;
      }
    }
  };

  void reset(const CalibratedBody &body);
  void runIteration(std::vector<CalibratedTimes> *times);
  CalibratedTimes step(const CalibratedInstruction &code);
  // Fetch.
  void fetch(const CalibratedInstruction &code);
  void redirectFetch();
  // Rename.
  void rename(const CalibratedInstruction &code);
  void advance(Kind reason);
  void waitForRoom(Queue queue, uint32_t size, uint32_t entries, Kind reason);
  void takeSlots(const CalibratedInstruction &code);
  void endTakenBranch();
  // Execute.
  void forwardAtRename(const CalibratedInstruction &code, CalibratedTimes &times);
  void execute(const CalibratedInstruction &code, CalibratedTimes &times);
  int64_t load(const CalibratedInstruction &code, Ready &ready);
  void forwardStore(const CalibratedInstruction &code, Ready &ready) const;
  void awaitAddress(const CalibratedInstruction &code, Ready &ready) const;
  void schedule(std::span<const CalibratedUse> uses, Ready &ready);
  void takeDependent(std::span<const CalibratedUse> uses, int64_t cycle);
  int64_t resultOf(const CalibratedInstruction &code, const CalibratedDestination &destination, int64_t start) const;
  void define(const CalibratedDestination &destination, int64_t cycle);
  void occupyScheduler(const CalibratedInstruction &code, int64_t issued);
  // Retire.
  void retire(const CalibratedInstruction &code, CalibratedTimes &times);
  // The steady state.
  uint64_t fingerprint() const;
  void appendState(std::vector<int32_t> &state) const;
  int32_t fromNow(int64_t cycle, int64_t earliest) const;
  bool searchPeriod(uint64_t iterations);

  Queue schedulerOf(const CalibratedInstruction &code) const;
  int64_t &storeData(uint32_t iteration, uint32_t store) {
    return storeData_[size_t(iteration % storeDepth_) * body_->instructions.size() + store];
  }

  const CalibratedBody *body_ = nullptr;
  CycleCalendar calendar_;
  uint32_t iteration_ = 0, number_ = 0; ///< of the instruction at hand
  std::vector<Arrival> arrivals_;       ///< by cell
  std::vector<CalibratedWait> waits_;   ///< by instruction
  std::vector<int64_t> storeData_;      ///< by iteration modulo storeDepth_, and by instruction
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

  std::vector<int64_t> results_; ///< of the instruction at hand
  int64_t resourceWait_ = 0;     ///< cycles that the last scheduled part waited for room
  int64_t lastExecuted_ = 0, lastRetired_ = 0;
  uint32_t retiredEntries_ = 0; ///< in the cycle lastRetired_
  int64_t commitEnd_ = 0;       ///< ticks

  // By number of iterations: the cycle of renaming and that of the last retirement.
  std::vector<int64_t> boundaries_, retirements_;
  std::vector<int32_t> savedState_, state_;
  uint64_t savedIterations_ = 0, savedFingerprint_ = 0;
};

} // namespace mca
