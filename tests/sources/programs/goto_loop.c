// Loops without a loop statement: the label is their head.
int countdown(const int *values, int count) {
  int sum = 0;
again: sum += values[--count]; // hint
  if (count > 0)
    goto again;
  return sum;
}

// The label's line makes no code: the statement that it names may stand for it.
unsigned power(unsigned base, unsigned exponent) {
  unsigned result = 1;
next:                 // hint?
  if (exponent & 1)   // hint?
    result *= base;
  base *= base;
  exponent >>= 1;
  if (exponent)
    goto next;
  return result;
}
