// Heads and conditions with several expressions in them.
int meetInTheMiddle(const int *values, int count) {
  int steps = 0;
  for (int low = 0, high = count - 1; low < high; ++low, --high) // hint
    steps += values[low] == values[high];
  return steps;
}

int nextAbove(const int *values, int limit, int stop) {
  int value;
  while (value = *values++, value < limit && value != stop) // hint
    ;
  return value;
}
