// From the end to the beginning.
void addBackwards(float *restrict to, const float *restrict by, int count) {
  for (int i = count - 1; i >= 0; --i) // hint
    to[i] += by[i];
}

int product(const int *factors, int count) {
  int result = 1;
  while (count-- > 0) // hint
    result *= factors[count];
  return result;
}

unsigned steps(unsigned n) {
  unsigned taken = 0;
  while (n != 1) { // hint
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++taken;
  }
  return taken;
}
