// The simulator: the only interface to the engine. A region goes in, a typed Report comes out.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/calibration/calibration.h"
#include "mca-core/engine/custom_hazards.h"
#include "mca-core/engine/dataflow.h"
#include "mca-core/engine/dispatch_limit.h"
#include "mca-core/engine/machine.h"
#include "mca-core/model/body.h"
#include "mca-core/model/lowering.h"
#include "mca-core/model/memory_operands.h"
#include "mca-core/program/entry_offsets.h"
#include "mca-core/report/report.h"
#include "mca-core/report/trace_run.h"
#include "mca-core/report/trace_window.h"
#include "mca-core/target/result.h"
#include "mca-core/target/target.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace mca {

/// What is simulated, and what the report contains. The defaults are llvm-mca's.
struct SimulationOptions {
  uint32_t iterations = 100;
  uint32_t callLatency = 100; ///< assumed latency of a call, in cycles
  bool timeline = false;
  uint32_t timelineMaxIterations = 10;
  uint32_t timelineMaxCycles = 80; ///< 0: no limit
  bool bottlenecks = false;
  /// With `bottlenecks`: analyse in-order processors as well, for which llvm-mca reports very little.
  bool inOrderBottlenecks = false;
  /// The CPU as it was measured, in place of the scheduling model. The overrides of the model below do not apply to it,
  /// and it has neither bottlenecks nor statistics.
  std::shared_ptr<const Calibration> calibration;
  /// With a calibration: where the region's pointers are when it begins, as findEntryOffsets() returns it.
  std::vector<EntryOffset> entryOffsets;
  bool unaligned = false; ///< with a calibration: all pointers begin kUnalignedBytes further on
  /// Which known errors of the model are corrected. With a calibration, those of what an instruction waits for are not:
  /// the calibrated machine has rules of its own for that.
  Corrections corrections = Corrections::None;
  int syntaxVariant = -1; ///< syntax of the printed instructions; -1: the program's own
  bool hexImmediates = false;

  // Overrides of the scheduling model. 0: the model's value, or no micro-op queue.
  uint32_t microOpQueueSize = 0;
  uint32_t decoderThroughput = 0; ///< instructions per cycle, with a micro-op queue
  uint32_t dispatchWidth = 0;     ///< micro-ops per cycle
  uint32_t registerFileSize = 0;  ///< physical registers
  uint32_t loadQueueSize = 0;
  uint32_t storeQueueSize = 0;
  bool noAlias = true; ///< loads and stores never touch the same memory
  /// Which loads wait for the store to the same operand nevertheless; with `noAlias` only.
  bool sameOperands = false;
  bool inAnyOrder = false; ///< of `sameOperands`: the instructions are those of a trace, and no iteration
  /// The buffers of the schedulers, the reorder buffer, the load and store queues and the register files have this many
  /// times the model's entries.
  uint32_t bufferScale = 1;
  bool customBehaviour = true; ///< the target's own rules, such as AMDGPU's s_waitcnt

  // What the report contains beyond the summary and the instructions.
  bool pressure = true;
  bool rate = false; ///< Summary::rate, which does not depend on `iterations`
  bool dispatchStatistics = false;
  bool schedulerStatistics = false;
  bool retireStatistics = false;
  bool registerFileStatistics = false;
  bool waitReasons = false; ///< why each instruction waits
  bool encodings = false;
  bool schedulingDetails = false;
  /// Reproduce a mistake of llvm-mca 22.1: after a skipped instruction, it describes instructions with the instruments
  /// of other ones, because it looks them up by an address that has moved. The simulation itself uses the correct ones.
  bool misplacedInstruments = false;
  /// Do not simulate: the pressure is that of one iteration according to the model, the summary stays empty, and the
  /// report has no optional parts.
  bool instructionTables = false;
  /// Compute repeated periods instead of simulating them; the report is the same.
  bool steadyState = true;
  bool operator==(const SimulationOptions &) const = default;
};

