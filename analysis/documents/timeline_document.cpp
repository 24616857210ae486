// The first iterations of a region, cycle by cycle, with a reason for each cycle in which an instruction waits; and of
// a loop with a flow, some along its trace, with the gaps after mispredicted branches.
//
// If the line has several regions, the one whose numbers the hint shows is drawn. Its size is bounded, since an editor
// has to lay it out.
#include "analysis/documents/document.h"
#include "analysis/regions/caveats.h"
#include "analysis/text/instruction_text.h"
#include "analysis/verdict/describe.h"
#include "analysis/verdict/verdict.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

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
  options.sameOperands = true;
  options.iterations = shown.report().summary.iterations;
  options.timeline = true;
  options.timelineMaxIterations = static_cast<uint32_t>(
      std::min<size_t>(kMaxIterations, wire::kMaxTimelineRows / shown.region->instructions.size()));
  options.timelineMaxCycles = kMaxCycles;
  options.waitReasons = true;
  options.calibration = shown.calibration;
  options.corrections = shown.corrections();
  return options;
}

/// Adds the waits of the one instance, from the cycle `begin` of the report on: their cycles are a segment's, and not
/// averaged.
void addWaits(const mca::Report &report, size_t number, int64_t begin, wire::TimelineRow &row) {
  for (const mca::WaitSegment &segment : report.waits->segments[number]) {
    if (segment.to <= begin)
      continue;
    const mca::WaitReason &reason = report.waits->instructions[row.instruction].reasons[segment.reason];
    wire::TimelineWait &wait = row.waits.emplace_back(
        wire::TimelineWait{static_cast<uint32_t>(std::max<int64_t>(segment.from - begin, 0)),
                           static_cast<uint32_t>(segment.to - begin), waitOf(reason, report, 1)});
    wait.wait.by = segment.by; // of this instance alone, not of all iterations
  }
}

/// An instance without its waits. Cycles count from `begin`.
wire::TimelineRow rowOf(const mca::TimelineEntry &entry, uint32_t iteration, uint32_t instruction, int64_t begin) {
  const auto fromBegin = [&](int64_t cycle) { return static_cast<uint32_t>(std::max<int64_t>(cycle - begin, 0)); };
  return {.iteration = iteration,
          .instruction = instruction,
          .dispatched = fromBegin(entry.dispatched),
          .issued = fromBegin(entry.issued),
          .executed = fromBegin(entry.executed),
          .retired = fromBegin(entry.retired),
          .waits = {}};
}

/// The line of an instruction of the program in the buffer, 1-based; 0 if it has none.
uint32_t lineOf(const DocumentSources &sources, uint32_t instruction) {
  const auto place = sources.map->placeOf(instruction);
  return place ? place->line : 0;
}

// ---- along a trace -------------------------------------------------------------------------------------------------

/// Makes the timeline of a loop from a window of its run.
class TraceDrawer {
public:
  TraceDrawer(const DocumentSources &sources, const Region &region, const mca::TraceWindow &window)
      : window_(window), loop_(region.body->loop.instructions.begin(), region.body->loop.instructions.end()) {
    for (size_t i = 0; i < sources.regions.size(); ++i) {
      const SimulatedRegion &one = sources.regions[i];
      if (one.region->path.empty() || one.region->loop != region.loop)
        continue;
      trace_.paths.push_back(sources.results[i].path);
      // Those without scheduling data have no rows.
      paths_.push_back(llvm::map_to_vector(one.simulation().instructions,
                                           [&](uint32_t position) { return one.region->instructions[position]; }));
    }
    for (const mca::InstructionInfo &instruction : window.report.instructions)
      trace_.instructions.push_back(flatText(instruction.text));
    for (const uint32_t instruction : window.origins)
      trace_.lines.push_back(lineOf(sources, instruction));
    findIterations(region.body->loop);
  }

  wire::TraceTimeline draw() && {
    if (begins_.empty())
      return {};
    const size_t first = firstIteration();
    const int64_t begin = window_.rows[begins_[first]].entry.dispatched;
    for (size_t i = first; i < begins_.size() && i < first + kMaxIterations; ++i)
      if (!addIteration(i, static_cast<uint32_t>(i - first), begin))
        break;
    return std::move(trace_);
  }

private:
  void findIterations(const mca::Loop &loop);
  size_t firstIteration() const;
  size_t endOf(size_t iteration) const {
    return iteration + 1 < begins_.size() ? begins_[iteration + 1] : window_.rows.size();
  }
  uint32_t pathOf(size_t iteration) const;
  bool addIteration(size_t iteration, uint32_t number, int64_t begin);

