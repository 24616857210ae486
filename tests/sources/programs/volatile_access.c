// Each access happens, in order, and the loop stays even when nothing comes of it.
unsigned waitFor(const volatile unsigned *status, unsigned mask) {
  unsigned turns = 0;
  while (!(*status & mask)) // hint
    ++turns;
  return turns;
}

void send(volatile unsigned char *port, const unsigned char *bytes, int count) {
  for (int i = 0; i < count; ++i) // hint
    *port = bytes[i];
}

void delay(int turns) {
  for (volatile int i = 0; i < turns; ++i) // hint
    ;
}
