// Hashes, checksums and histograms.
#include "../kernels.h"

uint32_t hash_fnv(const uint8_t *bytes, size_t n) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < n; ++i) { // judged
    hash ^= bytes[i];
    hash *= 16777619u;
  }
  return hash;
}
KERNEL(hash_fnv, n, randomBits(&A), (A.u8, (size_t)n))

unsigned hash_string(const char *text) {
  unsigned hash = 5381;
  while (*text) // judged
    hash = hash * 33 + (unsigned char)*text++;
  return hash;
}
KERNEL(hash_string, n, (memset(&A, 'x', sizeof A), A.text[n] = 0), (A.text))

uint32_t crc_by_table(const uint8_t *bytes, int n, const uint32_t table[256]) {
  uint32_t crc = ~0u;
  for (int i = 0; i < n; ++i) // judged
    crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
  return ~crc;
}
KERNEL(crc_by_table, n, (randomBits(&A), randomBits(&B)), (A.u8, n, B.u32))

uint32_t checksum(const uint8_t *bytes, int n) {
  uint32_t low = 1, high = 0;
  for (int i = 0; i < n; ++i) { // judged
    low += bytes[i];
    high += low;
  }
  return high << 16 | low;
}
KERNEL(checksum, n, randomBits(&A), (A.u8, n))

uint32_t hash_words(const uint32_t *words, int n) {
  uint32_t hash = 0;
  for (int i = 0; i < n; i++) { // judged
    uint32_t k = words[i] * 0xcc9e2d51u;
    k = k << 15 | k >> 17;
    hash ^= k * 0x1b873593u;
    hash = hash << 13 | hash >> 19;
    hash = hash * 5 + 0xe6546b64u;
  }
  return hash;
}
KERNEL(hash_words, n, randomBits(&A), (A.u32, n))

void hash_each(uint64_t *restrict out, const uint64_t *restrict in, int n) {
  for (int i = 0; i < n; ++i) { // judged
    uint64_t x = in[i] ^ in[i] >> 32;
    x *= 0xd6e8feb86659fd93;
    out[i] = x ^ x >> 32;
  }
}
KERNEL(hash_each, n / 2, randomBits(&B), (A.u64, B.u64, n / 2))

void histogram(uint32_t counts[256], const uint8_t *bytes, size_t n) {
  for (size_t i = 0; i < n; ++i) // judged
    ++counts[bytes[i]];
}
KERNEL(histogram, n, randomBits(&B), (A.u32, B.u8, (size_t)n))

void histogram_by_four(uint32_t counts[4][256], const uint8_t *bytes, size_t n) {
  for (size_t i = 0; i < n; i += 4) { // judged
    counts[0][bytes[i]]++;
    counts[1][bytes[i + 1]]++;
    counts[2][bytes[i + 2]]++;
    counts[3][bytes[i + 3]]++;
  }
}
KERNEL(histogram_by_four, n / 4, randomBits(&B), ((uint32_t (*)[256])A.u32, B.u8, (size_t)n))
