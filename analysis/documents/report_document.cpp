// All views of the simulator, for all regions of one hint. They are simulated again: analyses run without most views,
// which would cost each keystroke their time.
#include "analysis/documents/document.h"

#include "analysis/regions/caveats.h"
#include "mca-core/views/calibrated.h"
#include "mca-core/views/text.h"

#include "llvm/Support/raw_ostream.h"

namespace analysis {
namespace {

/// In instructions. The wait reasons and timeline of a longer region would not fit into the document (5,000 lines).
constexpr size_t kMaxInDetail = 2000;

/// Bottlenecks are recorded on in-order CPUs as well, where llvm-mca reports very little.
mca::SimulationOptions everyView(const SimulatedRegion &shown) {
  const size_t instructions = shown.region->instructions.size();
  mca::SimulationOptions options;
  options.calibration = shown.calibration;
  options.corrections = shown.corrections();
  options.rate = options.calibration != nullptr; // which llvm-mca's views lack
  options.callLatency = kCallLatency;
  options.sameOperands = true;
  options.iterations = shown.report().summary.iterations;
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

} // namespace

void makeReport(const DocumentSources &sources, wire::View &view) {
  for (const uint32_t number : regionsAt(sources, view.request.offset)) {
    const SimulatedRegion &shown = sources.regions[number];
    wire::RegionViews &region = view.reports.emplace_back(wire::RegionViews{.region = number});
    const mca::Result<mca::Simulation> simulation =
        sources.simulator->simulate(*sources.program, shown.region->instructions, everyView(shown));
    if (!simulation) {
      region.failure = simulation.message();
      continue;
    }
    llvm::raw_string_ostream stream(region.text);
    mca::printReport(stream, (*simulation).report, {});
    if (shown.calibration)
      mca::printCalibration(stream, (*simulation).report, *shown.calibration);
  }
}

} // namespace analysis
