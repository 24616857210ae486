// mca: cpu=btver2
// Of a compiler's assembly, what has no scheduling data is named, and what is written as data counts.
void sums(int *to, long n) {
  for (long i = 0; i < n; ++i)
    asm volatile("vpaddd %%ymm0, %%ymm1, %%ymm2\n\tvpaddd %%ymm2, %%ymm1, %%ymm0" ::: "memory");
}

unsigned counts(unsigned value, long n) {
  for (long i = 0; i < n; ++i)
    asm volatile(".byte 0xf3, 0x0f, 0xb8, 0xc0" : "+a"(value)); // popcnt %eax, %eax
  return value;
}
