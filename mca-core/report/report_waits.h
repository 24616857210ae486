// Why instructions waited, as typed results: llvm-mca has no such view.
//
// Every cycle in which an instruction waits has one reason. An instruction waits before dispatch (only the one that is
// next in line counts), in the scheduler until its operands are there, then until units are free, and at last for
// retirement. In an in-order CPU an instruction waits before it issues, and only there.
#pragma once

#include "mca-core/engine/wait_kind.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mca {

constexpr uint32_t kNoInstruction = ~0u;

/// Cycles of one instruction that have the same reason.
struct WaitReason {
  WaitKind kind = WaitKind::Register;
  std::string what; ///< the register, or the resources that were busy together; empty for other kinds
  /// The instruction of the region that was waited for; kNoInstruction when none can be named, and for resources.
  uint32_t by = kNoInstruction;
  uint64_t cycles = 0; ///< all iterations together
  /// Who held a unit of a busy resource. Several instructions may hold units in the same cycle.
  struct Holder {
    uint32_t instruction = 0; ///< of the region
    uint64_t cycles = 0;
  };
  std::vector<Holder> holders; ///< most cycles first
};

struct InstructionWaits {
  uint64_t cycles = 0;             ///< the sum over the reasons
  std::vector<WaitReason> reasons; ///< most cycles first
};

/// A part of one instance's wait: cycles `from` to `to`, half open.
struct WaitSegment {
  int64_t from = 0;
  int64_t to = 0;
  uint32_t reason = 0;      ///< index into the instruction's reasons
  std::vector<uint32_t> by; ///< instructions of the region that it waits for; for a resource those that hold its units
};

struct Waits {
  std::vector<InstructionWaits> instructions; ///< of the region
  /// By entry of the timeline, in the order of time; empty without a timeline. Between dispatch and issue, and between
  /// execution and retirement, each cycle that the timeline draws is in one segment.
  std::vector<std::vector<WaitSegment>> segments;
};

} // namespace mca
