// One function with a loop, inlined in two places: the loop stands at its own head, wherever it went.
static inline int sumOf(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += values[i];
  return sum;
}

int difference(const int *a, const int *b, int count) {
  return sumOf(a, count) - sumOf(b, count);
}

int sumOfRows(const int *const *rows, int height, int width) {
  int sum = 0;
  for (int y = 0; y < height; ++y)
    sum ^= sumOf(rows[y], width);
  return sum;
}
