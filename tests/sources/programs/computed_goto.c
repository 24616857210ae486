// An interpreter whose instructions jump straight to the next one: a loop only to who sees the jumps.
long interpret(const unsigned char *code, long accumulator) {
  static const void *const kTargets[] = {&&increment, &&twice, &&negate, &&halt};
  goto *kTargets[*code++ & 3]; // hint?
increment: // hint?
  ++accumulator; // hint?
  goto *kTargets[*code++ & 3]; // hint?
twice: // hint?
  accumulator *= 2; // hint?
  goto *kTargets[*code++ & 3]; // hint?
negate: // hint?
  accumulator = -accumulator; // hint?
  goto *kTargets[*code++ & 3]; // hint?
halt:
  return accumulator;
}

long interpretInLoop(const unsigned char *code, long accumulator) {
  static const void *const kTargets[] = {&&increment, &&twice, &&halt};
  for (;;) { // hint?
    goto *kTargets[*code++ % 3];
  increment:
    ++accumulator;
    continue;
  twice:
    accumulator *= 2;
  }
halt:
  return accumulator;
}
