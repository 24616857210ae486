// Stretches of a text that hold each other, looked up by an offset: functions and loop statements.
#pragma once

#include "analysis/wire/messages.h"

#include <algorithm>
#include <utility>

namespace analysis {

/// `Item` has a member `extent`, a half-open range of offsets. A lookup takes a binary search and a step for each
/// extent that ends before the offset.
template <class Item>
class NestedExtents {
public:
  NestedExtents() = default;
  explicit NestedExtents(std::vector<Item> items) : items_(std::move(items)) {
    std::ranges::sort(items_, [](const Item &a, const Item &b) {
      return std::pair(a.extent.begin, b.extent.end) < std::pair(b.extent.begin, a.extent.end);
    });
    std::vector<uint32_t> open;
    for (uint32_t i = 0; i < items_.size(); ++i) {
      while (!open.empty() && items_[open.back()].extent.end <= items_[i].extent.begin)
        open.pop_back();
      parents_.push_back(open.empty() ? kNone : open.back());
      open.push_back(i);
    }
  }

  /// By their begins. Extents must stay as they are.
  std::vector<Item> &all() { return items_; }
  const std::vector<Item> &all() const { return items_; }
  /// The innermost item that holds the offset; null if there is none.
  const Item *around(uint32_t offset) const {
    const auto after = std::ranges::upper_bound(items_, offset, {}, [](const Item &item) { return item.extent.begin; });
    uint32_t at = after == items_.begin() ? kNone : static_cast<uint32_t>(after - items_.begin() - 1);
    while (at != kNone && items_[at].extent.end <= offset)
      at = parents_[at];
    return at == kNone ? nullptr : &items_[at];
  }
  /// The innermost item that holds this one, which must be of all().
  const Item *around(const Item &item) const {
    const uint32_t parent = parents_[static_cast<size_t>(&item - items_.data())];
    return parent == kNone ? nullptr : &items_[parent];
  }

private:
  static constexpr uint32_t kNone = ~0u;

  std::vector<Item> items_;
  std::vector<uint32_t> parents_; ///< indices in items_
};

} // namespace analysis
