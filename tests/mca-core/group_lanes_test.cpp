// Groups side by side in a word, against llvm-mca's rules group by group.
#include "mca-core/engine/group_lanes.h"

#include <gtest/gtest.h>
#include <random>
#include <utility>
#include <vector>

namespace mca {
namespace {

/// LLVM's DefaultResourceStrategy of one group, with the units that are free in it.
struct Group {
  uint64_t units = 0, free = units, left = units, skipped = 0;

  unsigned choose() {
    uint64_t candidates = free & left;
    if (!candidates) {
      left = units ^ skipped;
      skipped = 0;
      candidates = free & left;
      if (!candidates) {
        left = units;
        candidates = free;
      }
    }
    const uint64_t unit = std::bit_floor(candidates);
    left &= unit | (unit - 1);
    return static_cast<unsigned>(std::countr_zero(unit));
  }
  void take(uint64_t unit) {
    free ^= unit;
    if (unit > left) {
      skipped |= unit;
      return;
    }
    left &= ~unit;
    if (left)
      return;
    left = units ^ skipped;
    skipped = 0;
  }
};

/// As many groups as fit into a word, of resources 0 to `resources` − 1.
class GroupLanesTest : public testing::TestWithParam<unsigned> {
protected:
  void SetUp() override {
    while (!lanes_.isFull()) {
      uint64_t units = 0;
      while (!units)
        for (unsigned i = 0; i + 1 < GetParam(); ++i)
          units |= 1ull << random_() % kResources;
      masks_.push_back(lanes_.add(static_cast<unsigned>(groups_.size()), units));
      groups_.push_back({.units = units});
    }
  }
  void take(unsigned unit) {
    const bool brief = random_() % 2;
    brief_ |= uint64_t(brief) << unit;
    uint64_t full = 0;
    for (size_t i = 0; i < groups_.size(); ++i)
      if (groups_[i].units >> unit & 1) {
        groups_[i].take(1ull << unit);
        full |= uint64_t(!groups_[i].free) << i;
      }
    free_ &= ~(1ull << unit);
    ASSERT_EQ(lanes_.take(unit, brief), full);
  }
  void giveBack(unsigned unit) {
    if (brief_ >> unit & 1) {
      lanes_.giveBackBrief();
      return noteFree(std::exchange(brief_, 0));
    }
    lanes_.giveBack(unit);
    noteFree(1ull << unit);
  }
  void noteFree(uint64_t units) {
    for (Group &group : groups_)
      group.free |= group.units & units;
    free_ |= units;
  }
  /// A unit by way of a group, or directly; or one comes free.
  void step() {
    const size_t group = random_() % groups_.size();
    const auto unit = static_cast<unsigned>(random_() % kResources);
    if (!(free_ >> unit & 1)) {
      giveBack(unit);
    } else if (random_() % 4 == 0) {
      take(unit);
    } else if (groups_[group].free) {
      const unsigned expected = groups_[group].choose();
      ASSERT_EQ(lanes_.choose(masks_[group]), expected);
      take(expected);
    }
  }

  static constexpr unsigned kResources = 20;
  std::mt19937 random_{GetParam()};
  GroupLanes lanes_{GetParam()};
  std::vector<Group> groups_;
  std::vector<uint64_t> masks_;
  uint64_t free_ = (1ull << kResources) - 1;
  uint64_t brief_ = 0; // taken and to come back together
};

TEST_P(GroupLanesTest, ChoosesAsEachGroupWouldAlone) {
  for (int i = 0; i < 100'000 && !HasFatalFailure(); ++i)
    step();
}

INSTANTIATE_TEST_SUITE_P(Bits, GroupLanesTest, testing::Values(8, 16, 32, 64));

TEST(GroupLanes, ALaneHasABitToSpare) {
  EXPECT_EQ(GroupLanes::bitsFor(1), 8u);
  EXPECT_EQ(GroupLanes::bitsFor(7), 8u);
  EXPECT_EQ(GroupLanes::bitsFor(8), 16u);
  EXPECT_EQ(GroupLanes::bitsFor(18), 32u);
  EXPECT_EQ(GroupLanes::bitsFor(63), 64u);
}

} // namespace
} // namespace mca
