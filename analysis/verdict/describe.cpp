// Pressure and waits that a reader would see as zero are not sent: they would be most of a message.
#include "analysis/verdict/describe.h"

#include "analysis/text/instruction_text.h"
#include "analysis/verdict/verdict.h"
#include "mca-core/views/text.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <span>

namespace analysis {
namespace {

constexpr double kVisibleWait = 0.05; // cycles per iteration; waits are shown with one decimal

/// `cycles`: per iteration, one for each unit.
std::vector<wire::ResourceUse> visibleUses(const mca::ResourcePressure &pressure, std::span<const double> cycles) {
  std::vector<wire::ResourceUse> uses;
  for (const auto &[unit, used] : llvm::zip(pressure.units, cycles))
    if (used >= kVisiblePressure)
      uses.push_back({unitName(unit), used});
  return uses;
}

std::vector<wire::Wait> waitsOf(const mca::Report &report, const mca::InstructionWaits &waits) {
  std::vector<wire::Wait> result;
  for (const mca::WaitReason &reason : waits.reasons) {
    if (double(reason.cycles) / report.summary.iterations < kVisibleWait)
      break; // reasons are sorted: most cycles first
    result.push_back(waitOf(reason, report, report.summary.iterations));
  }
  return result;
}

/// The cache may hold more than is wanted: another job asked for it. A result must not depend on that.
const mca::Waits *waitsOf(const ReportCache::CachedSimulation &known, Detail detail) {
  return detail.waits && known.waits ? &*known.waits : nullptr;
}

/// For each instruction those whose results it reads, each once although several registers may link the two.
std::vector<std::vector<uint32_t>> needsOf(size_t instructions, std::span<const mca::DataLink> links) {
  std::vector<std::vector<uint32_t>> needs(instructions);
  for (const mca::DataLink &link : links)
    needs[link.to].push_back(link.from);
  for (std::vector<uint32_t> &producers : needs) {
    llvm::sort(producers);
    producers.erase(llvm::unique(producers), producers.end());
  }
  return needs;
}

std::vector<wire::InstructionDetails> bodyOf(const mca::Report &report, const mca::Waits *waits,
                                             std::span<const mca::DataLink> links) {
  std::vector<wire::InstructionDetails> body(report.instructions.size());
  std::vector<std::vector<uint32_t>> needs = needsOf(body.size(), links);
  const size_t units = report.pressure.units.size();
  const std::span<const double> allUses = report.pressure.byInstruction;
  for (size_t i = 0; i < body.size(); ++i) {
    const mca::InstructionInfo &info = report.instructions[i];
    body[i] = {.text = flatText(info.text),
               .microOps = info.microOps,
               .latency = info.effectiveLatency,
               .reciprocalThroughput = info.reciprocalThroughput,
               .pressure = visibleUses(report.pressure, allUses.subspan(i * units, units)),
               .waits = waits ? waitsOf(report, waits->instructions[i]) : std::vector<wire::Wait>(),
               .needs = std::move(needs[i]),
               .loads = info.mayLoad};
  }
  return body;
}

/// Whether an instance was not simulated to its end.
bool isNotWhole(const mca::TimelineEntry &entry) {
  return entry.dispatched < 0 || entry.truncated();
}

/// Whole iterations as far as there is room, at least a part of the first one, up to the first instance that was not
/// simulated to its end.
void addTimeline(const mca::Report &report, wire::Simulation &result) {
  const mca::Timeline &timeline = *report.timeline;
  const size_t count = timeline.waits.size();
  const size_t iterations = std::clamp<size_t>(count ? wire::kTimelineRows / count : 1, 1, timeline.iterations);
  std::span<const mca::TimelineEntry> entries = timeline.entries;
  entries = entries.first(std::min({iterations * count, wire::kTimelineRows, entries.size()}));
  entries = entries.first(static_cast<size_t>(std::ranges::find_if(entries, isNotWhole) - entries.begin()));
  int64_t lastCycle = 0;
  for (const mca::TimelineEntry &entry : entries)
    lastCycle = std::max(lastCycle, entry.retired);
  for (size_t i = 0; i < entries.size(); ++i)
    result.timeline.push_back({.iteration = static_cast<uint32_t>(i / count),
                               .instruction = static_cast<uint32_t>(i % count),
                               .cells = mca::timelineCells(entries[i], static_cast<uint64_t>(lastCycle)),
                               .text = flatText(report.instructions[i % count].text)});
  result.timelineCycles = static_cast<uint32_t>(lastCycle + 1);
}

} // namespace

std::vector<wire::ResourceUse> pressureOf(const mca::ResourcePressure &pressure) {
  return visibleUses(pressure, pressure.perIteration);
}

std::vector<wire::ChainLink> chainOf(const mca::DataflowLimit &limit) {
  std::vector<wire::ChainLink> chain;
  for (const mca::DataLink &link : limit.chain)
    chain.push_back({link.from, link.isMemory ? "memory" : link.name, link.cycles, link.iterations});
  return chain;
}

bool loadsAndStores(const mca::Report &report) {
  return std::ranges::any_of(report.instructions, &mca::InstructionInfo::mayLoad) &&
         std::ranges::any_of(report.instructions, &mca::InstructionInfo::mayStore);
}

wire::CpuSummary summaryOf(const OtherCpu &other) {
  if (!other.summary)
    return {.cpu = other.cpu, .remark = other.remark, .simulated = false};
  return {.cpu = other.cpu,
          .cycles = other.summary->cyclesPerIteration(),
          .ipc = other.summary->steadyIpc(),
          .remark = other.remark,
          .isLowerBound = other.leftOut.has_value()};
}

Evidence evidenceOf(const ReportCache::CachedSimulation &known, Detail detail, bool inOrder) {
  const mca::Waits *waits = waitsOf(known, detail);
  return {.report = (*known.simulation).report,
          .limit = &known.limit,
          .dispatch = known.dispatch,
          .waits = waits,
          .links = detail.instructions ? known.links : std::span<const mca::DataLink>(),
          .roomy = waits && known.roomy ? &*known.roomy : nullptr,
          .inOrder = inOrder && !(*known.simulation).report.calibrated};
}

namespace {

/// What single limits of the CPU allow at least, the highest first.
std::vector<wire::ResourceUse> boundsOf(const ReportCache::CachedSimulation &known) {
  std::vector<wire::ResourceUse> bounds{{"slots", known.dispatch.cyclesPerIteration()}};
  llvm::append_range(bounds, pressureOf((*known.simulation).report.pressure));
  llvm::erase_if(bounds, [](const wire::ResourceUse &bound) { return bound.perIteration <= 0; });
  llvm::stable_sort(bounds, [](const auto &a, const auto &b) { return a.perIteration > b.perIteration; });
  bounds.resize(std::min(bounds.size(), wire::kMostBounds));
  return bounds;
}

} // namespace

wire::Simulation describe(const ReportCache::CachedSimulation &known, Detail detail, bool inOrder) {
  const mca::Report &report = (*known.simulation).report;
  const mca::Summary &summary = report.summary;
  wire::Simulation result{.instructions = static_cast<uint32_t>(report.instructions.size()),
                          .cyclesPerIteration = summary.cyclesPerIteration(),
                          .ipc = summary.steadyIpc(),
                          .iterations = summary.iterations,
                          .cycles = summary.cycles,
                          .microOps = summary.microOps,
                          .dispatchWidth = summary.dispatchWidth,
                          .averageIpc = summary.ipc(),
                          .averageMicroOpsPerCycle = summary.microOpsPerCycle(),
                          .blockReciprocalThroughput = summary.blockReciprocalThroughput,
                          .pressure = pressureOf(report.pressure),
                          .loadsAndStores = loadsAndStores(report),
                          .operandLoads = (*known.simulation).operandLoads};
  const mca::Waits *waits = waitsOf(known, detail);
  result.verdict = judge(evidenceOf(known, detail, inOrder));
  if (detail.memory && known.ordered)
    result.orderedCycles = known.ordered->cyclesPerIteration();
  if (report.timeline)
    addTimeline(report, result);
  if (known.model)
    result.calibrated = {.llvmCycles = known.model->cyclesPerIteration(),
                         .llvmIpc = known.model->steadyIpc(),
                         .fromLlvm = report.calibrated->fromLlvm,
                         .bounds = boundsOf(known),
                         .unalignedCycles =
                             detail.memory && known.unaligned ? known.unaligned->cyclesPerIteration() : 0};
  if (known.uncorrected)
    result.uncorrectedCycles = known.uncorrected->cyclesPerIteration();
  if (!detail.instructions)
    return result;
  result.body = bodyOf(report, waits, known.links);
  result.chainCycles = known.limit.cyclesPerIteration;
  result.chain = chainOf(known.limit);
  return result;
}

} // namespace analysis
