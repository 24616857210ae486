// The whole calibration: structural probes, blockers, bridges, then forms in batches.
#pragma once

#include "mca-core/calibration/calibration.h"
#include "mca-core/measure/probes/form_probes.h"

#include <functional>
#include <optional>
#include <vector>

namespace mca::measure {

struct CalibrateOptions {
  bool allForms = false; ///< all that this CPU has, instead of those of compiled code
  /// What an earlier run has measured of this machine: its forms are not measured again.
  std::optional<Calibration> earlier;
  /// After each batch of forms: how many of how many are done, and the calibration so far.
  std::function<void(size_t done, size_t total, const Calibration &)> onBatch = [](size_t, size_t,
                                                                                   const Calibration &) {};
};

/// The opcodes of compiled code, the most frequent ones first (common_forms.inc).
std::span<const char *const> commonForms();

/// The forms to measure, each once, in order.
std::vector<FormToProbe> formsToProbe(const InstanceMaker &maker, bool allForms);

/// Measures. Ends early, with what it has, once the timer has stopped. CPU, date and program are the caller's to set.
/// Fails if the machine's front end cannot be timed, or if `earlier` has other resources than are found now.
Result<Calibration> calibrate(const InstanceMaker &maker, ProbeTimer &timer, const CalibrateOptions &options);

} // namespace mca::measure
