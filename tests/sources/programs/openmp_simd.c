// flags: -fopenmp-simd
// Loops that a pragma asks to vectorise, a reduction and a nest made one among them.
float dotProduct(const float *a, const float *b, int count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < count; ++i) // hint
    sum += a[i] * b[i];
  return sum;
}

void addScaled(double *to, const double *by, double factor, int count) {
#pragma omp simd
  for (int i = 0; i < count; ++i) // hint
    to[i] += factor * by[i];
}

#pragma omp declare simd uniform(b) notinbranch
float squareOf(float a, float b);

void squares(float *values, float b, int count) {
#pragma omp simd safelen(8)
  for (int i = 0; i < count; ++i) // hint
    values[i] = values[i] * values[i] + b;
}
