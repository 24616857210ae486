// What the two machines share: their options, and the events that they report.
//
// A machine is a template over its `Events`, whose functions are inlined. It calls:
//
//   onDispatched(id, instructionIndex, microOps, Dispatched)  in each cycle of an instruction's dispatch
//   onReady(id, instructionIndex)
//   onIssued(IssuedInstruction)
//   onExecuted(id, instructionIndex)  out of order without wantsExecutions(): only for watched() instances and memory
//                                   operations
//   onRetired(id, instructionIndex, eliminated)
//   onRedirect(Redirect)            along a trace: fetching continues after a mispredicted branch
//   onCyclesEnd(cycles)             the events since the last call apply to each of these cycles
//
// The rest, and the waits in IssuedInstruction, are compiled in only if the constant Events::kDetails is set, so that a
// run for cycles, the use of units and a timeline does not pay for them:
//
//   onTaken(TakenUnit)              before onIssued
//   onBuffersReserved(instructionIndex), onBuffersReleased(instructionIndex)
//   onStall(DispatchStall)          once per reason and cycle
//   onPressure(PressureReason, resources)
//
// and if wantsWaits() is true:
//
//   onOperandsReady(ReadyOperands)  out of order: before onReady
//   onHeld(id, busy resources)      out of order: for an instruction that is ready but does not issue in this cycle
//   onStalledInOrder(InOrderStall)  in order: what the next instruction waits for in this cycle
//
// The calibrated machine computes all times of an instance at once, in program order (calibrated_machine.h). It calls
// only onRedirect, onCyclesEnd and, instead of the others:
//
//   onInstance(id, instructionIndex, InstanceTimes)
//   onWaited(id, WaitKind, key, by, from, to)   if wantsWaits() is true
//
// If Events::kOnlyCounts exists, a segment of a trace that ran before may be passed over (known_segments.h). Of it,
// only onDispatched, onRedirect and onCyclesEnd are called, in another order and with other ids and cycles, and the
// units that it takes are not counted.
//
// `id` is the dynamic instance, `instructionIndex` its position in the body. The steady state also needs mark(),
// repeat(mark, times), watched() and describe(), see recorders.h and steady_state.h.
#pragma once

#include "mca-core/engine/memory_order.h"
#include "mca-core/engine/register_state.h"
#include "mca-core/engine/resource_state.h"
#include "mca-core/engine/time_wheel.h"
#include "mca-core/engine/wait_kind.h"

#include <cstdint>
#include <span>

namespace mca {

/// The instructions that a machine runs if it follows a trace instead of repeating a body.
class InstructionStream {
public:
  /// Some instructions in program order.
  struct Segment {
    std::span<const uint32_t> instructions; ///< positions in the body; empty at the end of the trace
    /// The last instruction is a branch that was predicted wrongly. Nothing after it is fetched until it has executed,
    /// and then for the cycles of the redirect. Instructions of the wrong path are not simulated.
    bool endsMispredicted = false;
  };
  virtual ~InstructionStream() = default;
  /// The span is valid until the next call. There is no call after the end.
  virtual Segment next() = 0;
};

/// A mispredicted branch, when fetching continues after it. In cycles.
struct Redirect {
  uint32_t instructionIndex = 0; ///< of the branch
  int64_t dispatched = 0;        ///< out of order: the branch was dispatched; in order: it was first tried
  int64_t executed = 0;
  int64_t resumed = 0;
};

enum class PressureReason { Resources, RegisterDependencies, MemoryDependencies };

/// The parameters of a run, from the scheduling model and the user's options.
struct MachineOptions {
  uint32_t dispatchWidth = 0; ///< micro-ops per cycle
  uint32_t reorderBuffer = 0; ///< entries; unused in order
  uint32_t maxRetired = 0;    ///< instructions per cycle; 0: no limit
  uint32_t microOpQueue = 0;  ///< entries; 0: no queue
  uint32_t decoders = 0;      ///< instructions per cycle that enter the queue; 0: no limit
  uint32_t loadQueue = 0, storeQueue = 0;
  uint32_t bufferScale = 1; ///< of the schedulers' buffers: times the model's entries
  bool assumeNoAlias = true;
  bool steadyState = true; ///< compute repeated periods instead of simulating them
  bool keepsOrder = false; ///< keep LLVM's list order, see OutOfOrderMachine::orderMatters()
  /// Report the rate of a period found within this number of fetched instances; 0: no rate is requested.
  uint64_t rateSearchLimit = 0;
  /// In order: report delays by name. llvm-mca has no such analysis and reports only the cycles.
  bool analysesInOrder = false;
};

/// Cycles in which only this reason kept an instruction from issuing.
struct PressureDelays {
  uint32_t resource = 0;
  uint32_t reg = 0;
  uint32_t memory = 0;
};

/// What is known about an instruction when it issues.
struct IssuedInstruction {
  uint64_t id = 0;
  uint32_t instructionIndex = 0;
  int64_t executedIn = 0; ///< cycles from now
  bool last = false;      ///< the last instance of the run
  bool eliminated = false;
  uint64_t criticalResources = 0; ///< masks of the resources that it waited for at the end
  CriticalWait registerWait;
  CriticalWait memoryWait;
  PressureDelays delays;
};

/// The cycles of one execution of an instruction.
struct InstanceTimes {
  int64_t dispatched = 0;
  int64_t ready = 0;  ///< the operands are there; of the part that issues last, if it has several
  int64_t issued = 0; ///< the cycle of dispatch if nothing executes
  int64_t executed = 0;
  int64_t retired = 0; ///< later than `executed`
};

/// What delayed an instruction that has just become ready.
struct ReadyOperands {
  uint64_t id = 0;
  int64_t canIssue = 0;                      ///< the first cycle in which it can issue
  int64_t registersReady = 0;                ///< the cycle in which its last register became available
  uint64_t producer = WriteRef::kNoInstance; ///< of its last register
  uint32_t reg = 0;                          ///< its last register, LLVM's number
  uint64_t memory = WriteRef::kNoInstance;   ///< the last memory operation that it waited for
};

/// What the next instruction of an in-order machine waits for.
struct InOrderStall {
  uint64_t id = WriteRef::kNoInstance;
  WaitKind kind = WaitKind::Register;
  uint64_t key = 0;                    ///< register number or mask of busy resources
  uint64_t by = WriteRef::kNoInstance; ///< the instance that it waits for
};

/// How renaming handled an instruction.
struct Dispatched {
  bool first = true; ///< the first cycle of its dispatch
  bool eliminated = false;
  uint32_t zeroMoves = 0; ///< how many of its moves forward a known zero
};

} // namespace mca
