// Decompression: literals and matches that may overlap with what they write.
typedef unsigned char Byte;

static void copyMatch(Byte *to, int distance, int length) {
  const Byte *from = to - distance;
  do // hint
    *to++ = *from++;
  while (--length);
}

long decode(const Byte *from, const Byte *end, Byte *to) {
  Byte *const begin = to;
  while (from < end) { // hint?
    const unsigned token = *from++;
    int literals = (int)(token >> 4);
    if (literals == 15)
      for (unsigned more = 255; more == 255 && from < end; literals += (int)more) // hint
        more = *from++;
    for (; literals > 0; --literals) // hint
      *to++ = *from++;
    if (from >= end)
      break;
    const int distance = from[0] | from[1] << 8;
    from += 2;
    copyMatch(to, distance, (int)(token & 15) + 4);
    to += (token & 15) + 4;
  }
  return to - begin;
}
