// Regions that comments mark, around a loop, within one, and around no loop.
void blend(float *to, const float *from, int count, float share) {
  // hint below
  // LLVM-MCA-BEGIN blend
  for (int i = 0; i < count; ++i) // hint
    to[i] += share * (from[i] - to[i]);
  // LLVM-MCA-END blend
}

int polynomial(const int *values, int count, int x) {
  int sum = 0;
  for (int i = 0; i < count; ++i) { // hint
    // hint below
    // LLVM-MCA-BEGIN horner
    const int a = values[i];
    sum = (sum * x + a) * x - a;
    // LLVM-MCA-END horner
  }
  return sum;
}

float distance(const float *a, const float *b) {
  // hint below
  // LLVM-MCA-BEGIN
  const float dx = a[0] - b[0];
  const float dy = a[1] - b[1];
  return dx * dx + dy * dy;
  // LLVM-MCA-END
}
