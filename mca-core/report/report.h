// The results of a simulation as plain structs; views/ turns them into text and JSON.
//
// Unless stated otherwise, numbers cover all simulated iterations. An instruction is identified by its position in the
// region, a dynamic instance by position + iteration × number of instructions. All meanings are llvm-mca 22.1's
// (llvm/docs/CommandGuide/llvm-mca.rst). With a calibration they are those of CalibratedDetails.
#pragma once

#include "mca-core/model/calibrated_body.h"
#include "mca-core/report/report_waits.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mca {

/// The cycles of an iteration in an endless loop, without the run-up of an empty machine and the drain at the end, in
/// lowest terms.
///
/// It is exact if the machine's state repeats: the cycles of a period divided by its iterations. If it does not repeat
/// within 2^18 instructions and 64 iterations, the rate is the slope over the later half of these. What is in flight at
/// the two ends may differ, so it can be off by the cycles that a full machine takes to drain, divided by the
/// iterations of that half. If the loop gets stuck in that run, the rate is the average over the simulated iterations.
struct Rate {
  uint64_t cycles = 0;
  uint64_t iterations = 0; ///< that take `cycles` together; 0: not requested
  bool isMeasured = false; ///< as the state does not repeat

  double cyclesPerIteration() const { return iterations ? double(cycles) / double(iterations) : 0; }
  bool operator==(const Rate &) const = default;
};

/// The Summary View, and the steady rate.
struct Summary {
  uint32_t iterations = 0;
  uint64_t instructions = 0;
  uint64_t cycles = 0;
  uint64_t microOps = 0;
  uint32_t dispatchWidth = 0; ///< micro-ops per cycle
  /// Lower bound of the cycles per iteration from dispatch width and resources alone, without dependencies.
  double blockReciprocalThroughput = 0;
  Rate rate; ///< llvm-mca has none

  // llvm-mca's averages over the simulated iterations, including run-up and drain.
  double ipc() const { return cycles ? double(instructions) / double(cycles) : 0; }
  double microOpsPerCycle() const { return cycles ? double(microOps) / double(cycles) : 0; }

  // Averages of the steady loop; 0 without a rate.
  double cyclesPerIteration() const { return rate.cyclesPerIteration(); }
  double steadyIpc() const { return perCycle(instructions); }
  double steadyMicroOpsPerCycle() const { return perCycle(microOps); }

private:
  double perCycle(uint64_t all) const {
    return iterations && rate.cycles ? double(all) / iterations / cyclesPerIteration() : 0;
  }
};

/// Details of an instruction in the scheduling model.
struct SchedulingDetails {
  struct ResourceUse {
    std::string resource;
    uint32_t acquireAtCycle = 0; ///< cycles after issue
    uint32_t releaseAtCycle = 0;
  };
  uint32_t bypassLatency = 0; ///< cycles until a reader can take the result from the forwarding path
  std::string opcode;         ///< LLVM's name of the instruction
  std::vector<ResourceUse> resources;
  std::string comment; ///< the C or C++ comment after the instruction, including its delimiters
};

/// One row of the Instruction Info View: what the scheduling model says about an instruction, before any simulation.
struct InstructionInfo {
  std::string text; ///< the printed instruction, with a tab after the mnemonic
  uint32_t microOps = 0;
  uint32_t latency = 0;            ///< cycles, from the model
  uint32_t effectiveLatency = 0;   ///< cycles, with instruments and the assumed latency of calls applied
  double reciprocalThroughput = 0; ///< cycles
  bool mayLoad = false;
  bool mayStore = false;
  bool hasSideEffects = false;
  bool isCall = false;
  bool loadBarrier = false;
  bool storeBarrier = false;
  std::vector<uint8_t> encoding;               ///< machine code; empty if not requested
  std::optional<SchedulingDetails> scheduling; ///< if requested
};

/// A resource of the scheduling model, or a group.
struct ResourceDescription {
  std::string name;
  uint32_t units = 0;
  std::vector<std::string> members; ///< names of a group's resources
};

/// One unit of a resource.
struct ResourceUnit {
  std::string name;      ///< of the resource
  uint32_t resource = 0; ///< index of the resource in the scheduling model
  uint32_t unit = 0;
  uint32_t unitsOfResource = 1;
};

/// How long each unit is held. A unit that is held in every cycle of the steady loop limits it.
struct ResourcePressure {
  std::vector<ResourceUnit> units;
  /// Cycles per iteration that each instruction holds each unit: instructions × units, row by row.
  std::vector<double> byInstruction;
  /// The same for the whole region, one value per unit.
  std::vector<double> perIteration;

  double at(size_t instruction, size_t unit) const { return byInstruction[instruction * units.size() + unit]; }
};

/// The cycles of one dynamic instance's events; -1 if dispatch is beyond the timeline's limits.
struct TimelineEntry {
  int64_t dispatched = -1;
  int64_t ready = 0;
  int64_t issued = 0;
  int64_t executed = 0;
  int64_t retired = 0;

  /// Executed, but retired after the timeline's last cycle.
  bool truncated() const { return retired == 0 && executed != 0; }
};

/// Sums over the iterations of the timeline, in cycles.
struct WaitTimes {
  uint64_t inScheduler = 0;      ///< from dispatch to issue
  uint64_t inSchedulerReady = 0; ///< the part of it with all operands ready
  uint64_t beforeRetire = 0;     ///< from write-back to retirement
};

