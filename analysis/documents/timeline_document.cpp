// The first iterations of a region, cycle by cycle, with a reason for each cycle in which an instruction waits.
//
// Of the regions of a line it is the one that the line's hint shows. What is drawn is bounded: an editor lays it out,
// and a reader looks at it.
#include "analysis/documents/document.h"
#include "analysis/regions/caveats.h"
#include "analysis/verdict/present.h"
#include "analysis/verdict/verdict.h"
#include "analysis/wording/words.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace analysis {
namespace {

using Shown = DocumentSources::Shown;

constexpr uint32_t kMaxIterations = 10;
constexpr size_t kMaxInstances = 2000;
constexpr uint32_t kMaxCycles = 2000;

/// Instructions are told one by one for the region whose numbers the hint shows.
const Shown &shownByTheHint(const std::vector<Shown> &onLine) {
  const auto found = llvm::find_if(onLine, [](const Shown &shown) { return !shown.summary->body.empty(); });
  return found == onLine.end() ? onLine.front() : *found;
}

mca::SimulationOptions timelineOptions(const Shown &shown) {
  mca::SimulationOptions options;
  options.callLatency = kCallLatency;
  options.iterations = shown.summary->iterations;
  options.timeline = true;
  options.timelineMaxIterations =
      static_cast<uint32_t>(std::min<size_t>(kMaxIterations, kMaxInstances / shown.region->instructions.size()));
  options.timelineMaxCycles = kMaxCycles;
  options.waitReasons = true;
  return options;
}

wire::TimelineInstance instanceOf(const mca::Report &report, size_t number) {
  const size_t count = report.instructions.size();
  const mca::TimelineEntry &entry = report.timeline->entries[number];
  wire::TimelineInstance instance{.iteration = static_cast<uint32_t>(number / count),
                                  .instruction = static_cast<uint32_t>(number % count),
                                  .dispatched = static_cast<uint32_t>(entry.dispatched),
                                  .issued = static_cast<uint32_t>(entry.issued),
                                  .executed = static_cast<uint32_t>(entry.executed),
                                  .retired = static_cast<uint32_t>(entry.retired),
                                  .waits = {}};
  for (const mca::WaitSegment &segment : report.waits->segments[number]) {
    const mca::WaitReason &reason = report.waits->instructions[instance.instruction].reasons[segment.reason];
    instance.waits.push_back({static_cast<uint32_t>(segment.from), static_cast<uint32_t>(segment.to),
                              phraseOf(waitOf(reason, report, 1)), segment.by});
  }
  return instance;
}

/// Up to the first one that the timeline's cycles end before.
std::vector<wire::TimelineInstance> instancesOf(const mca::Report &report) {
  std::vector<wire::TimelineInstance> instances;
  for (size_t i = 0; i < report.timeline->entries.size() && !report.timeline->entries[i].truncated(); ++i)
    instances.push_back(instanceOf(report, i));
  return instances;
}

void describe(const DocumentSources &sources, const Shown &shown, const mca::Report &report, wire::Timeline &timeline) {
  timeline.title = shown.summary->name.empty() ? "region" : shown.summary->name;
  timeline.cpu = sources.summary.target.cpu;
  timeline.cyclesPerIteration = shown.summary->cyclesPerIteration;
  for (const mca::InstructionInfo &instruction : report.instructions)
    timeline.instructions.push_back(flatText(instruction.text));
  const mca::ResourcePressure &pressure = report.pressure;
  for (size_t unit = 0; unit < pressure.units.size(); ++unit)
    if (pressure.perIteration[unit] >= kVisiblePressure)
      timeline.pressure.push_back({unitName(pressure.units[unit]), pressure.perIteration[unit]});
}

} // namespace

void makeTimeline(const DocumentSources &sources, uint32_t offset, wire::DocumentText &document) {
  const std::vector<Shown> onLine = regionsAt(sources, offset);
  if (onLine.empty()) {
    document.text = "No region that was simulated stands on this line or around it.";
    return;
  }
  const Shown &shown = shownByTheHint(onLine);
  const std::vector<uint32_t> &region = shown.region->instructions;
  if (region.size() > kMaxInstances) {
    document.text = "The region has " + std::to_string(region.size()) + " instructions; a timeline has at most " +
                    std::to_string(kMaxInstances) + ".";
    return;
  }
  const mca::Result<mca::Simulation> simulation =
      sources.simulator->simulate(*sources.program, region, timelineOptions(shown));
  if (!simulation) {
    document.text = "It cannot be simulated: " + simulation.message();
    return;
  }
  const mca::Simulation &made = *simulation;
  describe(sources, shown, made.report, document.timeline);
  document.timeline.instances = instancesOf(made.report);
  for (uint32_t i = 0; i < made.instructions.size(); ++i)
    if (const auto place = sources.map->placeOf(region[made.instructions[i]]); place && place->line)
      document.links.push_back({i, place->line - 1});
}

} // namespace analysis
