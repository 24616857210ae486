// Every view of the simulator, for all regions of one line of the buffer, one behind the other.
#include "analysis/documents/document.h"

#include "analysis/common/counts.h"
#include "analysis/regions/caveats.h"
#include "analysis/wording/region_text.h"
#include "analysis/wording/verdict_text.h"
#include "mca-core/views/text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace analysis {
namespace {

/// Wait reasons and the timeline of a longer region are longer than any document.
constexpr size_t kMaxInDetail = 2000;

mca::SimulationOptions everyView(uint32_t iterations, size_t instructions) {
  mca::SimulationOptions options;
  options.callLatency = kCallLatency;
  options.iterations = iterations;
  options.bottlenecks = true;
  options.inOrderBottlenecks = true;
  options.dispatchStatistics = true;
  options.schedulerStatistics = true;
  options.retireStatistics = true;
  options.registerFileStatistics = true;
  options.timeline = instructions <= kMaxInDetail;
  options.waitReasons = instructions <= kMaxInDetail;
  return options;
}

void writeHeader(const DocumentSources &sources, uint32_t line, size_t regions, DocumentWriter &out) {
  const wire::TargetSummary &target = sources.summary.target;
  out.line(llvm::sys::path::filename(sources.path).str() + ", line " + std::to_string(line + 1) + ": " +
               counted(regions, "region"),
           line);
  out.line("CPU: " + target.cpu + " (" + target.cpuOrigin + ")");
  out.line("Scheduling model: " + target.modelOrigin);
  out.line("Target: " + target.triple + (target.features.empty() ? "" : ", " + target.features));
  if (!target.commandOrigin.empty())
    out.line("Compile command: " + target.commandOrigin);
}

void writeRegion(const DocumentSources &sources, const DocumentSources::Shown &shown, DocumentWriter &out) {
  const Region &region = *shown.region;
  out.line("");
  out.line("==== " + (shown.summary->name.empty() ? "region" : shown.summary->name) + " ====",
           sources.lines.lineOf(region.anchor));
  if (const std::string bottleneck = bottleneckOf(*shown.summary); !bottleneck.empty())
    out.line(bottleneck);
  if (!region.calls.empty())
    out.line(lowerBoundInWords(region.calls));
  for (const std::string &caveat : shown.summary->caveats)
    out.line("≈ " + caveat);
  out.line("");
  const mca::Result<mca::Simulation> simulation = sources.simulator->simulate(
      *sources.program, region.instructions, everyView(shown.summary->iterations, region.instructions.size()));
  if (!simulation)
    return out.line("it cannot be simulated: " + simulation.message());
  std::string views;
  llvm::raw_string_ostream stream(views);
  mca::printReport(stream, (*simulation).report, {});
  out.lines(views);
}

} // namespace

void writeReport(const DocumentSources &sources, uint32_t offset, DocumentWriter &out) {
  const std::vector<DocumentSources::Shown> shown = regionsAt(sources, offset);
  const uint32_t line =
      shown.empty() ? sources.lines.lineOf(offset) : sources.lines.lineOf(shown.front().region->anchor);
  writeHeader(sources, line, shown.size(), out);
  if (shown.empty())
    out.line("No region that was simulated stands on this line or around it.");
  for (const DocumentSources::Shown &region : shown)
    if (!out.full())
      writeRegion(sources, region, out);
}

} // namespace analysis
