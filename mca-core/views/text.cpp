#include "mca-core/views/text.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace mca {

std::string formatRounded(double value, int decimals) {
  const double scale = decimals == 1 ? 10 : 100;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(decimals == 1 ? "%.1f" : "%.2f",
                                                 std::floor(value * scale + 0.5) / scale);
  return text;
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
