// A probe: a piece of code whose time says something about the CPU, and who says how long it takes.
#pragma once

#include "llvm/MC/MCInst.h"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace mca::measure {

/// Code that is timed in the steady state, repeated back to back.
struct Probe {
  std::string name;                ///< such as ADD64rr: latency 1 to 0
  std::vector<llvm::MCInst> setup; ///< runs once, before the first repetition
  std::vector<llvm::MCInst> block; ///< not empty
  /// For probes of one-bit facts about small loops: the block is a loop of its own instead of being unrolled.
  bool isLoop = false;
  /// With `isLoop`: executions of the shorter run, in the same state in each; the longer run has twice as many. 0: as
  /// many as a time needs. Each run is repeated, so that a predictor of branches knows it.
  uint32_t executions = 0;
};

/// The time of one execution of a probe's block.
struct Timing {
  double cycles = 0; ///< the least of the passes that agreed
  double spread = 0; ///< (largest − smallest) / smallest of these
  uint32_t passes = 0;
};

/// Why a probe has no time: it faults, its passes differ, or the machine was never quiet.
struct NoTiming {
  std::string reason;
};

using ProbeResult = std::variant<Timing, NoTiming>;

/// Times probes. Tests have a simulated machine behind it.
class ProbeTimer {
public:
  virtual ~ProbeTimer() = default;
  /// One result for each probe, in order.
  virtual std::vector<ProbeResult> time(std::span<const Probe> probes) = 0;
  /// Whether the measuring ends early; probes that were not timed yet have no timing then.
  virtual bool isStopped() const = 0;
};

} // namespace mca::measure