/// A report, and which instructions of the region it is about.
struct Simulation {
  Report report;
  /// By instruction of the report: its position in the region.
  std::vector<uint32_t> instructions;
  /// Instructions without scheduling data, which the report does not contain.
  std::vector<SkippedInstruction> skipped;
  /// Known errors of the model, with SimulationOptions::corrections. With a calibration, of instructions that it lacks.
  std::vector<FoundErratum> errata;
  uint32_t operandLoads = 0; ///< instructions that load from an operand that the region stores to
};

/// A region that is ready to run. It refers only to the target, not to the Simulator that prepared it. Exception: a
/// region with `hazards` must run before another one is prepared.
struct PreparedRegion {
  SimulationOptions options;
  unsigned syntaxVariant = 0; ///< for printed register names
  Body body;
  std::optional<CalibratedBody> calibrated; ///< with SimulationOptions::calibration: what runs
  std::unique_ptr<CustomHazards> hazards;   ///< if the target has any
  Simulation simulation;                    ///< incomplete until the region has run
};

/// Simulates regions on one target. Not thread-safe. It keeps its tables and lowered instructions between regions, so
/// reuse it for many regions.
///
/// A simulation has two steps, which may run on different objects and threads. The first contains all calls to LLVM
/// that can fail on odd input; the second takes most of the time.
class Simulator {
public:
  /// The target must outlive the simulator.
  explicit Simulator(const Target &target);
  ~Simulator();

  /// Simulates `region`, a list of instruction indices of `program`, in a loop. Fails if the CPU has no scheduling
  /// model, if no instruction is left to simulate, if an instruction needs more than the processor has, or if the
  /// region has something that no calibration knows. Calls `onSkipped` for each instruction without scheduling data; if
  /// it returns false, nothing is simulated.
  Result<Simulation> simulate(const Program &program, std::span<const uint32_t> region,
                              const SimulationOptions &options, OnSkipped onSkipped = nullptr);

  /// The first step: fills `prepared`, which may be reused, or returns why the region cannot be simulated.
  std::optional<Failure> prepare(const Program &program, std::span<const uint32_t> region,
                                 const SimulationOptions &options, PreparedRegion &prepared,
                                 OnSkipped onSkipped = nullptr);
  /// The second step. Moves the simulation out of `prepared`; the body stays.
  Result<Simulation> run(PreparedRegion &prepared);

  /// Runs the instructions of `stream`, whose positions are those of the report, instead of a loop. `redirectCycles`:
  /// from the execution of a mispredicted branch until the next instruction enters. `prepared` may run again.
  Result<TraceRun> run(PreparedRegion &prepared, InstructionStream &stream, uint32_t redirectCycles);
  /// The same as far as the window goes, and records that. Fails if the trace ends before it. Of the options for the
  /// report, `bottlenecks` and `waitReasons` count.
  Result<TraceWindow> record(PreparedRegion &prepared, InstructionStream &stream, uint32_t redirectCycles,
                             const WindowRange &range);

  /// Returns the speed of the loop if only dispatch limited it; nothing in order. Of a calibrated CPU, that of its
  /// slots.
  DispatchLimit findDispatchLimit(const PreparedRegion &prepared) const;
  /// Returns the speed of the loop if only dependencies limited it. Positions count only instructions that the model
  /// knows.
  DataflowLimit findDataflowLimit(PreparedRegion &prepared);
  /// Returns the steady rate if copies kept their value, see LateCopy: the moves in question execute instead of being
  /// eliminated. This changes the body, so call it last. Only out of order.
  Rate findRateWithoutLateCopies(PreparedRegion &prepared);
  /// Returns the register dependencies between instructions. Positions are those of findDataflowLimit().
  std::vector<DataLink> findDataLinks(PreparedRegion &prepared);
  /// Fills in register names with LLVM's printer, which belongs to the first step's thread.
  void nameRegisters(std::vector<DataLink> &links, unsigned syntaxVariant);
  void nameRegisters(DataflowLimit &limit, unsigned syntaxVariant);

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace mca
