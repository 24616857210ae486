// Probes that are timed together.
#pragma once

#include "mca-core/measure/probes/probe.h"

#include <optional>

namespace mca::measure {

/// Collects probes, times them, and returns the time of each.
class ProbeBatch {
public:
  size_t add(Probe probe) {
    probes_.push_back(std::move(probe));
    return probes_.size() - 1;
  }
  /// Times the probes that were added since the last time.
  void run(ProbeTimer &timer) {
    for (ProbeResult &result : timer.time(std::span(probes_).subspan(results_.size())))
      results_.push_back(std::move(result));
  }
  /// Nothing if the probe has no time.
  std::optional<Timing> timing(size_t probe) const {
    const auto *const found = std::get_if<Timing>(&results_[probe]);
    return found ? std::optional(*found) : std::nullopt;
  }
  std::optional<double> cycles(size_t probe) const {
    const std::optional<Timing> found = timing(probe);
    return found ? std::optional(found->cycles) : std::nullopt;
  }

private:
  std::vector<Probe> probes_;
  std::vector<ProbeResult> results_;
};

} // namespace mca::measure
