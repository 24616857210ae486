// Pragmas in front of loops, as directives, as operators and out of macros.
#ifdef __clang__
#define UNROLL_FOUR _Pragma("clang loop unroll_count(4)")
#define NO_VECTORS _Pragma("clang loop vectorize(disable)")
#else
#define UNROLL_FOUR _Pragma("GCC unroll 4")
#define NO_VECTORS _Pragma("GCC ivdep")
#endif

int sum(const int *values, int count) {
  int result = 0;
  UNROLL_FOUR
  for (int i = 0; i < count; ++i) // hint
    result += values[i];
  return result;
}

void scale(float *values, int count, float by) {
  NO_VECTORS for (int i = 0; i < count; ++i) // hint
    values[i] *= by;
}

unsigned hash(const unsigned *values, int count) {
  unsigned result = 0;
#pragma GCC unroll 2
  for (int i = 0; i < count; ++i) // hint
    result = result * 31 + values[i];
  return result;
}
