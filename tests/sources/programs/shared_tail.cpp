// Two loops that end alike, and two that are equal: a compiler may merge them or share their ends.
int pick(const int *values, int count, bool backwards) {
  int result = 0;
  if (backwards) {
    for (int i = count; i > 0; --i) // hint
      result = result * 3 + values[i - 1];
  } else {
    for (int i = 0; i < count; ++i) // hint
      result = result * 3 + values[i];
  }
  return result;
}

int either(const int *a, const int *b, int count, bool first) {
  int result = 0;
  if (first)
    for (int i = 0; i < count; ++i) // hint
      result ^= a[i];
  else
    for (int i = 0; i < count; ++i) // hint
      result ^= b[i];
  return result;
}
