// The load/store unit with classes of memory operations against a slow reference: a load waits for the last store
// through each pointer of its class, and a store, if nothing else aliases, until all earlier operations have issued.
#include "mca-core/engine/memory_order.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace mca {
namespace {

class ClassifiedOrder : public testing::TestWithParam<bool> {
protected:
  struct Operation {
    BodyInstruction code;
    uint32_t group = 0;
    std::vector<size_t> stores; ///< whose data it waits for
    bool issued = false;
    bool executed = false;
  };

  void SetUp() override {
    for (uint64_t meets = 0; meets < 8; ++meets)
      for (uint64_t stores = 0; stores < 8; ++stores)
        classes_.push_back({.waitsFor = meets, .storesTo = stores});
    order_.reset(0, 0, assumesNoAlias(), classes_);
  }
  static bool assumesNoAlias() { return GetParam(); }
  const MemoryClass &classOf(const BodyInstruction &code) const { return classes_[code.memoryClass]; }

  void dispatch() {
    const bool loads = random_() % 2, stores = !loads || random_() % 4 == 0;
    Operation operation;
    operation.code.mayLoad = loads;
    operation.code.mayStore = stores;
    operation.code.memoryClass = static_cast<uint16_t>(random_() % classes_.size());
    for (uint64_t pointer = 1; loads && pointer < 8; pointer <<= 1)
      if (classOf(operation.code).waitsFor & pointer)
        for (size_t i = all_.size(); i-- > 0;)
          if (all_[i].code.mayStore && classOf(all_[i].code).storesTo & pointer) {
            operation.stores.push_back(i);
            break;
          }
    operation.group = order_.dispatch(operation.code, now_);
    all_.push_back(operation);
  }

  bool isReady(size_t number) const {
    const Operation &operation = all_[number];
    for (const size_t store : operation.stores)
      if (!all_[store].executed)
        return false;
    for (size_t i = oldest_; operation.code.mayStore && i < number; ++i)
      if (!all_[i].issued)
        return false;
    return true;
  }

  void compare() {
    for (size_t i = oldest_; i < all_.size(); ++i) {
      const Operation &operation = all_[i];
      if (operation.issued)
        continue;
      // If other stores alias, each store also waits for data, which the reference leaves out.
      if (assumesNoAlias() || !operation.code.mayStore) {
        ASSERT_EQ(order_.isReady(operation.group), isReady(i)) << i;
      }
      readyLoads_ += !operation.code.mayStore && isReady(i);
      waitingLoads_ += !operation.code.mayStore && !isReady(i);
    }
  }

  void step() {
    ++now_;
    compare();
    if (all_.size() - oldest_ < 32 && random_() % 2)
      dispatch();
    if (oldest_ == all_.size())
      return;
    const size_t number = oldest_ + random_() % (all_.size() - oldest_);
    Operation &operation = all_[number];
    if (!operation.issued && order_.isReady(operation.group)) {
      order_.issued(operation.group, number, now_ + 1 + static_cast<int64_t>(random_() % 20), now_);
      operation.issued = true;
    } else if (operation.issued && !operation.executed) {
      order_.executed(operation.group, number);
      operation.executed = true;
    }
    while (oldest_ < all_.size() && all_[oldest_].executed)
      ++oldest_;
    order_.woken().clear();
  }

  std::mt19937 random_{11};
  std::vector<MemoryClass> classes_;
  MemoryOrder order_;
  std::vector<Operation> all_;
  size_t oldest_ = 0; ///< the first one that has not been executed
  int64_t now_ = 0;
  size_t readyLoads_ = 0, waitingLoads_ = 0;
};

TEST_P(ClassifiedOrder, IsThatOfTheReference) {
  for (int i = 0; i < 100'000 && !HasFailure(); ++i)
    step();
  EXPECT_GT(all_.size(), 1'000u);
  EXPECT_GT(readyLoads_, 1'000u);
  EXPECT_GT(waitingLoads_, 1'000u);
}

INSTANTIATE_TEST_SUITE_P(NoAlias, ClassifiedOrder, testing::Bool());

} // namespace
} // namespace mca
