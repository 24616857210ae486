// The reasons for which instructions waited, as plain structs. llvm-mca has no such view.
//
// Every cycle of a wait has exactly one reason. An instruction waits before dispatch (this counts only for the next
// one), in the scheduler until its operands are available, then for free units, and finally to retire. On an in-order
// CPU, instructions wait only before they issue.
#pragma once

#include "mca-core/engine/wait_kind.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mca {

constexpr uint32_t kNoInstruction = ~0u;

/// The cycles that an instruction waited for one reason.
struct WaitReason {
  WaitKind kind = WaitKind::Register;
  std::string what; ///< the register, or the resources that were busy together; empty for other kinds
  /// The instruction that it waited for; kNoInstruction if none can be named, and for resources.
  uint32_t by = kNoInstruction;
  uint64_t cycles = 0; ///< all iterations together
  /// An instruction that held a unit of a busy resource. Several may hold units in the same cycle.
  struct Holder {
    uint32_t instruction = 0; ///< of the region
    uint64_t cycles = 0;
  };
  std::vector<Holder> holders; ///< most cycles first
};

/// The waits of one instruction of the region, over all iterations.
struct InstructionWaits {
  uint64_t cycles = 0;             ///< sum over the reasons
  std::vector<WaitReason> reasons; ///< most cycles first
};

/// A part of one instance's wait: the cycles [from, to).
struct WaitSegment {
  int64_t from = 0;
  int64_t to = 0;
  uint32_t reason = 0;      ///< index into the instruction's reasons
  std::vector<uint32_t> by; ///< the instructions that it waits for; for a resource, those that hold its units
};

/// All waits of a region, summed by instruction, and those of the timeline's instances one by one.
struct Waits {
  std::vector<InstructionWaits> instructions; ///< of the region
  /// By entry of the timeline, in order of time; empty without a timeline. Each drawn cycle between dispatch and issue,
  /// and between execution and retirement, belongs to one segment, except for those in which the calibrated machine
  /// loads for an instruction that computes with what it loads.
  std::vector<std::vector<WaitSegment>> segments;
};

} // namespace mca
