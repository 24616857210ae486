long sum(const int *values, long n) {
  long total = 0;
  for (long i = 0; i < n; ++i)
    total += values[i];
  return total;
}
