// The outcomes of the latest branches, as one fingerprint for each of several lengths.
//
// A predictor with long histories needs hashes of the last 4, 7, … 1000 outcomes for every branch. TAGE's paper keeps
// them up to date by folding: the history is cut into pieces of the width of a table's index, which are combined by
// exclusive or, and a new outcome rotates the result by one place. Here the place of the rotation takes a division by a
// primitive polynomial of degree 31 (a Rabin fingerprint): the same cost, and two histories that differ in outcomes 31
// apart still have different fingerprints. Index and tag are both derived from the one fingerprint.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

namespace mca {

template <unsigned N>
class BranchHistory {
public:
  /// Outcomes that are remembered: the longest length must be shorter.
  static constexpr uint32_t kCapacity = 1024;

  explicit BranchHistory(const std::array<uint32_t, N> &lengths) : lengths_(lengths) {
    for (unsigned i = 0; i < N; ++i) {
      assert(lengths[i] < kCapacity);
      uint32_t power = 1;
      for (uint32_t step = 0; step < lengths[i]; ++step)
        power = timesX(power);
      leaving_[i] = power;
    }
  }

  void push(bool outcome) {
    const uint32_t entering = outcome ? 1 : 0;
    std::array<uint32_t, N> left; // on its own, so that compilers can vectorize the other loop
    for (unsigned i = 0; i < N; ++i)
      left[i] = outcomes_[(head_ - lengths_[i]) % kCapacity];
    std::array<uint32_t, N> next;
    for (unsigned i = 0; i < N; ++i)
      next[i] = timesX(fingerprints_[i]) ^ entering ^ (leaving_[i] & (0 - left[i]));
    fingerprints_ = next;
    outcomes_[head_++ % kCapacity] = static_cast<uint8_t>(entering);
  }

  /// Adds the target of an indirect jump, as eight outcomes: enough to tell the targets of a `switch` apart.
  void pushTarget(uint32_t target) {
    constexpr uint32_t kSpread = 0x9E3779B1; // 2^32 divided by the golden ratio: neighbours get different top bits
    for (uint32_t bits = (target * kSpread) >> 24, i = 0; i < 8; ++i, bits >>= 1)
      push(bits & 1);
  }

  /// One of each length, 31 bits wide.
  const std::array<uint32_t, N> &fingerprints() const { return fingerprints_; }

private:
  /// The product with x, modulo x^31 + x^3 + 1.
  static uint32_t timesX(uint32_t polynomial) {
    constexpr uint32_t kModulus = 0x80000009;
    const uint32_t shifted = polynomial << 1;
    return shifted ^ (kModulus & (0 - (shifted >> 31)));
  }

  std::array<uint32_t, N> lengths_;
  std::array<uint32_t, N> fingerprints_{};
  std::array<uint32_t, N> leaving_{}; ///< x^length: what the oldest outcome of each length contributes
  std::array<uint8_t, kCapacity> outcomes_{};
  uint32_t head_ = 0; ///< position of the next outcome, modulo kCapacity
};

} // namespace mca