  const mca::TraceWindow &window_;
  const llvm::DenseSet<uint32_t> loop_;               ///< instructions of the program
  std::vector<llvm::SmallVector<uint32_t, 0>> paths_; ///< the same, in the order of execution
  std::vector<size_t> begins_;                        ///< of the iterations, as indices of rows
  wire::TraceTimeline trace_;
};

/// An iteration begins with the first instruction of the header that has a row.
void TraceDrawer::findIterations(const mca::Loop &loop) {
  const mca::LoopBlock &header = loop.blocks[loop.headerBlock];
  auto first = window_.origins.end();
  for (uint32_t i = header.begin; i < header.end && first == window_.origins.end(); ++i)
    first = llvm::find(window_.origins, loop.instructions[i]);
  for (size_t row = 0; row < window_.rows.size(); ++row)
    if (window_.rows[row].instruction == first - window_.origins.begin())
      begins_.push_back(row);
}

/// The one with the first misprediction; if there is none, the first one.
size_t TraceDrawer::firstIteration() const {
  const auto isMissed = [](const mca::TraceWindowRow &row) { return row.isMispredicted; };
  for (size_t i = 0; i < begins_.size(); ++i)
    if (std::any_of(window_.rows.begin() + static_cast<ptrdiff_t>(begins_[i]),
                    window_.rows.begin() + static_cast<ptrdiff_t>(endOf(i)), isMissed))
      return i;
  return 0;
}

/// As TraceRow::path. The last iteration may be a part of one.
uint32_t TraceDrawer::pathOf(size_t iteration) const {
  if (iteration + 1 == begins_.size())
    return 0;
  llvm::SmallVector<uint32_t, 0> executed;
  for (size_t row = begins_[iteration]; row < begins_[iteration + 1]; ++row)
    if (const uint32_t instruction = window_.origins[window_.rows[row].instruction]; loop_.contains(instruction))
      executed.push_back(instruction);
  const auto path = llvm::find(paths_, executed);
  return path == paths_.end() ? 0 : static_cast<uint32_t>(path - paths_.begin()) + 1;
}

/// Adds the rows that end before the last cycle; false if one does not.
bool TraceDrawer::addIteration(size_t iteration, uint32_t number, int64_t begin) {
  const uint32_t path = pathOf(iteration);
  for (size_t i = begins_[iteration]; i < endOf(iteration); ++i) {
    const mca::TraceWindowRow &from = window_.rows[i];
    const mca::TimelineEntry &entry = from.entry;
    if (std::max(entry.executed, entry.retired) - begin >= kMaxCycles)
      return false;
    wire::TraceRow &to = trace_.rows.emplace_back(
        wire::TraceRow{.row = rowOf(entry, number, from.instruction, begin),
                       .isMispredicted = from.isMispredicted,
                       .resumed = static_cast<uint32_t>(std::max<int64_t>(from.resumed.value_or(0) - begin, 0)),
                       .path = path});
    addWaits(window_.report, i, begin, to.row);
  }
  return true;
}

/// Empty if the loop has no flow.
wire::TraceTimeline traceOf(const DocumentSources &sources, const Region &region) {
  const auto isOfLoop = [&](const wire::ControlFlow &flow) { return flow.loop == region.loop; };
  if (!region.body || !llvm::any_of(sources.flows, isOfLoop))
    return {};
  const mca::Result<mca::TraceWindow> window = sources.recordWindow(region.loop, {.count = wire::kMaxTimelineRows});
  return window ? TraceDrawer(sources, region, *window).draw() : wire::TraceTimeline();
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
  for (const uint32_t position : (*simulation).instructions)
    view.timeline.lines.push_back(lineOf(sources, region.region->instructions[position]));
  // A truncated instance retires after the timeline's last cycle: the picture ends before it.
  const size_t count = report.instructions.size();
  for (size_t i = 0; i < report.timeline->entries.size() && !report.timeline->entries[i].truncated(); ++i)
    addWaits(report, i, 0,
             view.timeline.rows.emplace_back(rowOf(report.timeline->entries[i], static_cast<uint32_t>(i / count),
                                                   static_cast<uint32_t>(i % count), 0)));
  view.timeline.pressure = pressureOf(report.pressure);
  view.trace = traceOf(sources, *region.region);
}

} // namespace analysis
