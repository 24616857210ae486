// Starts the run at the counted part, as runTrace() does.
#include "mca-core/report/trace_window.h"

#include "mca-core/report/trace_simulation.h"

namespace mca {

Result<TraceWindow> recordWindow(PreparedTrace &prepared, Simulator &simulator, const WindowRange &range) {
  if (prepared.region.body.instructions.empty())
    return Failure{"the trace never enters the loop"};
  PredictedStream stream(prepared.steps->clone(), *prepared.branches, prepared.header, prepared.positions,
                         prepared.predictor->clone());
  stream.train(prepared.report.trainingInstructions);
  stream.limit(prepared.maxInstructions);
  Result<TraceWindow> window = simulator.record(prepared.region, stream, prepared.report.mispredictPenalty, range);
  if (!window)
    return window;
  window->origins.resize(prepared.region.body.instructions.size());
  const BodyPositions &body = prepared.positions;
  for (uint32_t i = 0; i < body.positions.size(); ++i)
    if (const uint32_t position = body.positions[i]; position != kNone)
      window->origins[position] = body.first + i;
  return window;
}

} // namespace mca
