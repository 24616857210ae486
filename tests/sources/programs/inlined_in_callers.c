// A helper with a loop that is inlined into each of its callers: all copies stand on the helper's line.
static inline unsigned sumOfBytes(const unsigned char *bytes, unsigned count) {
  unsigned a = 1, b = 0;
  for (unsigned i = 0; i < count; ++i) { // hint
    a += bytes[i];
    b += a;
  }
  return b << 16 | (a & 0xffff);
}

struct Header {
  unsigned char bytes[24];
  unsigned checksum;
};

int isIntact(const struct Header *header, const unsigned char *body, unsigned count) {
  return header->checksum == sumOfBytes(body, count);
}

void seal(struct Header *header, const unsigned char *body, unsigned count) {
  header->checksum = sumOfBytes(body, count) ^ 0xffffffff;
}

unsigned sumOfAll(const unsigned char *const *parts, const unsigned *counts, int parts_count) {
  unsigned sum = 0;
  for (int i = 0; i < parts_count; ++i) // hint?
    sum ^= sumOfBytes(parts[i], counts[i]);
  return sum;
}
