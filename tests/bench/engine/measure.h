// What the simulator and LLVM's pipeline take for a body.
#pragma once

#include "mca-core/report/simulator.h"
#include "tests/bench/engine/bodies.h"

#include <array>
#include <memory>
#include <optional>

namespace bench {

constexpr std::array<uint32_t, 6> kIterations = {1, 10, 100, 1000, 10000, 100000};

/// The parts of a run of LLVM's pipeline, in seconds.
struct LlvmTimes {
  double lowering = 0;
  double describing = 0; ///< the instructions: texts and what the model says of them
  double running = 0;

  double pipeline() const { return lowering + running; }
  double all() const { return pipeline() + describing; }
};

/// In seconds; the indices are those of kIterations. All but `afterLlvm100` of runs behind one of the same, whose code
/// and data the processor's caches then hold.
struct BodyTimes {
  std::array<double, 6> ours{};                       ///< 0: not measured
  std::array<std::optional<LlvmTimes>, 6> llvm;       ///< measured ones
  double afterLlvm100 = 0;                            ///< ours at 100 iterations, the caches full of LLVM's run
  double everyIteration10 = 0, everyIteration100 = 0; ///< ours without steady state
  double withBottlenecks = 0;                         ///< ours at 100 iterations, with bottlenecks and timeline
  double wholePath = 0, llvmWholePath = 0;            ///< text to text at 100 iterations; 0: not measured
  /// On the calibrated machine: at 10 and 100 iterations without steady state, and at 100 with it. 0: not measured.
  double calibratedEvery10 = 0, calibratedEvery100 = 0, calibrated100 = 0;

  /// LLVM's time for so many iterations. It grows linearly, so what was not measured is computed.
  LlvmTimes llvmAt(size_t index) const;
};

struct MeasureOptions {
  unsigned rounds = 3;  ///< of which the median counts
  bool inDepth = false; ///< also what takes long: LLVM at 1,000 iterations and the whole path
  std::shared_ptr<const mca::Calibration> calibration; ///< null: the calibrated machine is not measured
};

/// The first simulation of a process, in seconds; 0 when it failed. To be measured before anything is simulated in this
/// process, as its child inherits what it knows.
struct ColdTimes {
  double ours = 0;
  double llvm = 0;
};
ColdTimes measureCold(const mca::Target &target, const Body &body, uint32_t iterations);

/// Interleaves the rounds of both sides. `simulator` keeps what it knows from body to body, as its users let it.
BodyTimes measureBody(mca::Simulator &simulator, const mca::Target &target, const Body &body,
                      const MeasureOptions &options);

} // namespace bench
