// Runs of functions of which a trace's text has no trace but counts: edges, blocks or paths.
#pragma once

#include "mca-core/report/trace_simulation.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace mca {

struct CountedFunction {
  uint32_t function = 0; ///< index in ProgramBranches::functions()
  PreparedTrace run;     ///< TraceReport::iterations are the calls of the function
};

/// Prepares each function that has counts above 0, in text order, with the odds that follow from them. The settings are
/// those of prepareOdds(); the mispredictions that the text measured count unless the predictor is a bound. Fails if a
/// count does not fit to the program, with its place in the text; with position 0 if there are none, or if the
/// instructions cannot be simulated.
std::variant<std::vector<CountedFunction>, TraceError>
prepareCounts(Simulator &simulator, const Target &target, const Program &program, const TokenTargets &targets,
              const SimulationOptions &options, TraceSettings settings, const OnSkippedInTrace &onSkipped);

} // namespace mca
