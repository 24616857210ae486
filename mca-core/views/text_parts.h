// The parts that the views of a loop and those of a trace's window have in common.
#pragma once

#include "mca-core/report/report.h"

#include <cstdint>
#include <span>
#include <string>

namespace llvm {
class formatted_raw_ostream;
class raw_ostream;
} // namespace llvm

namespace mca {

/// Prints the numbers of the cycles above a timeline whose rows begin at `column`.
void printTimelineRuler(llvm::formatted_raw_ostream &out, uint64_t lastCycle, unsigned column);

/// Prints the averages below a timeline: `waits` are the sums over so many `executions`, both by instruction. Those
/// that were not executed are left out. `totalExecutions`: as printed in the last row.
void printAverageWaits(llvm::raw_ostream &out, const Report &report, std::span<const WaitTimes> waits,
                       std::span<const uint64_t> executions, uint64_t totalExecutions);

/// Prints the reasons of `report.waits`, in cycles per execution. By instruction: `executions`; those with none are
/// left out. `notes`: printed after the reasons; no notes, or one for each instruction, possibly empty.
void printWaitTable(llvm::raw_ostream &out, const Report &report, const std::string &heading,
                    std::span<const uint64_t> executions, std::span<const std::string> notes = {});
/// Returns the mean for the table.
std::string formatWait(uint64_t cycles, uint64_t executions);

} // namespace mca
