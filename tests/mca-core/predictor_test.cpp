// Each predictor learns what its kind can learn, and not more.
#include "mca-core/trace/branch_history.h"
#include "mca-core/trace/predictor.h"

#include <array>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace mca {
namespace {

using Outcomes = std::vector<bool>;

constexpr BranchSite kData = {.instruction = 7}, kLoop = {.instruction = 9, .isBackward = true};

Outcomes randomOutcomes(size_t count, double takenShare, unsigned seed) {
  std::mt19937 random(seed);
  Outcomes outcomes(count);
  for (size_t i = 0; i < count; ++i)
    outcomes[i] = random() < takenShare * 4294967296.0;
  return outcomes;
}

/// Mispredictions per 1000 executions of a branch in a loop, in the second half of `iterations`. The branch repeats
/// `outcomes`; the loop goes on.
double rateInLoop(PredictorKind kind, const Outcomes &outcomes, size_t iterations,
                  std::optional<uint32_t> learntPeriod = {}) {
  const auto predictor = createPredictor(kind, {}, learntPeriod);
  size_t wrong = 0;
  for (size_t i = 0; i < iterations; ++i) {
    const bool missed = predictor->mispredictsDirection(kData, outcomes[i % outcomes.size()]);
    predictor->mispredictsDirection(kLoop, true);
    wrong += missed && i >= iterations / 2;
  }
  return 2000.0 * static_cast<double>(wrong) / static_cast<double>(iterations);
}

/// The same for an indirect jump.
double targetRate(PredictorKind kind, const std::vector<uint32_t> &targets, size_t executions) {
  const auto predictor = createPredictor(kind);
  size_t wrong = 0;
  for (size_t i = 0; i < executions; ++i) {
    const bool missed = predictor->mispredictsTarget(kData, targets[i % targets.size()]);
    wrong += missed && i >= executions / 2;
  }
  return 2000.0 * static_cast<double>(wrong) / static_cast<double>(executions);
}

std::vector<uint32_t> randomTargets(size_t count, uint32_t different, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> targets(count);
  for (uint32_t &target : targets)
    target = 100 + 7 * (random() % different);
  return targets;
}

TEST(BranchHistory, FingerprintsAreThoseOfTheLatestOutcomes) {
  constexpr std::array<uint32_t, 4> kLengths = {4, 31, 62, 1000};
  const Outcomes outcomes = randomOutcomes(4000, .5, 1);
  BranchHistory<4> whole(kLengths);
  for (const bool outcome : outcomes)
    whole.push(outcome);
  for (unsigned i = 0; i < kLengths.size(); ++i) {
    BranchHistory<4> latest(kLengths), changed(kLengths);
    for (size_t at = outcomes.size() - kLengths[i]; at < outcomes.size(); ++at)
      latest.push(outcomes[at]);
    EXPECT_EQ(latest.fingerprints()[i], whole.fingerprints()[i]) << kLengths[i];
    for (size_t at = outcomes.size() - kLengths[i]; at < outcomes.size(); ++at)
      changed.push(outcomes[at] != (at == outcomes.size() - kLengths[i]));
    EXPECT_NE(changed.fingerprints()[i], whole.fingerprints()[i]) << "the oldest outcome counts";
  }
}

TEST(Predictor, TageLearnsLongPeriods) {
  for (const size_t period : {3u, 16u, 100u, 512u, 1024u, 2048u, 3000u, 4096u})
    for (const unsigned seed : {1u, 2u, 3u, 4u})
      EXPECT_LT(rateInLoop(PredictorKind::Tage, randomOutcomes(period, .5, seed), 32 * period + 4096), 20)
          << period << " " << seed;
}

TEST(Predictor, TageIsAsLargeAsTheLearntPeriodNeeds) {
  for (const uint32_t period : {64u, 512u, 1024u, 2048u, 4096u, 8192u, 16384u, 32768u})
    EXPECT_LT(rateInLoop(PredictorKind::Tage, randomOutcomes(period, .5, 1), 32 * period, period), 50) << period;
  for (const uint32_t period : {512u, 2048u, 8192u, 32768u})
    EXPECT_GT(rateInLoop(PredictorKind::Tage, randomOutcomes(2 * period, .5, 1), 64 * period, period), 100) << period;
}

TEST(Predictor, BimodalAndGshareDoNotLearnLongPeriods) {
  for (const size_t period : {1024u, 2048u, 4096u})
    for (const unsigned seed : {1u, 2u, 3u}) {
      const Outcomes outcomes = randomOutcomes(period, .5, seed);
      EXPECT_GT(rateInLoop(PredictorKind::Bimodal, outcomes, 32 * period), 400) << period << " " << seed;
      EXPECT_GT(rateInLoop(PredictorKind::Gshare, outcomes, 32 * period), 200) << period << " " << seed;
    }
  EXPECT_LT(rateInLoop(PredictorKind::Gshare, randomOutcomes(16, .5, 1), 10000), 5) << "but gshare learns short ones";
}

TEST(Predictor, TageForgetsWhatIsLongerThanItsTables) {
  EXPECT_GT(rateInLoop(PredictorKind::Tage, randomOutcomes(1 << 16, .5, 1), 1 << 19), 100);
}

TEST(Predictor, RandomDataIsPredictedAsOftenAsItIsBiased) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Outcomes even = randomOutcomes(1 << 18, .5, seed), biased = randomOutcomes(1 << 18, .9, seed);
    for (const PredictorKind kind : {PredictorKind::Bimodal, PredictorKind::Gshare, PredictorKind::Tage}) {
      EXPECT_NEAR(rateInLoop(kind, even, even.size()), 500, 10) << nameOf(kind);
      // No predictor is better than 100; a counter of two bits makes it 110.
      EXPECT_NEAR(rateInLoop(kind, biased, biased.size()), 106, 10) << nameOf(kind);
    }
  }
}

