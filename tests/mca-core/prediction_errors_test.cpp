// The numbers of a calibration's `check` lines, against ones that were computed by hand.
#include "mca-core/calibration/prediction_errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace mca;

TEST(PredictionErrors, MeanAndMedianAreOfTheSizesOfTheErrors) {
  const std::vector<PredictedBlock> blocks{{1, 1.5}, {2, 1}, {4, 4}};
  const CalibrationCheck::Errors errors = judgePredictions(blocks);
  EXPECT_DOUBLE_EQ(errors.mean, 1. / 3);
  EXPECT_DOUBLE_EQ(errors.median, .5);
  const std::vector<PredictedBlock> two{{1, 1.5}, {2, 2.2}};
  EXPECT_DOUBLE_EQ(judgePredictions(two).median, .3);
}

TEST(PredictionErrors, TauIsOneForTheSameOrderAndMinusOneForTheOpposite) {
  const std::vector<PredictedBlock> same{{1, 10}, {2, 20}, {3, 21}}, opposite{{1, 3}, {2, 2}, {3, 1}};
  EXPECT_DOUBLE_EQ(judgePredictions(same).tau, 1);
  EXPECT_DOUBLE_EQ(judgePredictions(opposite).tau, -1);
}

// Pairs: of (1, 1), (2, 2), (3, 2), (4, 1) two agree and two do not; none is tied in what was measured, two of six in
// what was predicted.
TEST(PredictionErrors, TauCountsTies) {
  const std::vector<PredictedBlock> half{{1, 1}, {2, 2}, {3, 2}, {4, 1}};
  EXPECT_DOUBLE_EQ(judgePredictions(half).tau, 0);
  // (1, 1), (2, 1), (3, 2): two pairs agree, one is tied.
  const std::vector<PredictedBlock> tied{{1, 1}, {2, 1}, {3, 2}};
  EXPECT_DOUBLE_EQ(judgePredictions(tied).tau, 2 / std::sqrt(3. * 2));
}

TEST(PredictionErrors, LessThanAHundredthOfACycleIsNoDifference) {
  const std::vector<PredictedBlock> close{{1, 2}, {1.004, 1}, {2, 3}};
  EXPECT_DOUBLE_EQ(judgePredictions(close).tau, 2 / std::sqrt(2. * 3));
}

TEST(PredictionErrors, OfNothingAreZero) {
  EXPECT_EQ(judgePredictions({}), CalibrationCheck::Errors());
  const std::vector<PredictedBlock> one{{2, 1}}, equal{{1, 1}, {1, 1}};
  EXPECT_EQ(judgePredictions(one).tau, 0);
  EXPECT_EQ(judgePredictions(equal).tau, 0);
}

} // namespace
