// Each line of this file ends with a carriage return and a line feed.
int sum(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += values[i];
  return sum;
}

#define SUM_TO_ZERO(sum, values) \
  while (*(values))              \
    (sum) += *(values)++

int sumToZero(const int *values) {
  int sum = 0;
  SUM_TO_ZERO(sum, values); // hint
  return sum;
}
