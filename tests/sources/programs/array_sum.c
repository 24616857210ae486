// The plainest loop there is, over ints and over floats: the one may be vectorised, the other keeps its order.
int sumOfInts(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += values[i];
  return sum;
}

float sumOfFloats(const float *values, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += values[i];
  return sum;
}

double sumOfDoubles(const double *values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) { // hint
    sum += values[i];
  }
  return sum;
}
