// From time stamp counter ticks to core cycles, and whether the machine is quiet enough to believe them.
//
// The counter runs at a constant rate and the core does not, so the rate is measured with each chunk of codes: by a
// chain of 32-bit integer multiplications, which take 3 cycles each on Intel's cores since Sandy Bridge and AMD's since
// Zen. Not by additions or moves, which some CPUs execute at rename. A second chain of exclusive ors, 1 cycle each, has
// to agree.
//
// The least of many runs is not the truth on a shared host: a neighbour on the other hardware thread slows the front
// end and the caches for seconds at a time, while the chain keeps its speed. So two canaries, a run of nops and one of
// independent loads, are timed before and after each chunk. The chunk counts only if they are as fast as the fastest
// that were seen.
#pragma once

#include "mca-core/measure/code_run.h"

#include <chrono>
#include <stop_token>

namespace mca::measure {

/// Codes that ran while the machine was quiet.
struct GatedChunk {
  std::vector<CodeResult> results; ///< in the order of the codes
  double ticksPerCycle = 1;
  /// The slower reading of each canary, in cycles. A chunk that was accepted before a much faster reading was seen
  /// compares badly with leastNopCycles() and leastLoadCycles(): it should be measured again.
  double nopCycles = 0, loadCycles = 0;
  /// The time of a code in core cycles.
  double cyclesOf(const CodeTimes &times) const { return times.center() / ticksPerCycle; }
};

/// Accepts or rejects chunks of codes. Refers to the runner.
class Gate {
public:
  static constexpr double kTolerance = .02; ///< of the canaries, relative to the best seen

  /// Learns the canaries' speed, for about 0.1 s. Fails if the chains disagree: either this CPU's multiplication does
  /// not take 3 cycles, or the machine is too noisy for any measurement.
  static Result<Gate> create(CodeRunner &runner);

  /// Runs the codes once, between canaries. Nothing: the machine was not quiet.
  std::optional<GatedChunk> attempt(std::span<const CodeToRun> codes);
  /// Attempts until one is accepted. Fails after `patience`, with what the user can do, or when a stop is requested.
  Result<GatedChunk> run(std::span<const CodeToRun> codes, std::chrono::milliseconds patience,
                         const std::stop_token &stop = {});

  /// How many attempts were accepted and rejected so far.
  uint64_t accepted() const { return accepted_; }
  uint64_t rejected() const { return rejected_; }
  /// The canaries' best so far, in cycles.
  double leastNopCycles() const { return best_.nops; }
  double leastLoadCycles() const { return best_.loads; }
  /// Whether a chunk that was accepted earlier would still be.
  bool isStillGood(const GatedChunk &chunk) const { return isQuiet({0, chunk.nopCycles, chunk.loadCycles}); }

private:
  /// In cycles.
  struct Canaries {
    double ticksPerCycle, nops, loads;
  };
  explicit Gate(CodeRunner &runner);
  std::optional<Canaries> read(std::span<const CodeResult> results) const;
  bool isQuiet(const Canaries &canaries) const;

  CodeRunner *runner_;
  std::vector<CodeToRun> canaries_; ///< the multiplications, the nops, the loads
  Canaries best_;
  uint64_t accepted_ = 0, rejected_ = 0;
};

} // namespace mca::measure
