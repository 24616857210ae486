// Loops that are memcpy, memmove and memset in disguise: a compiler may call those instead.
void copyBytes(char *restrict to, const char *restrict from, unsigned long count) {
  for (unsigned long i = 0; i < count; ++i) // hint?
    to[i] = from[i];
}

void fillBytes(unsigned char *to, unsigned char value, unsigned long count) {
  for (unsigned long i = 0; i < count; ++i) // hint?
    to[i] = value;
}

void clearRows(int *rows, int width, int height) {
  for (int y = 0; y < height; ++y)  // hint?
    for (int x = 0; x < width; ++x) // hint?
      rows[y * width + x] = 0;
}

void fillWords(int *to, int value, unsigned long count) {
  for (unsigned long i = 0; i < count; ++i) // hint
    to[i] = value;
}
