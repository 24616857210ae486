// The first field in which two reports differ, in words.
#pragma once

#include "mca-core/report/simulator.h"

#include <string>

namespace mca::reference {

/// Compares every field of every part, doubles exactly. Empty when the reports are equal; otherwise the path to the
/// field with the names of what stands there, and both values: "timeline, iteration 2, instruction 1 (addl …), issued:
/// 14, the reference has 13".
std::string firstDifference(const Report &ours, const Report &reference);

/// The same for what simulate() gives: failures, positions and skipped instructions included.
std::string firstDifference(const Result<Simulation> &ours, const Result<Simulation> &reference);

} // namespace mca::reference
