// Counters that wrap around: one narrower than a register, and one that runs down below zero.
unsigned everySlot(const unsigned *slots, unsigned char first, unsigned char step) {
  unsigned sum = 0;
  unsigned char slot = first;
  do { // hint
    sum += slots[slot];
    slot = (unsigned char)(slot + step);
  } while (slot != first);
  return sum;
}

long lastNegative(const int *values, unsigned long count) {
  for (unsigned long i = count - 1; i < count; --i) // hint
    if (values[i] < 0)
      return (long)i;
  return -1;
}
