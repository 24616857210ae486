// The load/store unit for bodies where loads and stores never alias and nothing is a barrier.
//
// All rules of MemoryOrder then reduce to one: a store waits until every earlier memory operation has issued
// (docs/engine.md derives this). Stores divide the program into stretches. Each stretch ends with a store, which waits
// for the stretch's loads and for the store before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mca {

class StoreOrder {
public:
  static constexpr uint32_t kNoStore = ~0u;

  /// `operations`: the maximum in flight, a power of two.
  void reset(size_t operations) {
    if (stretches_.size() < 2 * operations)
      stretches_.resize(2 * operations);
    current_ = 0;
    at(current_) = {};
  }
  /// Returns the operation's stretch. `store` is a handle that issued() returns.
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
  /// Whether the store at the end of the stretch can issue.
  bool isReady(uint32_t stretch) const { return !at(stretch).unissued; }
  /// Returns the store that can issue from now on, or kNoStore.
  uint32_t issued(bool isStore, uint32_t stretch) {
    Stretch &left = at(stretch + isStore);
    return --left.unissued ? kNoStore : left.store;
  }
  /// Number of stores dispatched since the stretch ended.
  uint32_t ageOf(uint32_t stretch) const { return current_ - stretch; }

private:
  struct Stretch {
    uint32_t unissued = 0;     ///< loads of the stretch, and the store before it
    uint32_t store = kNoStore; ///< at its end
  };
  Stretch &at(uint32_t stretch) { return stretches_[stretch & (stretches_.size() - 1)]; }
  const Stretch &at(uint32_t stretch) const { return stretches_[stretch & (stretches_.size() - 1)]; }

  std::vector<Stretch> stretches_; // a ring
  uint32_t current_ = 0;           ///< the stretch that has no store yet
};

} // namespace mca
