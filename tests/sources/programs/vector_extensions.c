// Vectors as the compiler's own type, wider than some CPUs have them.
typedef float Float4 __attribute__((vector_size(16)));
typedef int Int8 __attribute__((vector_size(32)));

Float4 sumOf(const Float4 *values, int count) {
  Float4 sum = {0, 0, 0, 0};
  for (int i = 0; i < count; ++i) // hint
    sum += values[i];
  return sum;
}

void addProducts(Float4 *restrict to, const Float4 *restrict a, const Float4 *restrict b, int count) {
  for (int i = 0; i < count; ++i) // hint
    to[i] += a[i] * b[i];
}

void countEqual(Int8 *counts, const Int8 *values, const Int8 *wanted, int count) {
  for (int i = 0; i < count; ++i) // hint
    *counts -= values[i] == *wanted;
}
