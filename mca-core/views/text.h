// Reports as text, byte for byte as llvm-mca 22.1 prints them, followed by our own views. Each larger view has a file
// of its own, text_VIEW.cpp.
#pragma once

#include "mca-core/report/report.h"

namespace llvm {
class raw_ostream;
}

namespace mca {

// Each view below needs the part of the report that it prints; printReport() checks that it is there. Their text is
// llvm-mca's, misprints included.

/// llvm-mca's averages are those of the whole run, so a short loop's IPC includes the start and the end.
void printSummary(llvm::raw_ostream &out, const Report &report);
void printBottlenecks(llvm::raw_ostream &out, const Report &report);
/// The optional columns of the instruction info.
struct InstructionColumns {
  bool barriers = false;
  bool encodings = false;
  bool scheduling = false; ///< needs a report made with SimulationOptions::schedulingDetails
};
void printInstructionInfo(llvm::raw_ostream &out, const Report &report, const InstructionColumns &wanted = {});
void printResourcePressure(llvm::raw_ostream &out, const Report &report);
void printTimeline(llvm::raw_ostream &out, const Report &report);

// The hardware statistics, in llvm-mca's order.
void printDispatchStatistics(llvm::raw_ostream &out, const DispatchStatistics &statistics);
void printSchedulerStatistics(llvm::raw_ostream &out, const SchedulerStatistics &statistics);
void printRetireStatistics(llvm::raw_ostream &out, const RetireStatistics &statistics);
void printRegisterFileStatistics(llvm::raw_ostream &out, const RegisterFileStatistics &statistics);

/// Our own view. Needs a report made with SimulationOptions::waitReasons.
void printWaitReasons(llvm::raw_ostream &out, const Report &report);
/// Returns a reason in plain words, for example "for eax from [2] imull".
std::string describeWait(const Report &report, const WaitReason &reason);

/// Selects views. Those that cost simulation time are printed if the report contains them.
struct ViewSelection {
  bool summary = true;
  bool instructionInfo = true;
  bool pressure = true;
  InstructionColumns columns;
};

/// Prints the selected views in llvm-mca's order, then our own.
void printReport(llvm::raw_ostream &out, const Report &report, const ViewSelection &views);

/// Returns the cells of a timeline row: D dispatched, = waiting, e executing, E executed, - waiting to retire, R
/// retired; one character per cycle, from cycle 0 to `lastCycle`.
std::string timelineCells(const TimelineEntry &entry, uint64_t lastCycle);

/// Rounds a number like llvm-mca: half up, to `decimals` places (1 or 2).
std::string formatRounded(double value, int decimals);

} // namespace mca
