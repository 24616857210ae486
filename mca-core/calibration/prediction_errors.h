// How far predictions are from measurements: the numbers of a calibration's `check` lines.
#pragma once

#include "mca-core/calibration/calibration.h"

#include <span>

namespace mca {

/// Cycles of one block.
struct PredictedBlock {
  double measured = 0; ///< above 0
  double predicted = 0;
};

/// Mean and median of |predicted − measured| / measured, and Kendall's rank correlation with ties (tau-b): how often
/// the faster one of two blocks is predicted to be faster. Cycles that differ by less than a hundredth are equal for
/// the rank, since a clock does not show more; tau is 0 if all are equal. Zeros for no blocks.
CalibrationCheck::Errors judgePredictions(std::span<const PredictedBlock> blocks);

} // namespace mca
