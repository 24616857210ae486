// What a simulation found, as typed results. Printers turn it into text; nothing here depends on LLVM.
//
// Unless it says otherwise, a number counts all simulated iterations together. An instruction is named by its position
// in the region, a dynamic instance by position + iteration × instructions of the region. All meanings are llvm-mca
// 22.1's (docs/CommandGuide/llvm-mca).
#pragma once

#include "mca-core/report/report_statistics.h"
#include "mca-core/report/report_waits.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mca {

/// What an iteration takes when the loop runs on without end: without the run-up of an empty machine and the drain at
/// the end. In lowest terms.
///
/// It is exact where the machine's state repeats: the cycles of a period by its iterations. Where it has not repeated
/// after 2^18 instructions and 64 iterations, it is the slope over the later half of these; what was in flight at
/// either end may differ, so it can be off by the cycles that a full machine takes to empty, divided by the iterations
/// of that half. A loop that comes to a halt in that run has its average over the simulated iterations.
struct Rate {
  uint64_t cycles = 0;
  uint64_t iterations = 0; ///< that take `cycles` together; 0: it was not asked for

  double cyclesPerIteration() const { return iterations ? double(cycles) / double(iterations) : 0; }
  bool operator==(const Rate &) const = default;
};

struct Summary {
  uint32_t iterations = 0;
  uint64_t instructions = 0;
  uint64_t cycles = 0;
  uint64_t microOps = 0;
  uint32_t dispatchWidth = 0; ///< micro-ops per cycle
  /// Lower bound of the cycles of one iteration that dispatch and resources allow when no dependency holds it back.
  double blockReciprocalThroughput = 0;
  Rate rate; ///< not llvm-mca's

  // llvm-mca's averages over the simulated iterations, run-up and drain included.
  double ipc() const { return cycles ? double(instructions) / double(cycles) : 0; }
  double microOpsPerCycle() const { return cycles ? double(microOps) / double(cycles) : 0; }

  // Of the steady loop; 0 without a rate.
  double cyclesPerIteration() const { return rate.cyclesPerIteration(); }
  double steadyIpc() const { return perCycle(instructions); }
  double steadyMicroOpsPerCycle() const { return perCycle(microOps); }

private:
  double perCycle(uint64_t all) const {
    return iterations && rate.cycles ? double(all) / iterations / cyclesPerIteration() : 0;
  }
};

/// What the scheduling model says about an instruction, in detail.
struct SchedulingDetails {
  struct ResourceUse {
    std::string resource;
    uint32_t acquireAtCycle = 0; ///< cycles after issue
    uint32_t releaseAtCycle = 0;
  };
  uint32_t bypassLatency = 0; ///< cycles, when the reader takes the result from the forwarding path
  std::string opcode;         ///< LLVM's name of the instruction
  std::vector<ResourceUse> resources;
  std::string comment; ///< the C or C++ comment behind the instruction, with its marks
};

struct InstructionInfo {
  std::string text; ///< the instruction in the printer's syntax, a tab behind the mnemonic
  uint32_t microOps = 0;
  uint32_t latency = 0;            ///< cycles, as the model has it
  uint32_t effectiveLatency = 0;   ///< cycles, with what instruments say and what is assumed of calls
  double reciprocalThroughput = 0; ///< cycles
  bool mayLoad = false;
  bool mayStore = false;
  bool hasSideEffects = false;
  bool isCall = false;
  bool loadBarrier = false;
  bool storeBarrier = false;
  std::vector<uint8_t> encoding;               ///< machine code; empty when not asked for
  std::optional<SchedulingDetails> scheduling; ///< none when not asked for
};

/// A resource of the scheduling model, groups included.
struct ResourceDescription {
  std::string name;
  uint32_t units = 0;
  std::vector<std::string> members; ///< names of a group's resources
};

/// A resource unit: of a resource with several units, each is one.
struct ResourceUnit {
  std::string name;      ///< of the resource
  uint32_t resource = 0; ///< index of the resource in the scheduling model
  uint32_t unit = 0;
  uint32_t unitsOfResource = 1;
};

struct ResourcePressure {
  std::vector<ResourceUnit> units;
  /// Cycles per iteration that each instruction holds each unit: instructions × units, row by row.
  std::vector<double> byInstruction;
  /// The same for the whole region: one value a unit.
  std::vector<double> perIteration;

  double at(size_t instruction, size_t unit) const { return byInstruction[instruction * units.size() + unit]; }
};

/// Cycles of one dynamic instance's life; -1 for what was not reached within the timeline's limits.
struct TimelineEntry {
  int64_t dispatched = -1;
  int64_t ready = 0;
  int64_t issued = 0;
  int64_t executed = 0;
  int64_t retired = 0;

  /// Executed, but retired beyond the timeline's limit.
  bool truncated() const { return retired == 0 && executed != 0; }
};

/// Sums over the iterations of the timeline, in cycles.
struct WaitTimes {
  uint64_t inScheduler = 0;      ///< from dispatch to issue
  uint64_t inSchedulerReady = 0; ///< of it, with all operands ready
  uint64_t beforeRetire = 0;     ///< from write-back to retirement
};

struct Timeline {
  uint32_t iterations = 0;
  uint64_t lastCycle = 0;
  std::vector<TimelineEntry> entries; ///< iteration by iteration
  std::vector<WaitTimes> waits;       ///< one an instruction
};

struct Dependency {
  enum class Kind { Register, Memory, Resource };
  Kind kind = Kind::Register;
  uint32_t from = 0; ///< instruction of the region
  uint32_t to = 0;
  /// The same two in the graph that the analysis works on: three copies of the region, one behind the other.
  uint32_t fromNode = 0;
  uint32_t toNode = 0;
  uint64_t resourceOrRegister = 0; ///< LLVM's register number or the resource's mask; 0 for memory
  std::string name;                ///< of the register or resource; empty for memory
  uint64_t cost = 0;               ///< cycles, summed over the iterations
  uint32_t frequency = 0;          ///< how often it was seen
  bool loopCarried() const { return from >= to; }
};

/// What held dispatch or issue back. Cycle counts can overlap: one cycle may have several reasons.
struct Bottlenecks {
  uint64_t cycles = 0; ///< of the simulation
  /// Whether dispatch ever stalled. llvm-mca calls it a bottleneck only then: a chain of dependencies that the
  /// machine's queues can hold for the whole run stalls nothing.
  bool stalled = false;
  uint64_t pressureCycles = 0;
  uint64_t resourceCycles = 0;
  uint64_t dataDependencyCycles = 0;
  uint64_t registerDependencyCycles = 0;
  uint64_t memoryDependencyCycles = 0;
  struct Resource {
    std::string name;
    uint64_t cycles = 0;
  };
  std::vector<Resource> resources; ///< only those with pressure
  std::vector<Dependency> criticalSequence;
  bool found() const { return stalled && pressureCycles; }
};

struct Report {
  Summary summary;
  std::vector<InstructionInfo> instructions;
  ResourcePressure pressure;
  std::vector<ResourceDescription> resources; ///< empty when SimulationOptions::schedulingDetails is off
  // Each of these is none when it was not asked for.
  std::optional<Timeline> timeline;
  std::optional<Bottlenecks> bottlenecks;
  std::optional<DispatchStatistics> dispatch;
  std::optional<SchedulerStatistics> schedulers;
  std::optional<RetireStatistics> retirement;
  std::optional<RegisterFileStatistics> registerFiles;
  std::optional<Waits> waits;
};

} // namespace mca
