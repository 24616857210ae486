// The instructions that are ready and ask for the same resources, the next one to issue first.
//
// The oldest one is next, where each user of its results makes an instruction one older; of equals, the older. As all
// of a queue can issue at the same times, only its head has to be looked at.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mca {

class ReadyQueue {
public:
  using Key = uint64_t;
  /// Orders by age less users, then by age.
  static Key keyOf(uint64_t id, uint32_t users) { return (id + kBias - users) << kUserBits | users; }
  static uint64_t idOf(Key key) { return (key >> kUserBits) - kBias + (key & ((1u << kUserBits) - 1)); }

  bool empty() const { return head_ == keys_.size(); }
  size_t size() const { return keys_.size() - head_; }
  Key front() const { return keys_[head_]; }

  void insert(Key key) {
    if (empty() || keys_.back() < key) {
      keys_.push_back(key);
      return;
    }
    const auto place = std::upper_bound(begin(), keys_.end(), key);
    if (place == begin() && head_) {
      keys_[--head_] = key;
      return;
    }
    keys_.insert(place, key);
  }
  void popFront() {
    ++head_;
    if (empty())
      clear();
    else if (head_ == 512)
      compact();
  }
  /// The instance has got a further user.
  void moveUp(Key before, Key after) {
    const auto from = std::lower_bound(begin(), keys_.end(), before);
    const auto to = std::upper_bound(begin(), from, after);
    std::move_backward(to, from, from + 1);
    *to = after;
  }
  void clear() {
    keys_.clear();
    head_ = 0;
  }
  std::vector<Key>::iterator begin() { return keys_.begin() + static_cast<std::ptrdiff_t>(head_); }
  std::vector<Key>::iterator end() { return keys_.end(); }

private:
  static constexpr unsigned kUserBits = 20;
  static constexpr uint64_t kBias = 1 << kUserBits; // an instance may have more users than older ones
  void compact() {
    keys_.erase(keys_.begin(), begin());
    head_ = 0;
  }

  std::vector<Key> keys_; // ascending, from head_ on
  size_t head_ = 0;
};

} // namespace mca
