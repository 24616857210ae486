// Iterates over the state bits of resource masks.
#pragma once

#include <bit>
#include <cstdint>

namespace mca {

/// Calls `visit` with the index of each bit in `mask`, lowest first.
template <typename Visit>
void forEachBit(uint64_t mask, Visit visit) {
  for (; mask; mask &= mask - 1)
    visit(static_cast<unsigned>(std::countr_zero(mask)));
}

inline uint64_t bitOf(unsigned index) {
  return 1ull << index;
}
/// `mask` must not be 0.
inline unsigned highestBit(uint64_t mask) {
  return 63 - static_cast<unsigned>(std::countl_zero(mask));
}

} // namespace mca
