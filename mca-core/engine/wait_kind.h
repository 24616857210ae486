// What an instruction may wait for. The machines name it in their events, the report counts it.
#pragma once

#include <cstdint>

namespace mca {

enum class WaitKind : uint8_t {
  // Before dispatch: what was full.
  RegisterFile,
  RetireTokens,
  SchedulerFull,
  LoadQueue,
  StoreQueue,
  Group, ///< units without a buffer that are taken: the instruction cannot wait for them after dispatch
  // For operands.
  Register,
  Memory, ///< an earlier load or store that must come first
  // For a free unit.
  Resource,
  // In order, before issue.
  WriteBack,  ///< the results of an earlier instruction must be written first
  TargetRule, ///< a rule of the target's own
  // Executed, before retirement.
  RetireOrder, ///< an earlier instruction is not executed yet
  RetireWidth, ///< the CPU retires no more in a cycle
};
constexpr unsigned kWaitKinds = 13;

} // namespace mca
