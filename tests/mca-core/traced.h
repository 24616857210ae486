// Runs along traces, prepared and run in one step.
#pragma once

#include "mca-core/report/trace_simulation.h"
#include "tests/mca-core/parsed.h"

namespace mca {

/// Fails as prepareTrace() does, and with position 0 if the run fails.
inline std::variant<TraceReport, TraceError> simulateTrace(const Parsed &parsed, const TokenTargets &targets,
                                                           const TraceStatement &trace,
                                                           const SimulationOptions &options,
                                                           const TraceSettings &settings) {
  Simulator simulator(*parsed.target);
  auto prepared = prepareTrace(simulator, *parsed.target, *parsed.program, targets, trace, options, settings, {});
  if (auto *error = std::get_if<TraceError>(&prepared))
    return std::move(*error);
  Result<TraceReport> report = runTrace(std::get<PreparedTrace>(prepared), simulator);
  if (!report)
    return TraceError{.position = {.line = 0, .column = 0}, .message = report.message()};
  return std::move(*report);
}

} // namespace mca
