/* Functions for the training run of the simulator (train.cmake). What counts is the variety: chains and independent work,
   memory, branches, division, vectors. */
#include <stddef.h>
#include <stdint.h>

float dot(const float *a, const float *b, size_t n) {
  float sum = 0;
  for (size_t i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

void scale(double *restrict to, const double *restrict from, double by, size_t n) {
  for (size_t i = 0; i < n; ++i)
    to[i] = from[i] * by + 1.0;
}

uint32_t checksum(const uint8_t *bytes, size_t n) {
  uint32_t low = 1, high = 0;
  for (size_t i = 0; i < n; ++i) {
    low += bytes[i];
    high += low;
  }
  return high << 16 | low;
}

uint64_t hash(const uint64_t *words, size_t n) {
  uint64_t state = 0x9E3779B97F4A7C15u;
  for (size_t i = 0; i < n; ++i) {
    state ^= words[i] * 0xC2B2AE3D27D4EB4Fu;
    state = (state << 31 | state >> 33) * 0x9E3779B185EBCA87u;
  }
  return state;
}

uint32_t crc(const uint8_t *bytes, size_t n, const uint32_t table[256]) {
  uint32_t value = ~0u;
  for (size_t i = 0; i < n; ++i)
    value = value >> 8 ^ table[(value ^ bytes[i]) & 255];
  return ~value;
}

unsigned digits(uint64_t number, char *text) {
  unsigned count = 0;
  do
    text[count++] = (char)('0' + number % 10);
  while (number /= 10);
  return count;
}

void divide(float *values, const float *by, size_t n) {
  for (size_t i = 0; i < n; ++i)
    values[i] = values[i] / by[i];
}

struct node {
  struct node *next;
  int value;
};

int walk(const struct node *list) {
  int sum = 0;
  for (; list; list = list->next)
    sum += list->value;
  return sum;
}

void insert(int *sorted, size_t n, int value) {
  size_t i = n;
  for (; i > 0 && sorted[i - 1] > value; --i)
    sorted[i] = sorted[i - 1];
  sorted[i] = value;
}

size_t search(const int *sorted, size_t n, int value) {
  size_t first = 0;
  while (n > 0) {
    const size_t half = n / 2;
    if (sorted[first + half] < value) {
      first += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return first;
}

void blur(uint8_t *restrict to, const uint8_t *restrict from, size_t width) {
  for (size_t i = 1; i + 1 < width; ++i)
    to[i] = (uint8_t)((from[i - 1] + 2 * from[i] + from[i + 1] + 2) >> 2);
}

void multiply(float *restrict c, const float *restrict a, const float *restrict b, size_t n) {
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (size_t k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

double polynomial(const double *values, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const double x = values[i];
    sum += ((((x * 0.1 + 0.2) * x + 0.3) * x + 0.4) * x + 0.5) * x + 0.6;
  }
  return sum;
}

int largest(const int *values, size_t n) {
  int most = values[0];
  for (size_t i = 1; i < n; ++i)
    if (values[i] > most)
      most = values[i];
  return most;
}

void histogram(uint32_t *counts, const uint8_t *bytes, size_t n) {
  for (size_t i = 0; i < n; ++i)
    ++counts[bytes[i]];
}

size_t decode(uint32_t *to, const uint8_t *from, size_t n) {
  size_t made = 0;
  for (size_t i = 0; i < n;) {
    uint32_t value = 0;
    unsigned shift = 0;
    do {
      value |= (uint32_t)(from[i] & 127) << shift;
      shift += 7;
    } while (from[i++] & 128 && shift < 32);
    to[made++] = value;
  }
  return made;
}

void rounds(uint32_t state[16]) {
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 4; ++j) {
      uint32_t a = state[j], b = state[4 + j], c = state[8 + j], d = state[12 + j];
      a += b, d ^= a, d = d << 16 | d >> 16;
      c += d, b ^= c, b = b << 12 | b >> 20;
      a += b, d ^= a, d = d << 8 | d >> 24;
      c += d, b ^= c, b = b << 7 | b >> 25;
      state[j] = a, state[4 + j] = b, state[8 + j] = c, state[12 + j] = d;
    }
}
