// No condition in the head: the way out is inside.
int drain(const int *queue, int stop) {
  int sum = 0;
  for (;;) { // hint
    const int value = *queue++;
    if (value == stop)
      break;
    sum += value;
  }
  return sum;
}

unsigned nextPowerOfThree(unsigned n) {
  unsigned power = 1;
  while (1) { // hint
    if (power >= n)
      return power;
    power *= 3;
  }
}
