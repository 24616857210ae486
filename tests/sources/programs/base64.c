// Base64, both ways.
static const char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *encode(const unsigned char *from, int count, char *to) {
  for (; count >= 3; count -= 3, from += 3) { // hint
    const unsigned bits = (unsigned)from[0] << 16 | (unsigned)from[1] << 8 | from[2];
    *to++ = kLetters[bits >> 18];
    *to++ = kLetters[bits >> 12 & 63];
    *to++ = kLetters[bits >> 6 & 63];
    *to++ = kLetters[bits & 63];
  }
  if (count) {
    const unsigned bits = (unsigned)from[0] << 16 | (count == 2 ? (unsigned)from[1] << 8 : 0);
    *to++ = kLetters[bits >> 18];
    *to++ = kLetters[bits >> 12 & 63];
    *to++ = count == 2 ? kLetters[bits >> 6 & 63] : '=';
    *to++ = '=';
  }
  return to;
}

void makeTable(signed char *table) {
  for (int i = 0; i < 256; ++i) // hint?
    table[i] = -1;
  for (int i = 0; i < 64; ++i) // hint?
    table[(unsigned char)kLetters[i]] = (signed char)i;
}

int decode(const char *from, const signed char *table, unsigned char *to) {
  unsigned char *const begin = to;
  unsigned bits = 0;
  int count = 0;
  for (;; ++from) { // hint
    const int value = table[(unsigned char)*from];
    if (value < 0)
      break;
    bits = bits << 6 | (unsigned)value;
    if (++count == 4) {
      *to++ = (unsigned char)(bits >> 16);
      *to++ = (unsigned char)(bits >> 8);
      *to++ = (unsigned char)bits;
      count = 0;
      bits = 0;
    }
  }
  return (int)(to - begin);
}
