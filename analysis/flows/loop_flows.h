// The cycles of a document's loops with the branches that a CPU predicts wrongly: along the traces of the document, or,
// where there is none, with branches that are random if they depend on data.
//
// A loop gets a flow if
//   - a comment chooses a path through it, or a trace enters it (comments count before the file, and the first trace
//     before later ones), and it has a branch that is more than its predictable end, or
//   - one of its branches depends on data and goes the less likely way in at least 5 % of the executions.
//
// As with regions, instructions are lowered on the job's own thread, and the last loop that was reported before is the
// one that ended the process; other threads run what was lowered.
#pragma once

#include "analysis/flows/document_traces.h"
#include "analysis/flows/flow_cache.h"
#include "analysis/regions/region.h"
#include "analysis/simulate/simulated_region.h"
#include "analysis/simulate/simulations.h"
#include "mca-core/program/code_blocks.h"
#include "mca-core/report/trace_window.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace analysis {

struct FlowContext {
  const wire::AnalyzeRequest &request;
  const mca::ControlFlow &code; ///< its target has a scheduling model
  const SourceMap &map;
  std::span<const SimulatedRegion> regions;
  const BranchProbability &probability; ///< as the compiler expects; never empty
  const std::vector<TraceComment> &comments;
  mca::SimulationOptions options; ///< those of the machine count; a loop has the calibration of its region
  uint64_t calibrationDigest = 0; ///< of that
  Simulators &simulators;
  FlowCache &flows;
  WalkCache &walks;
  TraceFiles &files;
  size_t threads = 1; ///< the limit, the calling one included
  std::stop_token stop;
  const wire::ProgressSink &progress; ///< called on the calling thread
  /// The place in the buffer of an instruction of the program; empty if it has none.
  std::function<wire::ByteRange(uint32_t instruction, const Region &region)> placeOf;
};

struct Flows {
  std::vector<wire::ControlFlow> flows; ///< at most one for each loop, by Region::loop
  std::vector<wire::Finding> findings;  ///< about traces that are wrong
  std::vector<std::string> notes;
  /// Records a part of the run that a flow's numbers are of, with the reasons of waits; fails for a loop
  /// (Region::loop) without a flow. Runs on the calling thread, as long as what the context refers to exists.
  std::function<mca::Result<mca::TraceWindow>(uint32_t loop, const mca::WindowRange &range)> recordWindow;
};

/// Incomplete after a requested stop.
Flows findFlows(const FlowContext &context);

} // namespace analysis
