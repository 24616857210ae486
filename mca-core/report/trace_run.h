// The numbers of a run along a trace: of the whole, and of each instruction and branch.
#pragma once

#include <cstdint>
#include <vector>

namespace mca {

/// What one instruction of the region cost along a trace.
struct TracedInstruction {
  uint64_t executions = 0;
  uint64_t redirects = 0;     ///< executions that were a mispredicted branch
  uint64_t conditionWait = 0; ///< cycles from dispatch to the end of execution, over all redirects
  uint64_t heldFetches = 0;   ///< cycles without fetching after it, over all redirects
  bool operator==(const TracedInstruction &) const = default;
};

struct TraceRun {
  uint64_t instructions = 0;
  uint64_t microOps = 0;
  uint64_t cycles = 0;
  uint64_t redirects = 0;
  std::vector<TracedInstruction> byInstruction; ///< by position in the report

  bool operator==(const TraceRun &) const = default;
  double ipc() const { return cycles ? double(instructions) / double(cycles) : 0; }
};

} // namespace mca
