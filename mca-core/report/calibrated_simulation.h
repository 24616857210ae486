// Simulates a region on the calibrated machine: the counterpart of Simulator for a CPU that has been measured.
#pragma once

#include "mca-core/engine/calibrated_machine.h"
#include "mca-core/report/report.h"
#include "mca-core/report/simulator.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mca {

/// What the calibration says about an instruction, and what happened to it.
struct CalibratedInstructionReport {
  std::string text;    ///< printed, with a tab after the mnemonic
  double slots = 0;    ///< of the front end
  int32_t latency = 0; ///< cycles, the longest from an operand to a result; memory's part included
  RenameTreatment treatment = RenameTreatment::None;
  bool fusedWithNext = false; ///< the two are one instruction for the machine
  bool isFromLlvm = false;    ///< some of its values are LLVM's
  bool mayLoad = false, mayStore = false;
  std::optional<StoreForward> forward; ///< if it loads what an instruction of the region stores
  std::vector<double> uses;            ///< units by resource
  CalibratedWait wait;                 ///< in the steady loop
};

/// A resource of the calibration, or one of LLVM's that instructions without calibrated ones use.
struct CalibratedResourceReport {
  std::string name;
  double capacity = 0;     ///< units per cycle
  double perIteration = 0; ///< units that an iteration uses
  bool isLlvms = false;

  /// The fewest cycles per iteration that it allows.
  double bound() const { return capacity > 0 ? perIteration / capacity : 0; }
};

/// The fewest cycles per iteration that a limit of the front end allows.
struct CalibratedBound {
  std::string name;
  double cycles = 0;
};

struct CalibratedReport {
  uint32_t iterations = 0;
  uint64_t instructions = 0, cycles = 0;
  Rate rate;                ///< of the steady loop
  bool rateIsExact = false; ///< otherwise it was measured over many iterations, see Rate
  double slotsPerCycle = 0;
  std::vector<CalibratedInstructionReport> code;
  std::vector<CalibratedResourceReport> resources;
  std::vector<CalibratedBound> frontEnd;
  std::vector<CalibratedTimes> times; ///< of the recorded iterations, one after the other
  uint32_t fromLlvm = 0;              ///< how many instructions have values of LLVM's
  std::vector<uint32_t> origins;      ///< by instruction of the report: its position in the region
  std::vector<SkippedInstruction> skipped;

  double ipc() const { return cycles ? double(instructions) / double(cycles) : 0; }
  double slots() const;
};

/// The recorded iterations as llvm-mca's timeline, with the instructions that it needs. What happens from the cycle
/// `maxCycles` on is left out; 0: no limit.
Report timelineOf(const CalibratedReport &report, uint32_t maxCycles);

/// A region that is ready to run. It refers to no other object.
struct PreparedCalibratedRegion {
  CalibratedBody body;
  CalibratedReport report; ///< without what a run finds out
  uint32_t iterations = 0, recorded = 0;
};

/// Simulates regions on one calibrated CPU. Not thread-safe; reuse it, since it keeps its tables.
class CalibratedSimulator {
public:
  /// Both have to outlive it.
  CalibratedSimulator(const Target &target, const Calibration &calibration);
  ~CalibratedSimulator();

  /// The step that uses LLVM. Of the options, those of the instructions' text, iterations, timeline and callLatency
  /// count. Fails if no instruction is left to simulate.
  Result<PreparedCalibratedRegion> prepare(const Program &program, std::span<const uint32_t> region,
                                           const SimulationOptions &options, OnSkipped onSkipped = nullptr);
  /// The other step, which may run on another thread.
  static CalibratedReport run(const PreparedCalibratedRegion &prepared);

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace mca
