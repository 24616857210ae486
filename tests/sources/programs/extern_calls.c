// Calls to functions that another file has.
int weigh(int value);
void report(int index, int weight);

int total(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += weigh(values[i]);
  return sum;
}

void reportAll(const int *values, int count, int limit) {
  for (int i = 0; i < count; ++i) { // hint
    const int weight = weigh(values[i]);
    if (weight > limit)
      report(i, weight);
  }
}
