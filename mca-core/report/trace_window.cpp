// Starts the run at the counted part, as runTrace() does.
#include "mca-core/report/trace_window.h"

#include "mca-core/report/predicted_stream.h"
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
  for (uint32_t instruction = 0; instruction < prepared.positions.size(); ++instruction)
    if (const uint32_t position = prepared.positions[instruction]; position != kNone)
      window->origins[position] = instruction;
  return window;
}

} // namespace mca
