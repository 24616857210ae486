// Three loops deep, in two orders.
void multiplyRows(float *restrict c, const float *restrict a, const float *restrict b, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) // hint
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

void multiplyDots(double *restrict c, const double *restrict a, const double *restrict b, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) // hint
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
