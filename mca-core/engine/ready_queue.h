// The instructions that are ready and ask for the same resources, the next one to issue first.
//
// The oldest one is next, where each user of its results makes an instruction one older; of equals, the older. As all
// of a queue can issue at the same times, only its head has to be looked at.
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
  /// Orders by age less users, then by age.
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
  /// The instance has got a further user.
  void moveUp(Key before, Key after) {
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
  static constexpr uint64_t kBias = 1 << kUserBits; // an instance may have more users than older ones
  /// Not as the last one.
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
  [[gnu::noinline]] void makeRoom() {
    if (head_ * 2 > keys_.size()) {
      std::move(begin(), end(), data_);
      tail_ -= std::exchange(head_, 0);
      return;
    }
    keys_.resize(std::max<size_t>(64, keys_.size() * 2));
    data_ = keys_.data();
    room_ = static_cast<uint32_t>(keys_.size());
  }

  std::vector<Key> keys_; // ascending, from head_ to tail_
  Key *data_ = nullptr;   // where they are
  uint32_t head_ = 0, tail_ = 0, room_ = 0;
};

/// A list of numbers in no order, with room for as many as it was reset to.
class NumberBag {
public:
  void reset(size_t room) {
    if (numbers_.size() < room)
      numbers_.resize(room);
    clear();
  }
  void clear() { count_ = 0; }
  bool empty() const { return !count_; }
  uint32_t size() const { return count_; }
  uint32_t operator[](uint32_t place) const { return numbers_[place]; }
  void add(uint32_t number) { numbers_[count_++] = number; }
  /// The last number takes the place.
  void removeAt(uint32_t place) { numbers_[place] = numbers_[--count_]; }
  const uint32_t *begin() const { return numbers_.data(); }
  const uint32_t *end() const { return numbers_.data() + count_; }

private:
  std::vector<uint32_t> numbers_;
  uint32_t count_ = 0;
};

} // namespace mca
