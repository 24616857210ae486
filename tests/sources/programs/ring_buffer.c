// A ring: indices that wrap around, by a mask and by a comparison.
struct Ring {
  int *items;
  unsigned capacity;
  unsigned first;
  unsigned count;
};

int sumOfRing(const struct Ring *ring) {
  int sum = 0;
  unsigned at = ring->first;
  for (unsigned left = ring->count; left; --left) { // hint
    sum += ring->items[at];
    if (++at == ring->capacity)
      at = 0;
  }
  return sum;
}

void pushAll(struct Ring *ring, const int *items, unsigned count) {
  const unsigned mask = ring->capacity - 1;
  for (unsigned i = 0; i < count; ++i) // hint
    ring->items[(ring->first + ring->count + i) & mask] = items[i];
  ring->count += count;
}

unsigned drain(struct Ring *ring, int *to) {
  unsigned taken = 0;
  while (ring->count) { // hint
    to[taken++] = ring->items[ring->first & (ring->capacity - 1)];
    ++ring->first;
    --ring->count;
  }
  return taken;
}
