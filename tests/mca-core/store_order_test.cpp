// StoreOrder's one rule against all of MemoryOrder's, for random loads and stores.
#include "mca-core/engine/memory_order.h"
#include "mca-core/engine/store_order.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace mca {
namespace {

class StoreOrderTest : public testing::Test {
protected:
  struct Operation {
    uint64_t id = 0;
    bool isStore = false;
    bool issued = false;
    uint32_t group = 0;   ///< in all_
    uint32_t stretch = 0; ///< in stores_
  };
  void SetUp() override {
    all_.reset(0, 0, /*assumeNoAlias=*/true);
    stores_.reset(kMost);
  }
  bool isReady(const Operation &operation) const { return !operation.isStore || stores_.isReady(operation.stretch); }
  void dispatch() {
    const bool loads = random_() % 2, isStore = !loads || random_() % 4 == 0;
    Operation operation{.id = next_++, .isStore = isStore};
    operation.group = all_.dispatch({{.mayLoad = loads, .mayStore = isStore}}, now_);
    operation.stretch = stores_.dispatch(isStore, static_cast<uint32_t>(operation.id));
    flight_.push_back(operation);
  }
  void issue(Operation &operation) {
    const int64_t latency = 1 + random_() % 20;
    all_.issued(operation.group, operation.id, now_ + latency, now_);
    operation.issued = true;
    const uint32_t released = stores_.issued(operation.isStore, operation.stretch);
    for (const Operation &other : flight_)
      if (other.id == released) {
        EXPECT_TRUE(all_.isReady(other.group));
      }
  }
  void step() {
    ++now_;
    for (const Operation &operation : flight_)
      if (!operation.issued) {
        ASSERT_EQ(isReady(operation), all_.isReady(operation.group)) << operation.id;
      }
    if (flight_.size() < kMost && random_() % 2)
      dispatch();
    const size_t chosen = flight_.empty() ? 0 : random_() % flight_.size();
    if (chosen == flight_.size())
      return;
    Operation &operation = flight_[chosen];
    if (!operation.issued && isReady(operation)) {
      issue(operation);
    } else if (operation.issued) {
      all_.executed(operation.group, operation.id);
      flight_.erase(flight_.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    all_.woken().clear();
  }

  static constexpr size_t kMost = 32;
  std::mt19937 random_{7};
  MemoryOrder all_;
  StoreOrder stores_;
  std::vector<Operation> flight_;
  uint64_t next_ = 0;
  int64_t now_ = 0;
};

TEST_F(StoreOrderTest, HoldsStoresAsMemoryOrderDoes) {
  for (int i = 0; i < 100'000 && !HasFailure(); ++i)
    step();
  EXPECT_GT(next_, 4'000u);
}

} // namespace
} // namespace mca
