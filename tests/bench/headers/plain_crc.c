#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
uint32_t crc(const uint32_t *table, const uint8_t *data, size_t n) {
  uint32_t value = ~0u;
  for (size_t i = 0; i < n; ++i)
    value = table[(value ^ data[i]) & 255] ^ value >> 8;
  return ~value;
}