TEST(Predictor, LoopExits) {
  Outcomes trips(50, true);
  trips.back() = false;
  EXPECT_EQ(rateInLoop(PredictorKind::Tage, trips, 20000), 0);
  EXPECT_NEAR(rateInLoop(PredictorKind::Bimodal, trips, 20000), 20, .1) << "once per loop";
}

TEST(Predictor, BranchesThatDependOnEachOther) {
  const Outcomes data = randomOutcomes(20000, .5, 1);
  const auto tage = createPredictor(PredictorKind::Tage), bimodal = createPredictor(PredictorKind::Bimodal);
  size_t wrong = 0, wrongBimodal = 0;
  for (size_t i = 0; i < data.size(); ++i) {
    tage->mispredictsDirection(kData, data[i]);
    const bool second = !data[i];
    wrong += tage->mispredictsDirection(kLoop, second) && i >= data.size() / 2;
    wrongBimodal += bimodal->mispredictsDirection(kLoop, second) && i >= data.size() / 2;
  }
  EXPECT_LT(wrong, 50u);
  EXPECT_GT(wrongBimodal, 4000u);
}

TEST(Predictor, ManyBranchesDoNotDisturbEachOther) {
  const auto tage = createPredictor(PredictorKind::Tage);
  size_t wrong = 0;
  for (uint32_t round = 0; round < 200; ++round)
    for (uint32_t branch = 0; branch < 1000; ++branch) {
      const bool missed = tage->mispredictsDirection({.instruction = 3 * branch}, branch % 3 == 0);
      wrong += missed && round >= 100;
    }
  EXPECT_LT(wrong, 100u) << "of 100,000";
}

TEST(Predictor, PeriodicTargetsAreLearned) {
  for (const size_t period : {2u, 7u, 50u, 300u})
    for (const unsigned seed : {1u, 2u, 3u}) {
      const std::vector<uint32_t> targets = randomTargets(period, 6, seed);
      EXPECT_LT(targetRate(PredictorKind::Tage, targets, 40 * period + 2000), 20) << period << " " << seed;
      EXPECT_LT(targetRate(PredictorKind::Gshare, targets, 40 * period + 2000), 20) << period << " " << seed;
    }
  EXPECT_GT(targetRate(PredictorKind::Bimodal, randomTargets(300, 6, 1), 12000), 700) << "the last target alone";
  EXPECT_NEAR(targetRate(PredictorKind::Tage, randomTargets(1 << 16, 6, 1), 1 << 16), 833, 15) << "five of six";
}

TEST(Predictor, TargetsThatFollowFromConditions) {
  const Outcomes data = randomOutcomes(20000, .5, 5);
  const auto tage = createPredictor(PredictorKind::Tage);
  size_t wrong = 0;
  for (size_t i = 0; i < data.size(); ++i) {
    tage->mispredictsDirection(kData, data[i]);
    wrong += tage->mispredictsTarget({.instruction = 20}, data[i] ? 30 : 40) && i >= data.size() / 2;
  }
  EXPECT_LT(wrong, 50u);
}

