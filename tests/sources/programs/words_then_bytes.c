// Eight bytes at a time as long as there are eight, then one by one: hashes, comparisons, searches.
typedef unsigned long long Word __attribute__((aligned(1), may_alias));

unsigned long long hash(const unsigned char *bytes, unsigned long count) {
  unsigned long long result = 0xcbf29ce484222325u;
  for (; count >= 8; count -= 8, bytes += 8) { // hint
    result ^= *(const Word *)bytes;
    result *= 0x100000001b3u;
    result ^= result >> 29;
  }
  for (; count; --count) { // hint?
    result ^= *bytes++;
    result *= 0x100000001b3u;
  }
  return result;
}

unsigned long commonPrefix(const unsigned char *a, const unsigned char *b, unsigned long count) {
  unsigned long i = 0;
  while (i + 8 <= count && *(const Word *)(a + i) == *(const Word *)(b + i)) // hint
    i += 8;
  while (i < count && a[i] == b[i]) // hint
    ++i;
  return i;
}

const unsigned char *findZero(const unsigned char *at) {
  while ((unsigned long)at & 7) { // hint?
    if (!*at)
      return at;
    ++at;
  }
  for (;;) { // hint
    const unsigned long long word = *(const Word *)at;
    if ((word - 0x0101010101010101u) & ~word & 0x8080808080808080u)
      break;
    at += 8;
  }
  while (*at) // hint?
    ++at;
  return at;
}
