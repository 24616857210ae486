// Code that comes from a file in the middle of a function: a whole loop, and the body of one.
int sumOfSquares(const int *values, int count) {
  int sum = 0;
#include "include_in_function_loop.inc" // hint?
  return sum;
}

int alternating(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) { // hint
#include "include_in_function_body.inc"
  }
  return sum;
}
