// Loops in which several things move, each at its own pace.
void transpose(float *restrict to, const float *restrict from, int rows, int columns) {
  for (int y = 0; y < rows; ++y) {
    const float *source = from + (long)y * columns;
    float *target = to + y;
    for (int x = 0; x < columns; ++x, ++source, target += rows) // hint
      *target = *source;
  }
}

long weighted(const short *values, const int *weights, int count) {
  long sum = 0, index = 0;
  for (int i = 0, step = 3; i < count; ++i, step += 2) { // hint
    sum += (long)values[i] * weights[i] + index;
    index += step;
  }
  return sum;
}

void reverseInto(unsigned char *restrict to, const unsigned char *restrict from, long count) {
  const unsigned char *source = from + count;
  while (source != from) // hint
    *to++ = *--source;
}

int isPalindrome(const char *text, int length) {
  for (int i = 0, j = length - 1; i < j; ++i, --j) // hint
    if (text[i] != text[j])
      return 0;
  return 1;
}

void compact(int *values, int *count) {
  int kept = 0;
  for (int i = 0; i < *count; ++i) // hint
    if (values[i] != 0)
      values[kept++] = values[i];
  *count = kept;
}
