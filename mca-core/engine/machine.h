// What both machines have in common: their options, the words for why dispatch stalls, and what they tell.
//
// A machine tells what happens through an `Events` object, whose functions are called inline:
//
//   onDispatched(id, what, microOps, Dispatched)  for each cycle that an instruction needs to be dispatched
//   onReady(id, what)
//   onTaken(TakenUnit)              with kDetails: before onIssued
//   onIssued(IssuedInstruction)
//   onExecuted(id, what)            out of order unless wantsExecutions(): of watched() instances and memory operations
//                                   alone
//   onRetired(id, what, eliminated)
//   onBuffersReserved(what), onBuffersReleased(what)
//   onStall(Stall)                  once for each reason of the cycle
//   onPressure(PressureReason, resources)
//   onOperandsReady(ReadyOperands)  out of order: before onReady
//   onHeld(id, busy resources)      out of order: ready, and not issued in this cycle
//   onStalledInOrder(InOrderStall)  in order: what the next instruction waits for in this cycle
//   onCyclesEnd(cycles)             what was told since the last end holds in each of the cycles
//
// `id` is the dynamic instance, `what` its position in the body. Three constants say what it wants to know: kPressure
// (onPressure, the waits in IssuedInstruction), kDetails (everything but what a timeline and the use of units need) and
// kWaits (onOperandsReady, onHeld, onStalledInOrder; with kPressure only, and only when wantsWaits() says so).
// The steady state asks for more: mark(), repeat(mark, times), watched() and describe(), see recorders.h and
// steady_state.h.
#pragma once

#include "mca-core/engine/memory_order.h"
#include "mca-core/engine/register_state.h"
#include "mca-core/engine/resource_state.h"
#include "mca-core/engine/time_wheel.h"
#include "mca-core/engine/wait_kind.h"

#include <cstdint>

namespace mca {

enum class Stall { RegisterFile, RetireTokens, DispatchGroup, SchedulerFull, LoadQueueFull, StoreQueueFull, Custom };

enum class PressureReason { Resources, RegisterDependencies, MemoryDependencies };

struct MachineOptions {
  uint32_t dispatchWidth = 0; ///< micro-ops per cycle
  uint32_t reorderBuffer = 0; ///< entries; unused in order
  uint32_t maxRetired = 0;    ///< instructions per cycle; 0: no limit
  uint32_t microOpQueue = 0;  ///< entries; 0: no queue
  uint32_t decoders = 0;      ///< instructions per cycle that enter the queue; 0: no limit
  uint32_t loadQueue = 0, storeQueue = 0;
  bool assumeNoAlias = true;
  bool steadyState = true; ///< compute what repeats
  bool keepsOrder = false; ///< of LLVM's lists, see OutOfOrderMachine::orderMatters()
  /// The pace of a period counts if it was found before so many instances were fetched; 0: nobody wants it.
  uint64_t rateSearchLimit = 0;
  /// In order: say what instructions wait for. Otherwise only what llvm-mca says, which has no analysis for them.
  bool analysesInOrder = false;
};

/// Cycles in which an instruction could have been issued, had it not been for these.
struct PressureDelays {
  uint32_t resource = 0;
  uint32_t reg = 0;
  uint32_t memory = 0;
};

/// What is known of an instruction when it issues.
struct IssuedInstruction {
  uint64_t id = 0;
  uint32_t instructionIndex = 0;
  int64_t executedIn = 0; ///< cycles from now
  bool last = false;      ///< the last one of the program
  bool eliminated = false;
  uint64_t criticalResources = 0; ///< masks of those that it waited for in the end
  CriticalWait registerWait;
  CriticalWait memoryWait;
  PressureDelays delays;
};

/// What an instruction that has become ready waited for.
struct ReadyOperands {
  uint64_t id = 0;
  int64_t canIssue = 0;                      ///< the first cycle in which it may issue
  int64_t registersReady = 0;                ///< the cycle in which all registers were there
  uint64_t producer = WriteRef::kNoInstance; ///< of the register that came last
  uint32_t reg = 0;                          ///< that register, LLVM's number
  uint64_t memory = WriteRef::kNoInstance;   ///< the memory operation that let it go last
};

/// What an in-order machine's next instruction waits for.
struct InOrderStall {
  uint64_t id = WriteRef::kNoInstance;
  WaitKind kind = WaitKind::Register;
  uint64_t key = 0;                    ///< register number or mask of busy resources
  uint64_t by = WriteRef::kNoInstance; ///< instance that it waits for
};

/// What renaming did with an instruction.
struct Dispatched {
  bool first = true; ///< its first cycle
  bool eliminated = false;
  uint32_t zeroMoves = 0; ///< how many of its moves pass on a known zero
};

} // namespace mca
