// mca: cpu=sifive-x280
//  | target: riscv64-unknown-linux-gnu sifive-x280 (set in the buffer); sifive-x280: its own model
// C for a core with vectors.
void add(int *restrict out, const int *restrict a, const int *restrict b, long count) {
  for (long i = 0; i < count; ++i)
//  ^ hint: ≈ IPC 0.65 · 17.0 cyc · dep
//  | finding 3-35: information in-order-stall: loop in add: limited by register dependencies: instructions wait in 10.0 of 17.0 cycles per iteration of the machine code, longest vse32.v for v8
//  |   line 5: vse32.v v8, (a5): waits 4.0 cycles for v8
//  |   line 5: vle32.v v8, (a5): waits 2.0 cycles for a5
//  |   line 5: vle32.v v10, (a5): waits 2.0 cycles for a5
//  |   line 5: vadd.vv v8, v10, v8: waits 2.0 cycles for v10
//  | region loop in add (loop) to line 5: 11 instructions, 100 iterations in 1703 cycles, block rthroughput 10.00
//  |   caveat: the compiler unrolled or vectorized the loop; how many of its iterations are one of the machine code's is not known, so the cycles are those of the machine code's iteration
    out[i] = a[i] + b[i];
}

unsigned long gcd(unsigned long a, unsigned long b) {
  while (b) {
//  ^ hint: IPC 0.03 · 66.00 cyc/iter · IDiv
//  | finding 3-14: information resource-bottleneck: loop in gcd, unrolled ×8: limited by VLEN512SiFive7IDiv: 8 remu keep it busy in 520.0 of 528.0 cycles per 8 iterations (66.00 each)
//  |   line 10: remu a0, a0, a1: VLEN512SiFive7IDiv for 65.00 cycles
//  |   line 10: remu a1, a1, a0: VLEN512SiFive7IDiv for 65.00 cycles
//  |   line 10: remu a0, a0, a1: VLEN512SiFive7IDiv for 65.00 cycles
//  |   line 10: remu a1, a1, a0: VLEN512SiFive7IDiv for 65.00 cycles
//  |   line 10: remu a0, a0, a1: VLEN512SiFive7IDiv for 65.00 cycles
//  | region loop in gcd, unrolled ×8 (loop) to line 13: 16 instructions, 100 iterations in 52802 cycles, block rthroughput 520.00
    unsigned long rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
