// The simulator: the one door to the engine.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/engine/custom_hazards.h"
#include "mca-core/engine/dataflow.h"
#include "mca-core/model/body.h"
#include "mca-core/model/lowering.h"
#include "mca-core/report/report.h"
#include "mca-core/target/result.h"
#include "mca-core/target/target.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace mca {

struct SimulationOptions {
  uint32_t iterations = 100;
  uint32_t callLatency = 100; ///< cycles assumed for a call
  bool timeline = false;
  uint32_t timelineMaxIterations = 10;
  uint32_t timelineMaxCycles = 80; ///< 0: no limit
  bool bottlenecks = false;
  /// With `bottlenecks`: for in-order processors, too. llvm-mca has no analysis for them, and reports little.
  bool inOrderBottlenecks = false;
  int syntaxVariant = -1; ///< of the instructions' text; -1: as the program was written
  bool hexImmediates = false;

  // The machine, where it shall not be the scheduling model's. 0: the model's own; no limit for the micro-op queue.
  uint32_t microOpQueueSize = 0;
  uint32_t decoderThroughput = 0; ///< instructions per cycle, with a micro-op queue
  uint32_t dispatchWidth = 0;     ///< micro-ops per cycle
  uint32_t registerFileSize = 0;  ///< physical registers
  uint32_t loadQueueSize = 0;
  uint32_t storeQueueSize = 0;
  bool noAlias = true;         ///< loads and stores never touch the same memory
  bool customBehaviour = true; ///< the target's own rules, such as AMDGPU's s_waitcnt

  // What the report shall hold beyond the summary and the instructions.
  bool pressure = true;
  bool rate = false; ///< Summary::rate: of the steady loop, whatever `iterations`
  bool dispatchStatistics = false;
  bool schedulerStatistics = false;
  bool retireStatistics = false;
  bool registerFileStatistics = false;
  bool waitReasons = false; ///< why each instruction waits
  bool encodings = false;
  bool schedulingDetails = false;
  /// Describe what follows a skipped instruction with the instruments of an earlier one, as llvm-mca 22.1 does by
  /// mistake (it looks them up by an address that has moved). The simulation itself takes the right ones.
  bool misplacedInstruments = false;
  /// No simulation: the pressure is one iteration's, as the scheduling model states it. The summary stays empty, and of
  /// the optional parts there is none.
  bool instructionTables = false;
  /// Compute what repeats instead of simulating it. The report is the same either way.
  bool steadyState = true;
  bool operator==(const SimulationOptions &) const = default;
};

struct Simulation {
  Report report;
  /// For each instruction of the report its position in the region.
  std::vector<uint32_t> instructions;
  /// Instructions of the region that the model says nothing about: the report is without them.
  std::vector<SkippedInstruction> skipped;
};

/// A region that is ready to run. It refers to the target alone, and to nothing of the Simulator that prepared it, but
/// for `hazards`: a region with them has to be run before another one is prepared.
struct PreparedRegion {
  SimulationOptions options;
  unsigned syntaxVariant = 0; ///< in which registers are named
  Body body;
  std::unique_ptr<CustomHazards> hazards; ///< where the target has any
  Simulation simulation;                  ///< but for what running it adds
};

/// Simulates regions on one target. An object serves one thread; it keeps its tables and what it has lowered from one
/// region to the next, so that whoever simulates many regions keeps one.
///
/// A simulation has two steps, which may be taken by different objects on different threads: all of LLVM that can fail
/// on odd input is in the first one, most of the time goes into the second one.
class Simulator {
public:
  /// The target must outlive the simulator.
  explicit Simulator(const Target &target);
  ~Simulator();

  /// Simulates `region`, a list of instruction indices of `program`, in a loop. Fails when the CPU has no scheduling
  /// model, when no instruction is left to simulate, or when an instruction asks for more than the model's processor
  /// has. `onSkipped` hears of instructions without scheduling data; when it returns false, nothing is simulated.
  Result<Simulation> simulate(const Program &program, std::span<const uint32_t> region,
                              const SimulationOptions &options, OnSkipped onSkipped = nullptr);

  /// The first step: fills `prepared`, of which an earlier use may be left, or says why the region cannot be simulated.
  std::optional<Failure> prepare(const Program &program, std::span<const uint32_t> region,
                                 const SimulationOptions &options, PreparedRegion &prepared,
                                 OnSkipped onSkipped = nullptr);
  /// The second step. What it returns is gone from `prepared`; the body stays.
  Result<Simulation> run(PreparedRegion &prepared);

  /// How fast the loop could run if only its register dependencies held it back. Positions in the result count only
  /// those instructions of the region that the model knows.
  DataflowLimit findDataflowLimit(PreparedRegion &prepared);
  /// The steady rate if no copy waited for what is written to its source after the move, see LateCopy: those moves are
  /// instructions of their own then. To be asked last, as it changes the body. Only out of order.
  Rate findRateWithoutLateCopies(PreparedRegion &prepared);
  /// What each instruction needs of others. Positions are those of findDataflowLimit().
  std::vector<DataLink> findDataLinks(PreparedRegion &prepared);
  /// Names the registers of either, which LLVM's printer does: like the first step.
  void nameRegisters(std::vector<DataLink> &links, unsigned syntaxVariant);
  void nameRegisters(DataflowLimit &limit, unsigned syntaxVariant);

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace mca
