// The search for a repeated state, without a machine: whatever states agree in, a search stays cheap, and finds.
#include "mca-core/engine/steady_state.h"
#include "mca-core/target/target.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace {

/// Counts nothing.
struct NoEvents {
  struct Mark {};
  void mark(Mark &) const {}
};

std::unique_ptr<mca::Target> createTarget() {
  auto target = mca::Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = "znver4"});
  EXPECT_TRUE(target);
  return std::move(*target);
}

/// Searches for states of many equal words and a last one that tells them apart, all with the same fingerprint.
class EqualFingerprints : public ::testing::Test {
protected:
  static constexpr size_t kWords = 100;

  EqualFingerprints() {
    search_.reset({.steadyState = true, .rateSearchLimit = 1 << 20}, /*iterations=*/1 << 20);
    resources_.reset(mca::Body(), /*watched=*/false);
  }
  /// Returns the instances in the period that this state ends; 0 if it was not seen before.
  uint64_t visit(uint64_t state) {
    ++visits_;
    const auto period = search_.search(
        /*fingerprint=*/1, {.now = visits_, .fetched = static_cast<uint64_t>(visits_), .inFlight = 1}, events_,
        resources_, [&](auto &sink) {
          for (size_t i = 0; i < kWords; ++i) {
            ++described_;
            if (!sink(i + 1 < kWords ? 7 : state))
              return false;
          }
          return true;
        });
    return period.since ? period.rate.instances : 0;
  }

  size_t described_ = 0;

private:
  const std::unique_ptr<mca::Target> target_ = createTarget();
  const mca::ResourceTable table_{target_->subtarget().getSchedModel()};
  mca::ResourceState resources_{table_};
  NoEvents events_;
  mca::SteadyState<NoEvents> search_;
  int64_t visits_ = 0;
};

TEST_F(EqualFingerprints, EachSearchReadsAStateAFewTimes) {
  constexpr size_t kStates = 2000, kMostReadings = 8;
  for (uint64_t state = 0; state < kStates; ++state)
    ASSERT_EQ(visit(state), 0u);
  EXPECT_LE(described_, kStates * kWords * kMostReadings);
}

TEST_F(EqualFingerprints, ARepetitionIsFoundAmongThem) {
  for (uint64_t state = 0; state < 100; ++state)
    ASSERT_EQ(visit(state), 0u);
  EXPECT_EQ(visit(3), 97u);
}

} // namespace
