// Values too large for registers: their copies may be loops or calls of the compiler's own.
struct Block {
  double values[40];
};

void copyBlock(struct Block *to, const struct Block *from) {
  *to = *from; // hint?
}

void spread(struct Block *blocks, const struct Block *pattern, int count) {
  for (int i = 0; i < count; ++i) // hint?
    blocks[i] = *pattern;         // hint?
}

void clear(struct Block *blocks, int count) {
  for (int i = 0; i < count; ++i)        // hint?
    blocks[i] = (struct Block){{0}}; // hint?
}
