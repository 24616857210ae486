// A checksum by table, and the loop that makes the table, whose inner loop has eight turns only.
void makeTable(unsigned *table, unsigned polynomial) {
  for (unsigned i = 0; i < 256; ++i) { // hint?
    unsigned rest = i;
    for (int bit = 0; bit < 8; ++bit) // hint?
      rest = rest & 1 ? rest >> 1 ^ polynomial : rest >> 1;
    table[i] = rest;
  }
}

unsigned checksum(const unsigned *table, const unsigned char *bytes, unsigned long count) {
  unsigned rest = ~0u;
  for (unsigned long i = 0; i < count; ++i) // hint
    rest = table[(rest ^ bytes[i]) & 0xff] ^ rest >> 8;
  return ~rest;
}
