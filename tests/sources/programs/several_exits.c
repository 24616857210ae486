// Loops with more than one way out.
int indexOf(const int *values, int count, int wanted, int *comparisons) {
  for (int i = 0; i < count; ++i) { // hint
    ++*comparisons;
    if (values[i] == wanted)
      return i;
    if (values[i] > wanted)
      return -1;
  }
  return -2;
}

int sumUpTo(const int *values, int count, int limit) {
  int sum = 0;
  for (int i = 0; i < count; ++i) { // hint
    if (values[i] < 0)
      continue;
    if (sum + values[i] > limit)
      break;
    sum += values[i];
  }
  return sum;
}
