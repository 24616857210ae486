// Kernels for header_of_kernels.cpp.
#pragma once
#include <cstddef>
#include <cstdint>

namespace kernels {

[[gnu::always_inline]] inline void fill(uint16_t *to, std::size_t count, uint16_t value) {
  for (std::size_t i = 0; i < count; ++i)
    to[i] = static_cast<uint16_t>(value + i);
}

template <class Value, class Action>
[[gnu::always_inline]] inline void each(Value *values, std::size_t count, Action action) {
  for (Value *value = values; value != values + count; ++value)
    action(*value);
}

[[gnu::always_inline]] inline uint32_t fold(const uint8_t *bytes, std::size_t count) {
  uint32_t result = 17;
  while (count--)
    result = result * 131 + *bytes++;
  return result;
}

} // namespace kernels
