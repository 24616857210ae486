// Unrolling that the source asks for, or forbids.
float energy(const float *samples, int count) {
  float sum = 0;
#pragma GCC unroll 4
  for (int i = 0; i < count; ++i) // hint
    sum += samples[i] * samples[i];
  return sum;
}

unsigned crcOf(const unsigned char *bytes, int count, const unsigned *table) {
  unsigned crc = ~0u;
#pragma GCC unroll 1
  while (count--) // hint
    crc = table[(crc ^ *bytes++) & 0xff] ^ crc >> 8;
  return ~crc;
}

#ifdef __clang__
#define UNROLLED _Pragma("unroll 8")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

void addOffset(long *values, int count, long offset) {
  UNROLLED
  for (int i = 0; i < count; ++i) // hint
    values[i] += offset;
}

int firstNegative(const int *values, int count) {
  int i = 0;
  UNROLLED for (; i < count && values[i] >= 0; ++i); // hint
  return i;
}
