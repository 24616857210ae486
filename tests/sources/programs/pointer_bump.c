// Pointers that walk, alone and two by two.
unsigned xorOf(const unsigned *begin, const unsigned *end) {
  unsigned result = 0;
  while (begin != end) // hint
    result ^= *begin++;
  return result;
}

int sameBytes(const unsigned char *a, const unsigned char *b, const unsigned char *end) {
  for (; a != end; ++a, ++b) // hint
    if (*a != *b)
      return 0;
  return 1;
}

void swapRanges(int *a, int *b, const int *end) {
  while (a != end) { // hint
    const int kept = *a;
    *a++ = *b;
    *b++ = kept;
  }
}
