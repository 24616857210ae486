// The clock at which this machine's cores run, which makes cycles of the nanoseconds that a timer samples.
//
// The time of a chain of exclusive ors says it: each takes one cycle on every CPU, and no CPU executes them at rename,
// as some do with additions of constants and moves. Interruptions only make a chain slower, so the fastest of many
// counts. mca-core/measure/clock.h does more: it rejects moments in which a neighbour slows the core's other parts
// down, and here these belong to what is measured.
#pragma once

#include <cstdint>
#include <vector>

namespace analysis {

class CoreClock {
public:
  /// Keeps this thread busy for two milliseconds, in which an idle core comes up to its speed, and times chains.
  void sample();
  /// Adds a measurement, in hertz.
  void add(double hertz);

  /// The median of the samples, to 10 MHz. 0 if there are none, as on CPUs for which no chain is known, or if more than
  /// a fifth of them differ by more than 5 % from it.
  uint64_t hertz() const;

private:
  std::vector<double> samples_; ///< in hertz
};

} // namespace analysis
