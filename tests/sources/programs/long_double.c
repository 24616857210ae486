// The widest floating-point type: an instruction on one CPU, a call on another.
long double sum(const long double *values, int count) {
  long double result = 0;
  for (int i = 0; i < count; ++i) // hint
    result += values[i];
  return result;
}

double exactProduct(const double *a, const double *b, int count) {
  long double result = 0;
  for (int i = 0; i < count; ++i) // hint
    result += (long double)a[i] * b[i];
  return (double)result;
}
