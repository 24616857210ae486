// Kernels by hand: whole vectors, and what is left over one by one.
typedef float Float4 __attribute__((vector_size(16), aligned(4)));
typedef int Int4 __attribute__((vector_size(16), aligned(4)));

void scaleAndAdd(float *restrict to, const float *restrict from, float by, int count) {
  const Float4 factor = {by, by, by, by};
  int i = 0;
  for (; i + 4 <= count; i += 4) // hint
    *(Float4 *)(to + i) += *(const Float4 *)(from + i) * factor;
  for (; i < count; ++i) // hint?
    to[i] += from[i] * by;
}

int sumOf(const int *values, int count) {
  Int4 sums = {0, 0, 0, 0};
  int i = 0;
  for (; i + 8 <= count; i += 8) { // hint
    sums += *(const Int4 *)(values + i);
    sums += *(const Int4 *)(values + i + 4);
  }
  int sum = sums[0] + sums[1] + sums[2] + sums[3];
  while (i < count) // hint?
    sum += values[i++];
  return sum;
}

float dotProduct(const float *a, const float *b, int count) {
  Float4 sums = {0, 0, 0, 0};
  const float *const end = a + count;
  while (end - a >= 4) { // hint
    sums += *(const Float4 *)a * *(const Float4 *)b;
    a += 4;
    b += 4;
  }
  float sum = sums[0] + sums[1] + sums[2] + sums[3];
  while (a != end) // hint?
    sum += *a++ * *b++;
  return sum;
}
