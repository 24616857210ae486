// One loop that a function includes twice, each time with other macros: each include has its own hint.
long difference(const int *a, int countOfA, const int *b, int countOfB) {
  long sumOfA = 0, sumOfB = 0;
#define VALUES a
#define COUNT countOfA
#define SUM sumOfA
#define FACTOR *3L
#include "include_twice_in_function.inc" // hint
#define VALUES b
#define COUNT countOfB
#define SUM sumOfB
#define FACTOR >> 1
#include "include_twice_in_function.inc" // hint
  return sumOfA - sumOfB;
}

float weight(const float *values, int count) {
  float sum = 0;
#define VALUES values
#define COUNT count
#define SUM sum
#define FACTOR *0.5f
#include "include_twice_in_function.inc" // hint
  for (int i = 0; i < count; ++i) // hint
    sum *= values[i];
  return sum;
}
