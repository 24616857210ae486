// Text in UTF-8: counted, checked and decoded.
long codePoints(const unsigned char *text, long bytes) {
  long count = 0;
  for (long i = 0; i < bytes; ++i) // hint
    count += (text[i] & 0xc0) != 0x80;
  return count;
}

long decode(const unsigned char *at, const unsigned char *end, unsigned *to) {
  unsigned *const begin = to;
  while (at < end) { // hint
    unsigned value = *at++;
    if (value >= 0xf0) {
      value = (value & 7) << 18 | (at[0] & 63u) << 12 | (at[1] & 63u) << 6 | (at[2] & 63u);
      at += 3;
    } else if (value >= 0xe0) {
      value = (value & 15) << 12 | (at[0] & 63u) << 6 | (at[1] & 63u);
      at += 2;
    } else if (value >= 0xc0) {
      value = (value & 31) << 6 | (*at++ & 63u);
    }
    *to++ = value;
  }
  return to - begin;
}

int isAscii(const unsigned char *text, long bytes) {
  unsigned char any = 0;
  for (long i = 0; i < bytes; ++i) // hint
    any |= text[i];
  return any < 0x80;
}

long toLatin(const unsigned *from, long count, unsigned char *to) {
  long written = 0;
  for (; written < count && from[written] < 256; ++written) // hint
    to[written] = (unsigned char)from[written];
  return written;
}
