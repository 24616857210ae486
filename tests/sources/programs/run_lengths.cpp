// Run-length coding: loops within a loop that move the same pointer.
#include <cstdint>

uint8_t *pack(const uint8_t *at, const uint8_t *end, uint8_t *to) {
  while (at != end) { // hint?
    const uint8_t value = *at;
    unsigned run = 1;
    while (at + run != end && at[run] == value && run < 255) // hint
      ++run;
    *to++ = static_cast<uint8_t>(run);
    *to++ = value;
    at += run;
  }
  return to;
}

uint8_t *unpack(const uint8_t *at, const uint8_t *end, uint8_t *to) {
  for (; at != end; at += 2)              // hint?
    for (unsigned i = 0; i < at[0]; ++i) // hint?
      *to++ = at[1];
  return to;
}

void deltas(int32_t *values, int count) {
  for (int i = count - 1; i > 0; --i) // hint
    values[i] -= values[i - 1];
}

void undoDeltas(int32_t *values, int count) {
  for (int i = 1; i < count; ++i) // hint
    values[i] += values[i - 1];
}