/// The Timeline View, and the averages below it.
struct Timeline {
  uint32_t iterations = 0;
  uint64_t lastCycle = 0;
  std::vector<TimelineEntry> entries; ///< iteration by iteration
  std::vector<WaitTimes> waits;       ///< by instruction
};

/// An edge of the critical sequence: `to` waited for `from`.
struct Dependency {
  enum class Kind { Register, Memory, Resource };
  Kind kind = Kind::Register;
  uint32_t from = 0; ///< instruction of the region
  uint32_t to = 0;
  /// The same two as nodes of the analysis graph, which has three copies of the region in a row.
  uint32_t fromNode = 0;
  uint32_t toNode = 0;
  uint64_t resourceOrRegister = 0; ///< LLVM's register number or the resource's mask; 0 for memory
  std::string name;                ///< of the register or resource; empty for memory
  uint64_t cost = 0;               ///< cycles, summed over the iterations
  uint32_t frequency = 0;          ///< number of times it was seen
  bool loopCarried() const { return from >= to; }
};

/// What delayed dispatch or issue. Cycle counts overlap if a cycle has several reasons.
struct Bottlenecks {
  uint64_t cycles = 0; ///< of the whole simulation
  /// Whether dispatch ever stalled. Only then does llvm-mca report a bottleneck: a dependency chain that fits into the
  /// machine's queues for the whole run stalls nothing.
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

// The hardware statistics. Meanings and units are those of the command guide's section "Extra Statistics to Further
// Diagnose Performance Issues". Counts have llvm-mca's 32 bits, and so its overflow.

/// The number of cycles in which something happened `count` times.
struct CycleCount {
  uint32_t count = 0;
  uint32_t cycles = 0;
};

/// In ascending order of counts, without empty entries.
using CycleHistogram = std::vector<CycleCount>;

/// How many micro-ops were dispatched in each cycle, and why not more.
struct DispatchStatistics {
  uint32_t cycles = 0;
  uint32_t stalls[kDispatchStalls] = {}; ///< cycles, by DispatchStall
  CycleHistogram microOps;               ///< dispatched in a cycle
};

/// The buffer of one scheduler, or a load or store queue.
struct BufferUsage {
  std::string resource;
  uint32_t size = 0;        ///< entries of the buffer
  uint32_t maxUsed = 0;     ///< entries
  uint64_t sumOfCycles = 0; ///< entries in use, summed over the cycles
};

/// How many micro-ops were issued in each cycle, and how full the buffers were.
struct SchedulerStatistics {
  uint32_t cycles = 0;
  CycleHistogram microOps;          ///< issued in a cycle
  std::vector<BufferUsage> buffers; ///< of the resources with a buffer
  bool anyBufferUsed = false;
};

/// How many instructions retired in each cycle, and how full the reorder buffer was.
struct RetireStatistics {
  uint32_t cycles = 0;
  CycleHistogram instructions; ///< retired in a cycle
  uint32_t entries = 0;        ///< of the reorder buffer
  uint32_t maxUsed = 0;
  uint32_t sumOfCycles = 0; ///< entries in use, summed over the cycles
};

/// What renaming did with one register file.
struct RegisterFileUsage {
  std::string name;               ///< empty for file 0, which stands for all registers
  uint32_t physicalRegisters = 0; ///< 0: unlimited
  uint32_t mappings = 0;          ///< created
  uint32_t maxMappings = 0;       ///< maximum in use at the same time
  uint32_t optimizableMoves = 0;  ///< candidates for elimination
  uint32_t eliminatedMoves = 0;
  uint32_t zeroMoves = 0; ///< eliminated or not, moves that forward a known zero
  uint32_t maxEliminatedInCycle = 0;
};

struct RegisterFileStatistics {
  std::vector<RegisterFileUsage> files; ///< file 0 counts the mappings of all files
};

/// What only the calibrated machine knows. In its reports, slots of the front end are the micro-ops, and a resource of
/// the calibration, or a limit of the front end, is one unit, held for as long as an instruction takes all of it.
struct CalibratedDetails {
  struct OfInstruction {
    double slots = 0;
    RenameTreatment treatment = RenameTreatment::None;
    bool isFusedWithNext = false;        ///< the two are one instruction for the machine
    bool isFromLlvm = false;             ///< some of its values are LLVM's
    std::optional<StoreForward> forward; ///< if it loads what an instruction of the region stores
  };
  std::vector<OfInstruction> instructions;
  uint32_t fromLlvm = 0; ///< how many instructions have values of LLVM's
  double slotsPerCycle = 0;
  bool dependsOnAlignment = false; ///< whether SimulationOptions::unaligned may change the numbers
};

/// What a simulation found out about a region.
struct Report {
  Summary summary;
  std::vector<InstructionInfo> instructions;
  ResourcePressure pressure;
  std::vector<ResourceDescription> resources; ///< empty without SimulationOptions::schedulingDetails
  // Present if requested:
  std::optional<Timeline> timeline;
  std::optional<Bottlenecks> bottlenecks;
  std::optional<DispatchStatistics> dispatch;
  std::optional<SchedulerStatistics> schedulers;
  std::optional<RetireStatistics> retirement;
  std::optional<RegisterFileStatistics> registerFiles;
  std::optional<Waits> waits;
  std::optional<CalibratedDetails> calibrated; ///< with a calibration
};

} // namespace mca
