// Reports as text, byte for byte as llvm-mca 22.1 prints them, and the views that it does not have behind them. Each
// view has its own file, text_VIEW.cpp.
#pragma once

#include "mca-core/report/report.h"

namespace llvm {
class raw_ostream;
}

namespace mca {

void printSummary(llvm::raw_ostream &out, const Report &report);
void printBottlenecks(llvm::raw_ostream &out, const Report &report);
/// The columns of the instruction info beyond those that are always there.
struct InstructionColumns {
  bool barriers = false;
  bool encodings = false;
  bool scheduling = false; ///< needs a report made with SimulationOptions::schedulingDetails
};
void printInstructionInfo(llvm::raw_ostream &out, const Report &report, const InstructionColumns &wanted = {});
void printResourcePressure(llvm::raw_ostream &out, const Report &report);
void printTimeline(llvm::raw_ostream &out, const Report &report);
void printDispatchStatistics(llvm::raw_ostream &out, const DispatchStatistics &statistics);
void printSchedulerStatistics(llvm::raw_ostream &out, const SchedulerStatistics &statistics);
void printRetireStatistics(llvm::raw_ostream &out, const RetireStatistics &statistics);
void printRegisterFileStatistics(llvm::raw_ostream &out, const RegisterFileStatistics &statistics);
/// Needs a report made with SimulationOptions::waitReasons.
void printWaitReasons(llvm::raw_ostream &out, const Report &report);
/// A reason in plain words: "for eax from [2] imull".
std::string describeWait(const Report &report, const WaitReason &reason);

/// Which views a report is printed with. Those that cost the simulator something are printed when the report has them.
struct ViewSelection {
  bool summary = true;
  bool instructionInfo = true;
  bool pressure = true;
  InstructionColumns columns;
};

/// All selected views in llvm-mca's order, then those that it does not have.
void printReport(llvm::raw_ostream &out, const Report &report, const ViewSelection &views);

/// One row's drawing: D dispatched, = waiting, e executing, E executed, - waiting to retire, R retired. One character a
/// cycle, from cycle 0 to `lastCycle`.
std::string timelineCells(const TimelineEntry &entry, uint64_t lastCycle);

/// A number as llvm-mca rounds it: half up, to `decimals` places (1 or 2).
std::string formatRounded(double value, int decimals);

} // namespace mca
