// Bits out of bytes: a buffer that is filled as far as there is room.
#include <cstdint>

struct BitReader {
  const uint8_t *at;
  const uint8_t *end;
  uint64_t buffer = 0;
  int count = 0;

  void fill() {
    while (count <= 56 && at != end) { // hint
      buffer |= static_cast<uint64_t>(*at++) << count;
      count += 8;
    }
  }

  uint32_t take(int bits) {
    const uint32_t result = static_cast<uint32_t>(buffer) & ((1u << bits) - 1);
    buffer >>= bits;
    count -= bits;
    return result;
  }
};

int readAll(BitReader &reader, uint32_t *to, int count, int bits) {
  int i = 0;
  for (; i < count; ++i) { // hint?
    if (reader.count < bits)
      reader.fill();
    if (reader.count < bits)
      break;
    to[i] = reader.take(bits);
  }
  return i;
}

uint32_t readUnary(BitReader &reader) {
  uint32_t zeros = 0;
  while (reader.count > 0 && reader.take(1) == 0) // hint
    ++zeros;
  return zeros;
}
