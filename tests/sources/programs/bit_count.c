// Set bits: one by one, which a compiler may turn into an instruction, and by the builtin.
unsigned bitsOf(unsigned long long word) {
  unsigned count = 0;
  while (word) { // hint?
    word &= word - 1;
    ++count;
  }
  return count;
}

unsigned bitsOfAll(const unsigned long long *words, unsigned count) {
  unsigned bits = 0;
  for (unsigned i = 0; i < count; ++i) // hint
    bits += (unsigned)__builtin_popcountll(words[i]);
  return bits;
}

int highestBit(unsigned word) {
  int bit = -1;
  for (; word; word >>= 1) // hint?
    ++bit;
  return bit;
}