TEST(Predictor, StaticKnowsTheDirectionOnly) {
  const auto predictor = createPredictor(PredictorKind::Static);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(predictor->mispredictsDirection({.isBackward = true}, true));
    EXPECT_TRUE(predictor->mispredictsDirection({.isBackward = true}, false));
    EXPECT_TRUE(predictor->mispredictsDirection({.isBackward = false}, true));
    EXPECT_FALSE(predictor->mispredictsDirection({.isBackward = false}, false));
  }
  EXPECT_TRUE(predictor->mispredictsTarget(kData, 3));
  EXPECT_FALSE(predictor->mispredictsTarget(kData, 3));
  EXPECT_TRUE(predictor->mispredictsTarget(kData, 4));
}

TEST(Predictor, Bounds) {
  const auto perfect = createPredictor(PredictorKind::Perfect), none = createPredictor(PredictorKind::None);
  for (const bool taken : randomOutcomes(100, .5, 1)) {
    EXPECT_FALSE(perfect->mispredictsDirection(kData, taken));
    EXPECT_TRUE(none->mispredictsDirection(kData, taken));
    EXPECT_FALSE(perfect->mispredictsTarget(kData, taken));
    EXPECT_TRUE(none->mispredictsTarget(kData, taken));
  }
}

TEST(Predictor, MeasuredCountsAreExact) {
  for (const auto [wrong, executions] : {std::pair(0, 10), {1, 10}, {3, 7}, {10, 10}, {660, 2700}, {1, 1}, {5, 1000}}) {
    const MeasuredBranch measured{
        .instruction = 7, .executions = uint64_t(executions), .mispredictions = uint64_t(wrong)};
    const auto predictor = createPredictor(PredictorKind::Measured, std::span(&measured, 1));
    for (int round = 1; round <= 3; ++round) {
      int count = 0;
      for (int i = 0; i < executions; ++i) {
        count += predictor->mispredictsDirection(kData, true);
        EXPECT_NEAR(count, double(wrong) * (i + 1) / executions, 1) << "evenly distributed";
      }
      EXPECT_EQ(count, wrong) << executions;
    }
    EXPECT_FALSE(predictor->mispredictsDirection({.instruction = 8}, true)) << "not measured";
  }
}

TEST(Predictor, MeasurementsThatMakeNoSense) {
  const std::vector<MeasuredBranch> measured = {{7, 0, 5}, {8, 10, 20}, {9, 1ull << 40, 1ull << 40}};
  const auto predictor = createPredictor(PredictorKind::Measured, measured);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(predictor->mispredictsTarget({.instruction = 7}, 1)) << "never executed";
    EXPECT_TRUE(predictor->mispredictsTarget({.instruction = 8}, 1)) << "at most each one is wrong";
    EXPECT_TRUE(predictor->mispredictsDirection({.instruction = 9}, false));
  }
}

TEST(Predictor, IsDeterministic) {
  const Outcomes outcomes = randomOutcomes(50000, .6, 9);
  for (const PredictorKind kind : {PredictorKind::Static, PredictorKind::Bimodal, PredictorKind::Gshare,
                                   PredictorKind::Tage, PredictorKind::Measured}) {
    const MeasuredBranch measured{.instruction = 7, .executions = 9, .mispredictions = 2};
    const auto first = createPredictor(kind, std::span(&measured, 1));
    const auto second = createPredictor(kind, std::span(&measured, 1));
    for (size_t i = 0; i < outcomes.size(); ++i) {
      ASSERT_EQ(first->mispredictsDirection(kData, outcomes[i]), second->mispredictsDirection(kData, outcomes[i]));
      ASSERT_EQ(first->mispredictsTarget(kLoop, i % 5), second->mispredictsTarget(kLoop, i % 5));
    }
  }
}

TEST(Predictor, NamesAndSizes) {
  for (const std::string name : {"perfect", "static", "bimodal", "gshare", "tage", "measured", "none"}) {
    const auto kind = predictorNamed(name);
    ASSERT_TRUE(kind) << name;
    EXPECT_EQ(nameOf(*kind), name);
    EXPECT_EQ(createPredictor(*kind)->name(), name);
  }
  EXPECT_FALSE(predictorNamed("TAGE"));
  EXPECT_FALSE(predictorNamed(""));
  EXPECT_EQ(createPredictor(PredictorKind::None)->storageBits(), 0u);
  EXPECT_GT(createPredictor(PredictorKind::Bimodal)->storageBits(), 1u << 15);
  EXPECT_GT(createPredictor(PredictorKind::Gshare)->storageBits(), 1u << 15);
  // 12 K tagged entries of 17 bits, and the tables beside them.
  EXPECT_NEAR(double(createPredictor(PredictorKind::Tage)->storageBits()), 40 * 8192, 2 * 8192);
}

} // namespace
} // namespace mca
