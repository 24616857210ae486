// Running totals, inclusive and exclusive.
void inclusive(int *values, int count) {
  for (int i = 1; i < count; ++i) // hint
    values[i] += values[i - 1];
}

long exclusive(long *offsets, const unsigned *sizes, int count) {
  long total = 0;
  for (int i = 0; i < count; ++i) { // hint
    offsets[i] = total;
    total += sizes[i];
  }
  return total;
}
