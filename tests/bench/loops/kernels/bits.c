// Bit tricks.
#include "../kernels.h"

long count_bits(const uint64_t *words, int n) {
  long bits = 0;
  for (int i = 0; i < n; ++i) // judged
    bits += __builtin_popcountll(words[i]);
  return bits;
}
KERNEL(count_bits, n / 2, randomBits(&A), (A.u64, n / 2))

void count_bits_of_each(uint32_t *restrict out, const uint32_t *restrict in, int n) {
  for (int i = 0; i < n; ++i) { // judged
    uint32_t x = in[i];
    x = x - (x >> 1 & 0x55555555);
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    out[i] = x * 0x01010101 >> 24;
  }
}
KERNEL(count_bits_of_each, n, randomBits(&B), (A.u32, B.u32, n))

void leading_zeros(uint8_t *restrict out, const uint32_t *restrict in, int n) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = (uint8_t)__builtin_clz(in[i] | 1);
}
KERNEL(leading_zeros, n, randomBits(&B), (A.u8, B.u32, n))

void reverse_bits(uint32_t *restrict out, const uint32_t *restrict in, int n) {
  for (int i = 0; i < n; ++i) { // judged
    uint32_t x = in[i];
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    out[i] = __builtin_bswap32(x);
  }
}
KERNEL(reverse_bits, n, randomBits(&B), (A.u32, B.u32, n))

void interleave_bits(uint64_t *restrict out, const uint32_t *restrict in, int n) {
  for (int i = 0; i < n; ++i) { // judged
    uint64_t x = in[i];
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    out[i] = (x | x << 1) & 0x5555555555555555;
  }
}
KERNEL(interleave_bits, n / 2, randomBits(&B), (A.u64, B.u32, n / 2))

void fill_xorshift(uint64_t *out, int n, uint64_t state) {
  for (int i = 0; i < n; ++i) { // judged
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    out[i] = state;
  }
}
KERNEL(fill_xorshift, n / 2, memset(&A, 0, sizeof A), (A.u64, n / 2, 88172645463325252))

void set_bits(uint32_t *map, const int *indices, int n) {
  for (int i = 0; i < n; ++i) // judged
    map[indices[i] >> 5] |= 1u << (indices[i] & 31);
}
KERNEL(set_bits, n, permutation(&B, n), (A.u32, B.s32, n))

void unpack_nibbles(uint8_t *restrict out, const uint8_t *restrict in, int n) {
  for (int i = 0; i < n; ++i) { // judged
    out[2 * i] = in[i] & 15;
    out[2 * i + 1] = in[i] >> 4;
  }
}
KERNEL(unpack_nibbles, 2 * n, randomBits(&B), (A.u8, B.u8, 2 * n))
