// Assembly in a loop, and a loop in assembly.
void keep(const int *values, int count) {
  for (int i = 0; i < count; ++i) // hint
    __asm__ volatile("" : : "r"(values[i]) : "memory");
}

unsigned long rotated(unsigned long value, int turns) {
  while (turns--) { // hint
#if defined(__x86_64__)
    __asm__ volatile("rolq $5, %0" : "+r"(value));
#elif defined(__aarch64__)
    __asm__ volatile("ror %0, %0, #59" : "+r"(value));
#else
    __asm__ volatile("slli %0, %0, 5" : "+r"(value));
#endif
  }
  return value;
}

void spin(long turns) {
#if defined(__x86_64__)
  __asm__ volatile("1: decq %0\n\tjnz 1b" : "+r"(turns) : : "cc"); // hint?
#elif defined(__aarch64__)
  __asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(turns) : : "cc"); // hint?
#else
  __asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(turns)); // hint?
#endif
}
