// Loops whose first instruction is also the outer loop's, and a `continue` that makes no loop of its own.
void joinRarest(long *frequency, int *others, int *size) { // as libjpeg builds its Huffman codes
  for (;;) {
    int first = -1, second = -1;
    long least = 1000000000L;
    for (int i = 0; i <= 256; i++) // hint?
      if (frequency[i] && frequency[i] <= least) {
        least = frequency[i];
        first = i;
      }
    least = 1000000000L;
    for (int i = 0; i <= 256; i++) // hint
      if (frequency[i] && frequency[i] <= least && i != first) {
        least = frequency[i];
        second = i;
      }
    if (second < 0)
      break;
    frequency[first] += frequency[second];
    frequency[second] = 0;
    size[first]++;
    while (others[first] >= 0) { // hint
      first = others[first];
      size[first]++;
    }
    others[first] = second;
    size[second]++;
    while (others[second] >= 0) { // hint
      second = others[second];
      size[second]++;
    }
  }
}

int sumOfRows(const int *const *rows, const int *lengths, int count) {
  int sum = 0;
  for (int row = 0; row < count; ++row) { // hint?
    if (!rows[row])
      continue;
    for (int i = 0; i < lengths[row]; ++i) // hint
      sum += rows[row][i];
  }
  return sum;
}
