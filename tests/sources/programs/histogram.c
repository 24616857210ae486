// Counts by value: each turn may touch what the last one stored.
void countBytes(unsigned *counts, const unsigned char *bytes, unsigned long count) {
  for (unsigned long i = 0; i < count; ++i) // hint
    ++counts[bytes[i]];
}

void countInFour(unsigned counts[4][256], const unsigned char *bytes, unsigned long count) {
  for (unsigned long i = 0; i + 4 <= count; i += 4) { // hint
    ++counts[0][bytes[i]];
    ++counts[1][bytes[i + 1]];
    ++counts[2][bytes[i + 2]];
    ++counts[3][bytes[i + 3]];
  }
}
