// The counter that branch predictors are made of, and what a CPU fetches by until its better predictor answers.
#pragma once

#include <cstdint>

namespace mca {

/// A signed saturating counter. From zero on it means yes: taken, for example.
template <unsigned Bits>
class Counter {
public:
  static constexpr int8_t kMax = (1 << (Bits - 1)) - 1, kMin = -kMax - 1;

  Counter() = default;
  /// As weak as a counter can be.
  explicit Counter(bool yes) : value_(yes ? 0 : -1) {}

  /// Without branches: what is counted is often random.
  void count(bool yes) { value_ = static_cast<int8_t>(value_ + (yes && value_ < kMax) - (!yes && value_ > kMin)); }
  bool yes() const { return value_ >= 0; }
  bool isWeak() const { return value_ == 0 || value_ == -1; }

private:
  int8_t value_ = 0;
};

} // namespace mca
