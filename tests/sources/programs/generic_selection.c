// _Generic chooses the function; its loop is in the function.
static float sumOfFloats(const float *values, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += values[i];
  return sum;
}

static int sumOfInts(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += values[i];
  return sum;
}

#define SUM(values, count) _Generic((values), const float *: sumOfFloats, const int *: sumOfInts)((values), (count))

float mean(const float *values, int count) { return SUM(values, count) / (float)count; }

int parity(const int *values, int count) { return SUM(values, count) & 1; }
