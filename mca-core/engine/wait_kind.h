// The reasons for which instructions wait and dispatch stalls: the machines name them in their events, the report
// counts them.
#pragma once

#include <cstdint>

namespace mca {

enum class WaitKind : uint8_t {
  // Before dispatch.
  RegisterFile,  ///< too few physical registers are free
  RetireTokens,  ///< the reorder buffer is full
  SchedulerFull, ///< the buffer of a unit is full
  LoadQueue,     ///< it is full
  StoreQueue,    ///< it is full
  Group,         ///< units without a buffer are in use, so the instruction cannot wait for them after dispatch
  // For operands.
  Register, ///< an earlier instruction has not written it
  Memory,   ///< an earlier load or store must come first
  // For a free unit.
  Resource,
  // In order, before issue.
  WriteBack,  ///< an earlier instruction must write its results first
  TargetRule, ///< one of the target's own rules
  // Executed, before retirement.
  RetireOrder, ///< an earlier instruction has not been executed
  RetireWidth, ///< the CPU has retired its maximum for this cycle
};
constexpr unsigned kWaitKinds = 13;

/// Why dispatch stalled in a cycle (HWStallEvent in llvm/include/llvm/MCA/HWEventListener.h).
enum class DispatchStall : uint8_t { RegisterFile, RetireTokens, Scheduler, LoadQueue, StoreQueue, Group, Custom };
constexpr unsigned kDispatchStalls = 7;

} // namespace mca
