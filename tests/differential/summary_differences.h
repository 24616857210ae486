// A region's numbers as the editor gets them against llvm-mca's report of the same instructions.
#pragma once

#include "tests/differential/llvm_report.h"
#include "tests/shown.h"

#include <string>

namespace differential {

/// What differs, a line each: "Total Cycles: llvm-mca 104, ours 103". Empty when nothing does. Numbers are compared as
/// llvm-mca prints them: instructions, cycles, micro-ops, throughputs and the pressure on each unit.
std::string summaryDifferences(const analysis::ShownRegion &ours, const LlvmRegion &llvm);

} // namespace differential
