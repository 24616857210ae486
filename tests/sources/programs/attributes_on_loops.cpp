// Attributes, labels and pragmas in front of a loop, on its line and on others.
int search(const int *grid, int width, int height, int wanted) {
  int seen = 0;
rows: // hint?
  for (int y = 0; y < height; ++y) {
    [[maybe_unused]] const int *row = grid + y * width;
    [[likely]] for (int x = 0; x < width; ++x) { // hint
      ++seen;
      if (row[x] == wanted)
        goto found;
      if (row[x] < 0)
        goto restart;
    }
  }
found:
  return seen;
restart:
  ++wanted;
  goto rows;
}

void scale(float *values, int count, float by) {
#if defined(__clang__)
#pragma clang loop interleave_count(2)
#else
#pragma GCC ivdep
#endif
  for (int i = 0; i < count; ++i) // hint
    values[i] *= by;
}

int labelled(const int *values, int count) {
  int sum = 0;
first: second: while (count > 0) // hint
    sum ^= values[--count];
  return sum;
}
