#include "mca-core/calibration/prediction_errors.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace mca {
namespace {

double medianOf(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// -1, 0 or 1.
int compare(double a, double b) {
  const long difference = std::lround(a * 100) - std::lround(b * 100);
  return (difference > 0) - (difference < 0);
}

/// Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945.
double tauOf(std::span<const PredictedBlock> blocks) {
  double agreeing = 0, measured = 0, predicted = 0; // pairs; the latter two: that are not tied
  for (size_t i = 0; i < blocks.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const int one = compare(blocks[i].measured, blocks[j].measured);
      const int other = compare(blocks[i].predicted, blocks[j].predicted);
      agreeing += one * other;
      measured += one != 0;
      predicted += other != 0;
    }
  return measured > 0 && predicted > 0 ? agreeing / std::sqrt(measured * predicted) : 0;
}

} // namespace

CalibrationCheck::Errors judgePredictions(std::span<const PredictedBlock> blocks) {
  if (blocks.empty())
    return {};
  std::vector<double> errors;
  for (const PredictedBlock &block : blocks)
    errors.push_back(std::abs(block.predicted - block.measured) / block.measured);
  const double mean = std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
  return {.mean = mean, .median = medianOf(std::move(errors)), .tau = tauOf(blocks)};
}

} // namespace mca
