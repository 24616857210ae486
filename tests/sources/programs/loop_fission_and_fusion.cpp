// Loops that a compiler may split, join, exchange or leave out.
void twoInOne(float *a, float *b, const float *c, int count) {
  for (int i = 1; i < count; ++i) { // hint
    a[i] = c[i] * 2;
    b[i] = b[i - 1] + a[i];
  }
}

void clearAndAdd(int *sums, const int *values, int count) {
  for (int i = 0; i < count; ++i) // hint?
    sums[i] = 0;
  for (int i = 0; i < count; ++i) // hint
    sums[i] += values[i] * values[i];
}

unsigned closedForm(unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; ++i) // hint?
    sum += i;
  return sum;
}

void columnByColumn(float (*grid)[256], float by, int rows) {
  for (int x = 0; x < 256; ++x)    // hint?
    for (int y = 0; y < rows; ++y) // hint?
      grid[y][x] *= by;
}
