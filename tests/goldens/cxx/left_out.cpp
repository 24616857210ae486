// mca: cpu=btver2
//  | target: x86_64-unknown-linux-gnu btver2 (set in the buffer); btver2: its own model
// Of a compiler's assembly, what has no scheduling data is named, and what is written as data counts.
void sums(int *to, long n) {
  for (long i = 0; i < n; ++i)
//  ^ hint: ≥ 1.0 cyc · lacks vpaddd
//  | region loop in sums (loop) to line 5: 2 instructions, 100 iterations in 104 cycles, block rthroughput 1.00
//  |   caveat: 2 of its instructions (`vpaddd`) have no scheduling data on btver2 and are missing
    asm volatile("vpaddd %%ymm0, %%ymm1, %%ymm2\n\tvpaddd %%ymm2, %%ymm1, %%ymm0" ::: "memory");
//  | finding 5-97: warning no-scheduling-data: no scheduling data for `vpaddd` on btver2: it is left out, and the cycles are a lower bound
}

unsigned counts(unsigned value, long n) {
  for (long i = 0; i < n; ++i)
//  ^ hint: IPC 2.00 · 1.5 cyc · JALU0,JALU1
//  | finding 3-31: information resource-bottleneck: loop in counts: limited by JALU0 and JALU1: 3 instructions keep them busy in 1.5 of 1.5 cycles per iteration
//  |   line 10: popcntl %eax, %eax: JALU1 for 0.99 cycles
//  |   line 9: decq %rsi: JALU0 for 0.50 and JALU1 for 0.50 cycles
//  |   line 9: jne .LBB1_1: JALU0 for 0.99 cycles
//  | region loop in counts (loop) to line 10: 3 instructions, 100 iterations in 154 cycles, block rthroughput 1.50
    asm volatile(".byte 0xf3, 0x0f, 0xb8, 0xc0" : "+a"(value)); // popcnt %eax, %eax
  return value;
}
