// The first iterations of a region, cycle by cycle, with a reason for each cycle in which an instruction waits.
//
// If the line has several regions, the one whose numbers the hint shows is drawn. Its size is bounded, since an editor
// has to lay it out.
#include "analysis/common/instruction_text.h"
#include "analysis/documents/document.h"
#include "analysis/regions/caveats.h"
#include "analysis/verdict/describe.h"
#include "analysis/verdict/verdict.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace analysis {
namespace {

// As llvm-mca's default of -timeline-max-iterations; its -timeline-max-cycles is 80, which is for a terminal.
constexpr uint32_t kMaxIterations = 10;
constexpr uint32_t kMaxCycles = 2000;

/// The run that the hint's numbers come from, with as many iterations, but with each instance and wait recorded.
mca::SimulationOptions timelineOptions(const SimulatedRegion &shown) {
  mca::SimulationOptions options;
  options.callLatency = kCallLatency;
  options.iterations = shown.report().summary.iterations;
  options.timeline = true;
  options.timelineMaxIterations = static_cast<uint32_t>(
      std::min<size_t>(kMaxIterations, wire::kMaxTimelineRows / shown.region->instructions.size()));
  options.timelineMaxCycles = kMaxCycles;
  options.waitReasons = true;
  return options;
}

/// Waits are those of the one instance: their cycles are a segment's, and not averaged.
wire::TimelineRow rowOf(const mca::Report &report, size_t number) {
  wire::TimelineRow row = timelineRow(report, number);
  for (const mca::WaitSegment &segment : report.waits->segments[number]) {
    const mca::WaitReason &reason = report.waits->instructions[row.instruction].reasons[segment.reason];
    wire::TimelineWait &wait = row.waits.emplace_back(wire::TimelineWait{
        static_cast<uint32_t>(segment.from), static_cast<uint32_t>(segment.to), waitOf(reason, report, 1)});
    wait.wait.by = segment.by; // of this instance alone, not of all iterations
  }
  return row;
}

} // namespace

void makeTimeline(const DocumentSources &sources, wire::View &view) {
  using Problem = wire::View::Problem;
  const std::vector<uint32_t> onLine = regionsAt(sources, view.request.offset);
  if (onLine.empty()) {
    view.problem = Problem::NoRegion;
    return;
  }
  // Rank 0 is the loop of the hint; its first path is the most frequent one.
  const auto shown = llvm::find_if(onLine, [&](uint32_t number) { return sources.results[number].rank == 0; });
  view.region = *shown;
  const SimulatedRegion &region = sources.regions[view.region];
  view.instructions = region.region->instructions.size();
  if (view.instructions > wire::kMaxTimelineRows) {
    view.problem = Problem::TooLong;
    return;
  }
  const mca::Result<mca::Simulation> simulation =
      sources.simulator->simulate(*sources.program, region.region->instructions, timelineOptions(region));
  if (!simulation) {
    view.problem = Problem::NotSimulated;
    view.failure = simulation.message();
    return;
  }
  const mca::Report &report = (*simulation).report;
  for (const mca::InstructionInfo &instruction : report.instructions)
    view.timeline.instructions.push_back(flatText(instruction.text));
  // The simulation may leave out instructions without scheduling data: rows count those that it has.
  for (const uint32_t position : (*simulation).instructions) {
    const auto place = sources.map->placeOf(region.region->instructions[position]);
    view.timeline.lines.push_back(place ? place->line : 0);
  }
  // A truncated instance retires after the timeline's last cycle: the picture ends before it.
  for (size_t i = 0; i < report.timeline->entries.size() && !report.timeline->entries[i].truncated(); ++i)
    view.timeline.rows.push_back(rowOf(report, i));
  view.timeline.pressure = pressureOf(report.pressure);
}

} // namespace analysis
