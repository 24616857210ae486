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
/// The drawing alone, without the table of waits, of the first `iterations` iterations.
void printTimelineRows(llvm::raw_ostream &out, const Report &report, uint32_t iterations);

/// A number as llvm-mca rounds it: half up, to `decimals` places (1 or 2).
std::string formatRounded(double value, int decimals);

} // namespace mca
