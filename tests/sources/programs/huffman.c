// Prefix codes: lengths to codes, and a heap of weights.
void countLengths(const unsigned char *lengths, int symbols, int *counts) {
  for (int i = 0; i < symbols; ++i) // hint
    ++counts[lengths[i]];
}

void assignCodes(const unsigned char *lengths, int symbols, unsigned *next, unsigned *codes) {
  for (int i = 0; i < symbols; ++i) // hint
    if (lengths[i])
      codes[i] = next[lengths[i]]++;
}

void siftDown(int *heap, const int *weights, int count, int at) {
  const int item = heap[at];
  for (;;) { // hint
    int child = at * 2;
    if (child > count)
      break;
    if (child < count && weights[heap[child + 1]] < weights[heap[child]])
      ++child;
    if (weights[item] < weights[heap[child]])
      break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = item;
}

void siftUp(int *heap, const int *weights, int at) {
  const int item = heap[at];
  while (at > 1 && weights[item] < weights[heap[at >> 1]]) { // hint
    heap[at] = heap[at >> 1];
    at >>= 1;
  }
  heap[at] = item;
}

unsigned reverse(unsigned code, int length) {
  unsigned result = 0;
  do { // hint
    result = result << 1 | (code & 1);
    code >>= 1;
  } while (--length > 0);
  return result;
}
