// Sums that stop at the greatest value rather than wrap around.
void addSaturated(unsigned char *to, const unsigned char *by, int count) {
  for (int i = 0; i < count; ++i) { // hint
    const int sum = to[i] + by[i];
    to[i] = sum > 255 ? 255 : (unsigned char)sum;
  }
}

int totalSaturated(const int *values, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i) // hint
    if (__builtin_add_overflow(total, values[i], &total))
      total = values[i] < 0 ? -2147483647 - 1 : 2147483647;
  return total;
}
