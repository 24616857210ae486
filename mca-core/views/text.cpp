// The summary view, and the order of all views.
#include "mca-core/views/text.h"

#include "llvm/Support/raw_ostream.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace mca {

std::string formatRounded(double value, int decimals) {
  const double scale = decimals == 1 ? 10 : 100;
  // Tables consist of such numbers, and to_chars is faster than printf. The buffer holds the largest double.
  std::array<char, std::numeric_limits<double>::max_exponent10 + 8> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), std::floor(value * scale + 0.5) / scale,
                                 std::chars_format::fixed, decimals);
  return {text.data(), end.ptr};
}

void printSummary(llvm::raw_ostream &out, const Report &report) {
  const Summary &summary = report.summary;
  out << "Iterations:        " << summary.iterations << "\nInstructions:      " << summary.instructions
      << "\nTotal Cycles:      " << summary.cycles << "\nTotal uOps:        " << summary.microOps
      << "\n\nDispatch Width:    " << summary.dispatchWidth
      << "\nuOps Per Cycle:    " << formatRounded(summary.microOpsPerCycle(), 2)
      << "\nIPC:               " << formatRounded(summary.ipc(), 2)
      << "\nBlock RThroughput: " << formatRounded(summary.blockReciprocalThroughput, 1) << '\n';
}

/// The order is that in which llvm-mca adds its views to a region's pipeline.
void printReport(llvm::raw_ostream &out, const Report &report, const ViewSelection &views) {
  if (views.summary)
    printSummary(out, report);
  if (report.bottlenecks)
    printBottlenecks(out, report);
  if (views.instructionInfo)
    printInstructionInfo(out, report, views.columns);
  if (report.dispatch)
    printDispatchStatistics(out, *report.dispatch);
  if (report.schedulers)
    printSchedulerStatistics(out, *report.schedulers);
  if (report.retirement)
    printRetireStatistics(out, *report.retirement);
  if (report.registerFiles)
    printRegisterFileStatistics(out, *report.registerFiles);
  if (views.pressure)
    printResourcePressure(out, report);
  if (report.timeline)
    printTimeline(out, report);
  if (report.waits)
    printWaitReasons(out, report);
}

} // namespace mca
