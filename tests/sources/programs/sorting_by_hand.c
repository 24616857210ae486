// Nests whose inner loop's bounds move with the outer one.
void insertionSort(int *values, int count) {
  for (int i = 1; i < count; ++i) {
    const int value = values[i];
    int at = i;
    while (at > 0 && values[at - 1] > value) { // hint
      values[at] = values[at - 1];
      --at;
    }
    values[at] = value;
  }
}

int binarySearch(const int *values, int count, int wanted) {
  int low = 0;
  int high = count;
  while (low < high) { // hint
    const int middle = low + (high - low) / 2;
    if (values[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
