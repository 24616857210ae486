// The divider: by a value that is not known, by one that is, and of floating-point numbers.
int divisorsOf(int number) {
  int count = 0;
  for (int i = 1; i <= number; ++i) // hint
    count += number % i == 0;
  return count;
}

unsigned digitSum(unsigned long long number) {
  unsigned sum = 0;
  do { // hint
    sum += (unsigned)(number % 10);
    number /= 10;
  } while (number);
  return sum;
}

void invert(double *values, int count, double by) {
  for (int i = 0; i < count; ++i) // hint
    values[i] = by / values[i];
}

unsigned commonDivisor(unsigned a, unsigned b) {
  while (b) { // hint
    const unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
