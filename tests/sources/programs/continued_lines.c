// Lines that go on behind a backslash, within a head and within a word.
int sum(const int *values, int count) {
  int sum = 0;
  // hint below
  for (int i = 0; \
       i < count; \
       ++i)
    sum += values[i];
  return sum;
}

int product(const int *values, int count) {
  int product = 1;
  // hint below
  fo\
r (int i = 0; i < count; ++i)
    product *= values[i];
  return product;
}
