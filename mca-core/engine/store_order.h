// The load/store unit where loads and stores never touch the same memory and nothing is a barrier.
//
// All of MemoryOrder's rules then come to one: a store waits until every memory operation before it has been issued.
// Stores divide the program into stretches: a store is the last operation of its own and is counted in the next one,
// whose store waits for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mca {

class StoreOrder {
public:
  static constexpr uint32_t kNoStore = ~0u;

  /// `operations`: those that may be in flight, a power of two.
  void reset(size_t operations) {
    if (stretches_.size() < 2 * operations)
      stretches_.resize(2 * operations);
    current_ = 0;
    at(current_) = {};
  }
  /// Returns the operation's stretch. `store` is a number of the caller's, which issued() returns.
  uint32_t dispatch(bool isStore, uint32_t store) {
    const uint32_t stretch = current_;
    if (!isStore) {
      ++at(stretch).unissued;
      return stretch;
    }
    at(stretch).store = store;
    at(++current_) = {.unissued = 1};
    return stretch;
  }
  /// Whether the store at the end of the stretch waits for nothing.
  bool isReady(uint32_t stretch) const { return !at(stretch).unissued; }
  /// Returns the store that waits for nothing more, or kNoStore.
  uint32_t issued(bool isStore, uint32_t stretch) {
    Stretch &left = at(stretch + isStore);
    return --left.unissued ? kNoStore : left.store;
  }
  /// How many stores have been dispatched since the stretch ended.
  uint32_t ageOf(uint32_t stretch) const { return current_ - stretch; }

private:
  struct Stretch {
    uint32_t unissued = 0;     ///< of its loads and the store before it
    uint32_t store = kNoStore; ///< at its end
  };
  Stretch &at(uint32_t stretch) { return stretches_[stretch & (stretches_.size() - 1)]; }
  const Stretch &at(uint32_t stretch) const { return stretches_[stretch & (stretches_.size() - 1)]; }

  std::vector<Stretch> stretches_; // a ring
  uint32_t current_ = 0;           ///< the one that has no store yet
};

} // namespace mca
