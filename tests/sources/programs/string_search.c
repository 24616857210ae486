// Text in text.
int find(const char *text, int length, const char *wanted, int count) {
  for (int i = 0; i + count <= length; ++i) { // hint?
    int j = 0;
    while (j < count && text[i + j] == wanted[j]) // hint
      ++j;
    if (j == count)
      return i;
  }
  return -1;
}

void prefixes(const char *wanted, int count, int *table) {
  table[0] = 0;
  int matched = 0;
  for (int i = 1; i < count; ++i) { // hint?
    while (matched && wanted[i] != wanted[matched]) // hint
      matched = table[matched - 1];
    if (wanted[i] == wanted[matched])
      ++matched;
    table[i] = matched;
  }
}

unsigned rolling(const unsigned char *text, int length, int window, unsigned wanted) {
  unsigned hash = 0, power = 1, found = 0;
  for (int i = 0; i < window; ++i) { // hint
    hash = hash * 257 + text[i];
    power *= 257;
  }
  for (int i = window; i < length; ++i) { // hint
    found += hash == wanted;
    hash = hash * 257 + text[i] - power * text[i - window];
  }
  return found;
}
