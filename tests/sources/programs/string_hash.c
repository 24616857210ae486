// Two hashes of a string, each a chain of multiplications.
unsigned fnv(const char *text) {
  unsigned hash = 2166136261u;
  for (; *text; ++text) // hint
    hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

unsigned long timesThirtyThree(const unsigned char *text) {
  unsigned long hash = 5381;
  int c;
  while ((c = *text++)) // hint
    hash = hash * 33 + (unsigned long)c;
  return hash;
}
