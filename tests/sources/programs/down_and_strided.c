// Counters that go down to zero, and steps other than one.
double polynomial(const double *coefficients, int degree, double x) {
  double value = coefficients[degree];
  while (degree-- > 0) // hint
    value = value * x + coefficients[degree];
  return value;
}

void shiftUp(int *values, int count, int by) {
  for (int i = count - 1; i >= 0; --i) // hint
    values[i + by] = values[i];
}

float everyThird(const float *values, int count) {
  float sum = 0;
  for (int i = 0; i < count; i += 3) // hint
    sum += values[i];
  return sum;
}

void backSubstitute(double *x, const double *row, int n) {
  for (int i = n; i-- > 0;) // hint
    x[i] = (x[i] - row[i]) * 0.5;
}

unsigned parity(const unsigned *words, long stride, unsigned count) {
  unsigned result = 0;
  for (; count != 0; --count, words += stride) // hint
    result ^= *words;
  return result;
}
