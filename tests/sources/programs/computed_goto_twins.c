// Two interpreters with the same labels: what one jumps to is not the other's.
long evaluate(const unsigned char *code, long value) {
  static const void *const kLabels[] = {&&increment, &&negate, &&halt};
  goto *kLabels[*code++ % 3]; // hint?
increment: // hint?
  value += *code++; // hint?
  goto *kLabels[*code++ % 3]; // hint?
negate: // hint?
  value = -value; // hint?
  goto *kLabels[*code++ % 3]; // hint?
halt:
  while (*code) // hint
    value = value * 7 + *code++;
  return value;
}

long measure(const unsigned char *code, long value) {
  static const void *const kLabels[] = {&&increment, &&negate, &&halt};
  goto *kLabels[*code++ % 3]; // hint?
increment: // hint?
  ++value; // hint?
  ++code;
  goto *kLabels[*code++ % 3]; // hint?
negate: // hint?
  value ^= 1; // hint?
  goto *kLabels[*code++ % 3]; // hint?
halt:
  while (value > 9) // hint
    value = value / 10 + value % 10;
  return value;
}
