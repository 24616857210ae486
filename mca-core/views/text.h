// Reports as text, byte for byte as llvm-mca 22.1 prints them.
#pragma once

#include "mca-core/views/report.h"

namespace llvm {
class raw_ostream;
}

namespace mca {

void printSummary(llvm::raw_ostream &out, const Report &report);
void printBottlenecks(llvm::raw_ostream &out, const Report &report);
void printInstructionInfo(llvm::raw_ostream &out, const Report &report);
void printResourcePressure(llvm::raw_ostream &out, const Report &report);
void printTimeline(llvm::raw_ostream &out, const Report &report);
/// One row's drawing: D dispatched, = waiting, e executing, E executed, - waiting to retire, R retired. One character a
/// cycle, from cycle 0 to `lastCycle`.
std::string timelineCells(const TimelineEntry &entry, uint64_t lastCycle);

/// A number as llvm-mca rounds it: half up, to `decimals` places (1 or 2).
std::string formatRounded(double value, int decimals);

} // namespace mca
