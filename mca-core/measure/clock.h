// From time stamp counter ticks to core cycles, and whether the machine is quiet enough to believe them.
//
// The counter runs at a constant rate and the core does not, so the rate is measured with each chunk of codes: by a
// chain of 32-bit integer multiplications, which take 3 cycles each on Intel's cores since Sandy Bridge and AMD's since
// Zen. Not by additions or moves, which some CPUs execute at rename. A second chain of exclusive ors, 1 cycle each, has
// to agree.
//
// The least of many runs is not the truth on a shared host: a neighbour on the other hardware thread slows the front
// end and the caches, while the chain keeps its speed. So a canary runs before and after each repetition (harness.cpp),
// and a repetition counts only if both are as fast as the fastest that were seen. A chunk's own canaries would not do:
// neighbours come and go within 0.1 to 5 ms.
#pragma once

#include "mca-core/measure/code_run.h"

#include <chrono>

namespace mca::measure {

/// What is said if no time of a code counts.
inline constexpr const char *kBusyAdvice =
    "the machine is too busy to measure: stop other programs, and run the command on a core of its own (taskset -c 1)";

/// The time of a code while the machine was quiet.
struct QuietTime {
  double cycles = 0;
  uint32_t repetitions = 0; ///< that were quiet
};

struct NotQuiet {};

using GatedResult = std::variant<QuietTime, NotQuiet, CodeRefusal>;

/// Accepts or rejects repetitions of codes. Refers to the runner.
class Gate {
public:
  /// Learns the canary's speed for so long that a quiet moment is likely among it. Fails if the chains still disagree
  /// after `timeout`: either this CPU's multiplication does not take 3 cycles, or the machine is too busy for any
  /// measurement.
  static Result<Gate> create(CodeRunner &runner, std::chrono::milliseconds learning = std::chrono::seconds(1),
                             std::chrono::milliseconds timeout = std::chrono::seconds(10));

  /// Changes when the canary turns out to be faster than ever before: what attempts before that called quiet was not.
  uint32_t revision() const { return revision_; }
  /// Runs each code once, with its repetitions. A code of which less than three were quiet is NotQuiet.
  std::vector<GatedResult> attempt(std::span<const CodeToRun> codes);
  /// Attempts until each code has a time or is refused. A code that is never quiet while the machine is, without it, is
  /// refused: it empties caches or slows the core down, and its time cannot be distinguished from a neighbour's. Fails
  /// after `timeout`, with what the user can do.
  Result<std::vector<std::variant<QuietTime, CodeRefusal>>> run(std::span<const CodeToRun> codes,
                                                                std::chrono::milliseconds timeout);

  /// How many repetitions were quiet and how many were not so far.
  uint64_t accepted() const { return accepted_; }
  uint64_t rejected() const { return rejected_; }

private:
  explicit Gate(CodeRunner &runner) : runner_(&runner) {}
  std::optional<double> readClock(const CodeResult &clock) const;
  void learn(std::span<const CodeResult> results, double ticksPerCycle);
  bool isKnown() const { return leastCanary_ > 0; }
  bool isQuietAlone();
  GatedResult judge(const CodeResult &result, double ticksPerCycle);

  CodeRunner *runner_;
  std::vector<double> fastest_; ///< attempts' canaries in cycles, the fastest ones, sorted
  double leastCanary_ = 0;      ///< cycles; 0: none yet
  uint32_t revision_ = 0;
  uint64_t accepted_ = 0, rejected_ = 0;
};

} // namespace mca::measure
