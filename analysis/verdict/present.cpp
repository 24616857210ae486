// From the simulator's report to what the wire and the words need.
#include "analysis/verdict/present.h"

#include "analysis/verdict/verdict.h"
#include "analysis/wording/timeline_text.h"
#include "analysis/wording/words.h"

#include <algorithm>

namespace analysis {
namespace {

bool loadsAndStores(const mca::Report &report) {
  const auto &instructions = report.instructions;
  return std::any_of(instructions.begin(), instructions.end(), [](const auto &one) { return one.mayLoad; }) &&
         std::any_of(instructions.begin(), instructions.end(), [](const auto &one) { return one.mayStore; });
}

/// As many instances of the first iterations as a hover has rows for, up to the first that was not simulated to its
/// end.
std::vector<TimelineRow> timelineOf(const mca::Report &report) {
  const mca::Timeline &timeline = *report.timeline;
  const size_t count = timeline.waits.size();
  const size_t iterations = std::clamp<size_t>(count ? kTimelineRows / count : 1, 1, timeline.iterations);
  std::vector<TimelineRow> rows;
  for (size_t i = 0; i < iterations * count && rows.size() < kTimelineRows; ++i) {
    const mca::TimelineEntry &entry = timeline.entries[i];
    if (entry.dispatched < 0 || entry.truncated())
      break;
    TimelineRow &row = rows.emplace_back();
    row = {.iteration = static_cast<uint32_t>(i / count),
           .instruction = static_cast<uint32_t>(i % count),
           .text = report.instructions[i % count].text,
           .dispatched = entry.dispatched,
           .issued = entry.issued,
           .executed = entry.executed,
           .retired = entry.retired};
    std::replace(row.text.begin(), row.text.end(), '\t', ' ');
  }
  return rows;
}

} // namespace

std::string nameOf(const Region &region) {
  return region.name + (region.variant.empty() ? "" : ", " + region.variant) +
         (region.path.empty() ? "" : ", " + region.path);
}

wire::RegionSummary summarize(const AnalysedRegion &analysed, const TextLines &lines) {
  const mca::Summary &summary = analysed.report->summary;
  const mca::ResourcePressure &pressure = analysed.report->pressure;
  wire::RegionSummary result;
  const Region &region = *analysed.region;
  result.name = nameOf(region);
  result.instance = region.name;
  result.kind = region.kind;
  result.at = region.at;
  result.line = lines.lineOf(region.anchor) + 1;
  result.loop = region.loop;
  result.sourceIterations = region.sourceIterations;
  result.share = region.share.value_or(-1);
  result.iterationsPerCall = region.iterationsPerCall;
  result.instructions = static_cast<uint32_t>(analysed.report->instructions.size());
  result.cyclesPerIteration = summary.cyclesPerIteration();
  result.ipc = summary.steadyIpc();
  result.iterations = summary.iterations;
  result.cycles = summary.cycles;
  result.microOps = summary.microOps;
  result.dispatchWidth = summary.dispatchWidth;
  result.averageIpc = summary.ipc();
  result.averageMicroOpsPerCycle = summary.microOpsPerCycle();
  result.blockReciprocalThroughput = summary.blockReciprocalThroughput;
  for (size_t unit = 0; unit < pressure.units.size(); ++unit)
    if (pressure.perIteration[unit] >= kVisiblePressure)
      result.pressure.push_back({unitName(pressure.units[unit]), pressure.perIteration[unit]});
  result.verdict = analysed.verdict;
  result.caveats = analysed.caveats;
  result.calls = region.calls;
  const uint32_t several = std::max(region.sourceIterations, 1u);
  for (const OtherCpu &other : analysed.others)
    result.otherCpus.push_back({other.cpu, other.summary ? other.summary->cyclesPerIteration() / several : 0,
                                other.summary ? other.summary->steadyIpc() : 0, other.remark,
                                other.summary.has_value()});
  return result;
}

ShownRegion shownRegion(const AnalysedRegion &analysed, const TextLines &lines) {
  const Region &region = *analysed.region;
  ShownRegion shown{.numbers = summarize(analysed, lines),
                    .variant = region.variant,
                    .path = region.path,
                    .anchor = region.anchor,
                    .vectorTypes = region.vectorTypes,
                    .inlined = region.inlined,
                    .loadsAndStores = loadsAndStores(*analysed.report),
                    .changes = analysed.changes};
  if (analysed.ordered)
    shown.orderedCycles = analysed.ordered->cyclesPerIteration();
  if (analysed.report->timeline) {
    shown.timeline = timelineOf(*analysed.report);
    shown.bodySize = static_cast<uint32_t>(analysed.report->timeline->waits.size());
  }
  if (!analysed.limit)
    return shown;
  shown.chainCycles = analysed.limit->cyclesPerIteration;
  for (const mca::DataLink &link : analysed.limit->chain) {
    shown.chain.push_back({link.from, link.name, link.cycles, link.iterations});
    shown.chainLines.push_back(region.lines[analysed.positions[link.from]]);
    shown.chainTexts.push_back(flatText(analysed.report->instructions[link.from].text));
  }
  return shown;
}

ShownLoop shownLoop(const AnalysedLoop &loop, const TextLines &lines) {
  ShownLoop shown;
  for (const AnalysedRegion &path : loop)
    shown.push_back(shownRegion(path, lines));
  return shown;
}

} // namespace analysis
