// Measures a region of a program on this CPU: core cycles per iteration.
//
// Two lengths are timed, in iterations or in copies, and the difference counts: the cost of the start and of the last
// mispredicted branch drops out. A loop and its unrolled body are two questions, whose answers differ by more than 10 %
// for a quarter of real blocks, so a result always names its form. What cannot be measured is refused with a reason,
// never guessed.
#pragma once

#include "mca-core/measure/clock.h"
#include "mca-core/measure/region_code.h"
#include "mca-core/measure/region_setup.h"

namespace mca::measure {

enum class RegionForm : uint8_t {
  Loop,    ///< closed by its own branch, or by `dec` and `jne`
  Unrolled ///< the body alone, back to back
};

struct RegionToMeasure {
  const Target *target = nullptr; ///< x86-64
  const Program *program = nullptr;
  const ProgramBranches *branches = nullptr;
  std::span<const uint32_t> instructions;    ///< as RegionCode::assemble has them
  std::span<const RegisterSetting> settings; ///< of `# mca: measure`
};

struct RegionCycles {
  double cycles = 0;         ///< core cycles per iteration
  double spread = 0;         ///< (largest − smallest) / smallest of the rounds
  uint32_t rounds = 0;       ///< each in a process of its own, with other pages of memory
  uint64_t iterations = 0;   ///< the longer of the two lengths
  bool hasOwnBranch = false; ///< a loop that the region's own branch closes
  size_t extraPages = 0;     ///< beyond the registers' memory, that it touches
  size_t symbols = 0;        ///< of the program's data; their contents are not the program's
};

using RegionResult = std::variant<RegionCycles, RegionRefusal>;

struct MeasureOptions {
  std::chrono::milliseconds timeout = std::chrono::minutes(10); ///< to find quiet moments for a region
};

/// Refers to the runner and the gate.
class RegionMeasurer {
public:
  RegionMeasurer(CodeRunner &runner, Gate &gate, MeasureOptions options = {})
      : runner_(runner), gate_(gate), options_(options) {}

  /// Fails if the machine is too busy; a region that cannot be measured is a RegionRefusal.
  Result<RegionResult> measure(const RegionToMeasure &region, RegionForm form);

private:
  CodeRunner &runner_;
  Gate &gate_;
  MeasureOptions options_;
};

} // namespace mca::measure
