// The ready instructions of one signature, sorted by priority.
//
// The oldest comes first, where each waiting user counts as one more instance of age; on a tie, the older one
// (DefaultSchedulerStrategy::compare in LLVM's MCA library). All instructions in a queue have the same resource needs,
// so checking its head is enough.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mca {

class ReadyQueue {
public:
  using Key = uint64_t;
  /// Sorts by age minus users, then by age.
  static Key keyOf(uint64_t id, uint32_t users) { return (id + kBias - users) << kUserBits | users; }
  static uint64_t idOf(Key key) { return (key >> kUserBits) - kBias + (key & ((1u << kUserBits) - 1)); }

  bool empty() const { return head_ == tail_; }
  Key front() const { return data_[head_]; }

  void insert(Key key) {
    if (tail_ == room_)
      makeRoom();
    Key *const end = data_ + tail_;
    if (head_ != tail_ && key < end[-1])
      return insertWithin(key);
    *end = key;
    ++tail_;
  }
  void popFront() {
    if (++head_ == tail_)
      clear();
  }
  /// Moves an instance forward that gained a user.
  [[gnu::noinline]] void moveUp(Key before, Key after) {
    Key *const from = std::lower_bound(begin(), end(), before);
    Key *const to = std::upper_bound(begin(), from, after);
    std::move_backward(to, from, from + 1);
    *to = after;
  }
  void clear() { head_ = tail_ = 0; }
  Key *begin() { return data_ + head_; }
  Key *end() { return data_ + tail_; }

private:
  static constexpr unsigned kUserBits = 20;
  /// Keeps keys positive if an instance has more users than predecessors.
  static constexpr uint64_t kBias = 1 << kUserBits;
  /// Inserts anywhere but at the end.
  [[gnu::noinline]] void insertWithin(Key key) {
    if (head_ != 0 && key < data_[head_]) {
      data_[--head_] = key;
      return;
    }
    Key *const place = std::upper_bound(begin(), end(), key);
    std::move_backward(place, end(), end() + 1);
    *place = key;
    ++tail_;
  }
  /// Moves the keys to the front if more than half of the space is free there, and grows otherwise.
  [[gnu::noinline]] void makeRoom() {
    if (size_t{head_} * 2 > keys_.size()) {
      std::move(begin(), end(), data_);
      tail_ -= std::exchange(head_, 0);
      return;
    }
    keys_.resize(std::max<size_t>(64, keys_.size() * 2));
    data_ = keys_.data();
    room_ = static_cast<uint32_t>(keys_.size());
  }

  std::vector<Key> keys_; // ascending, from head_ to tail_
  Key *data_ = nullptr;   // keys_.data()
  uint32_t head_ = 0, tail_ = 0, room_ = 0;
};

} // namespace mca
