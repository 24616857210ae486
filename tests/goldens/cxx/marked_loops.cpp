// mca: cpu=skylake
//  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
// Marked loops have the numbers of their hints, in each function that they were inlined into.
static void scale(float *values, int count) {
  // LLVM-MCA-BEGIN scale
//  ^ hint: IPC 2.75 · 0.13 cyc/iter · p4 +2
//  | finding 3-26: information resource-bottleneck: scale inlined into once at line 11, vector body ×32: limited by SKLPort4: 4 vmovups keep it busy in 4.0 of 4.0 cycles per 32 iterations (0.13 each)
//  |   line 7: vmovups %ymm1, (%rdi,%rsi): SKLPort4 for 1.00 cycles
//  |   line 7: vmovups %ymm2, 32(%rdi,%rsi): SKLPort4 for 1.00 cycles
//  |   line 7: vmovups %ymm3, 64(%rdi,%rsi): SKLPort4 for 1.00 cycles
//  |   line 7: vmovups %ymm4, 96(%rdi,%rsi): SKLPort4 for 1.00 cycles
//  | region scale inlined into once at line 11, vector body ×32 (marker) to line 8: 11 instructions, 100 iterations in 414 cycles, block rthroughput 4.00
//  |   budget: cycles 0.130 of 0.100 on skylake, not met
//  | region scale inlined into twice at line 14, vector body ×32 (marker) to line 8: 11 instructions, 100 iterations in 414 cycles, block rthroughput 4.00
//  |   budget: cycles 0.130 of 0.100 on skylake, not met
//  | region scale inlined into twice at line 15, vector body ×32 (marker) to line 8: 11 instructions, 100 iterations in 414 cycles, block rthroughput 4.00
//  |   budget: cycles 0.130 of 0.100 on skylake, not met
  // mca: cycles<=0.1
//  | finding 3-22: warning budget-exceeded: cycles 0.13 > 0.1 on skylake: scale inlined into once at line 11, vector body ×32; limited by SKLPort4: 4 vmovups keep it busy in 4.0 of 4.0 cycles per 32 iterations (0.13 each)
  for (int i = 0; i < count; ++i)
//  ^ hint: IPC 2.75 · 0.13 cyc/iter · p4 +8
//  | finding 3-34: information resource-bottleneck: loop inlined into once at line 11, vector body ×32: limited by SKLPort4: 4 vmovups keep it busy in 4.0 of 4.0 cycles per 32 iterations (0.13 each)
//  |   line 7: vmovups %ymm1, (%rdi,%rsi): SKLPort4 for 1.00 cycles
//  |   line 7: vmovups %ymm2, 32(%rdi,%rsi): SKLPort4 for 1.00 cycles
//  |   line 7: vmovups %ymm3, 64(%rdi,%rsi): SKLPort4 for 1.00 cycles
//  |   line 7: vmovups %ymm4, 96(%rdi,%rsi): SKLPort4 for 1.00 cycles
//  | region loop inlined into once at line 11, vector body ×32 (loop) to line 7: 11 instructions, 100 iterations in 414 cycles, block rthroughput 4.00
//  | region loop inlined into once at line 11, vector body ×4 (loop) to line 7: 5 instructions, 100 iterations in 138 cycles, block rthroughput 1.17
//  | region loop inlined into once at line 11, remainder (loop) to line 7: 5 instructions, 100 iterations in 137 cycles, block rthroughput 1.17
//  | region loop inlined into twice at line 14, vector body ×32 (loop) to line 7: 11 instructions, 100 iterations in 414 cycles, block rthroughput 4.00
//  | region loop inlined into twice at line 14, vector body ×4 (loop) to line 7: 5 instructions, 100 iterations in 138 cycles, block rthroughput 1.17
//  | region loop inlined into twice at line 14, remainder (loop) to line 7: 5 instructions, 100 iterations in 137 cycles, block rthroughput 1.17
//  | region loop inlined into twice at line 15, vector body ×32 (loop) to line 7: 11 instructions, 100 iterations in 414 cycles, block rthroughput 4.00
//  | region loop inlined into twice at line 15, vector body ×4 (loop) to line 7: 5 instructions, 100 iterations in 138 cycles, block rthroughput 1.17
//  | region loop inlined into twice at line 15, remainder (loop) to line 7: 5 instructions, 100 iterations in 137 cycles, block rthroughput 1.17
    values[i] *= 3;
  // LLVM-MCA-END scale
}
void once(float *values, int count) {
  scale(values, count);
}
void twice(float *values, int count) {
  scale(values, count);
  scale(values + count, count);
}
unsigned inside(unsigned *values, unsigned count) {
  unsigned total = 0;
  for (unsigned i = 0; i < count; ++i) {
//  ^ hint: IPC 3.38 · 1.00 cyc/iter · p4 +1
//  | finding 3-41: information resource-bottleneck: loop in inside, unrolled ×8: limited by SKLPort4: 8 movl keep it busy in 8.0 of 8.0 cycles per 8 iterations (1.00 each)
//  |   line 23: movl %eax, (%rdi,%rdx,4): SKLPort4 for 1.00 cycles
//  |   line 23: movl %esi, 4(%rdi,%rdx,4): SKLPort4 for 1.00 cycles
//  |   line 23: movl %eax, 8(%rdi,%rdx,4): SKLPort4 for 1.00 cycles
//  |   line 23: movl %esi, 12(%rdi,%rdx,4): SKLPort4 for 1.00 cycles
//  |   line 23: movl %eax, 16(%rdi,%rdx,4): SKLPort4 for 1.00 cycles
//  | region loop in inside, unrolled ×8 (loop) to line 26: 27 instructions, 100 iterations in 808 cycles, block rthroughput 8.00
//  | region loop in inside, remainder (loop) to line 26: 7 instructions, 100 iterations in 207 cycles, block rthroughput 1.17
    // LLVM-MCA-BEGIN inside
//  ^ hint: IPC 3.38 · 1.00 cyc/iter · p4
//  | finding 5-29: information resource-bottleneck: inside, unrolled ×8: limited by SKLPort4: 8 movl keep it busy in 8.0 of 8.0 cycles per 8 iterations (1.00 each)
//  |   line 23: movl %eax, (%rdi,%rdx,4): SKLPort4 for 1.00 cycles
//  |   line 23: movl %esi, 4(%rdi,%rdx,4): SKLPort4 for 1.00 cycles
//  |   line 23: movl %eax, 8(%rdi,%rdx,4): SKLPort4 for 1.00 cycles
//  |   line 23: movl %esi, 12(%rdi,%rdx,4): SKLPort4 for 1.00 cycles
//  |   line 23: movl %eax, 16(%rdi,%rdx,4): SKLPort4 for 1.00 cycles
//  | region inside, unrolled ×8 (marker) to line 25: 27 instructions, 100 iterations in 808 cycles, block rthroughput 8.00
//  |   budget: cycles 1.000 of 1.200 on skylake, met
    // mca: cycles<=1.2
    unsigned value = values[i];
    values[i] = total;
    total += value;
    // LLVM-MCA-END inside
  }
  return total;
}
int both(const int *values, int count) {
  int bits = 0, most = 0;
  // LLVM-MCA-BEGIN both
//  ^ hint: IPC 3.50 · 0.06 cyc/iter · p01235 +1
//  | finding 3-25: information resource-bottleneck: both (loop 1 of 2), vector body ×32: limited by SKLPort2, SKLPort3, SKLPort0 and 2 more: 4 vpxor and 2 others keep them busy in 2.0 of 2.0 cycles per 32 iterations (0.06 each)
//  |   line 33: vpxor (%rdi,%r8), %ymm0, %ymm0: SKLPort3 for 1.00 and SKLPort5 for 0.99 cycles
//  |   line 33: vpxor 32(%rdi,%r8), %ymm1, %ymm1: SKLPort2 for 1.00 and SKLPort1 for 0.99 cycles
//  |   line 33: vpxor 64(%rdi,%r8), %ymm2, %ymm2: SKLPort3 for 1.00 and SKLPort0 for 0.98 cycles
//  |   line 33: vpxor 96(%rdi,%r8), %ymm3, %ymm3: SKLPort2 for 1.00 and SKLPort5 for 0.98 cycles
//  |   line 32: subq $-128, %r8: SKLPort1 for 0.97 cycles
//  | region both (loop 1 of 2), vector body ×32 (marker) to line 36: 7 instructions, 100 iterations in 210 cycles, block rthroughput 2.00
//  | region both (loop 2 of 2), vector body ×32 (marker) to line 36: 7 instructions, 100 iterations in 210 cycles, block rthroughput 2.00
  for (int i = 0; i < count; ++i)
//  ^ hint: IPC 3.50 · 0.06 cyc/iter · p01235 +2
//  | finding 3-34: information resource-bottleneck: loop in both, vector body ×32: limited by SKLPort2, SKLPort3, SKLPort0 and 2 more: 4 vpxor and 2 others keep them busy in 2.0 of 2.0 cycles per 32 iterations (0.06 each)
//  |   line 33: vpxor (%rdi,%r8), %ymm0, %ymm0: SKLPort3 for 1.00 and SKLPort5 for 0.99 cycles
//  |   line 33: vpxor 32(%rdi,%r8), %ymm1, %ymm1: SKLPort2 for 1.00 and SKLPort1 for 0.99 cycles
//  |   line 33: vpxor 64(%rdi,%r8), %ymm2, %ymm2: SKLPort3 for 1.00 and SKLPort0 for 0.98 cycles
//  |   line 33: vpxor 96(%rdi,%r8), %ymm3, %ymm3: SKLPort2 for 1.00 and SKLPort5 for 0.98 cycles
//  |   line 32: subq $-128, %r8: SKLPort1 for 0.97 cycles
//  | region loop in both, vector body ×32 (loop) to line 33: 7 instructions, 100 iterations in 210 cycles, block rthroughput 2.00
//  | region loop in both, vector body ×4 (loop) to line 33: 4 instructions, 100 iterations in 109 cycles, block rthroughput 0.83
//  | region loop in both, remainder (loop) to line 33: 4 instructions, 100 iterations in 108 cycles, block rthroughput 0.83
    bits ^= values[i];
  for (int i = 0; i < count; ++i)
//  ^ hint: IPC 3.50 · 0.06 cyc/iter · p0123 +2
//  | finding 3-34: information resource-bottleneck: loop in both, vector body ×32: limited by SKLPort0, SKLPort1, SKLPort2 and 1 more: 4 vpmaxsd keep them busy in 2.0 of 2.0 cycles per 32 iterations (0.06 each)
//  |   line 35: vpmaxsd (%rdi,%rax,4), %ymm0, %ymm0: SKLPort1 for 1.00 and SKLPort3 for 1.00 cycles
//  |   line 35: vpmaxsd 32(%rdi,%rax,4), %ymm1, %ymm1: SKLPort0 for 1.00 and SKLPort2 for 1.00 cycles
//  |   line 35: vpmaxsd 64(%rdi,%rax,4), %ymm2, %ymm2: SKLPort1 for 1.00 and SKLPort3 for 1.00 cycles
//  |   line 35: vpmaxsd 96(%rdi,%rax,4), %ymm3, %ymm3: SKLPort0 for 1.00 and SKLPort2 for 1.00 cycles
//  | region loop in both, vector body ×32 (loop) to line 35: 7 instructions, 100 iterations in 210 cycles, block rthroughput 2.00
//  | region loop in both, vector body ×4 (loop) to line 35: 4 instructions, 100 iterations in 109 cycles, block rthroughput 0.83
//  | region loop in both, remainder (loop) to line 35: 6 instructions, 100 iterations in 208 cycles, block rthroughput 1.00
    most = values[i] > most ? values[i] : most;
  // LLVM-MCA-END both
  return bits + most;
}
int few(const int *values) {
  int sum = 0;
  // LLVM-MCA-BEGIN few
//  ^ hint: IPC 3.75 · 1.3 cyc · p015
//  | finding 3-24: information resource-bottleneck: few: limited by SKLPort5, SKLPort0 and SKLPort1: 2 vpaddd and 2 others keep them busy in 1.3 of 1.3 cycles per iteration
//  |   line 43: vpaddd (%rdi), %xmm0, %xmm0: SKLPort5 for 0.34, SKLPort1 for 0.34 and SKLPort0 for 0.32 cycles
//  |   line 43: vpshufd $85, %xmm0, %xmm1: SKLPort5 for 1.00 cycles
//  |   line 43: vpaddd %xmm1, %xmm0, %xmm0: SKLPort1 for 0.99 cycles
//  |   line 43: vmovd %xmm0, %eax: SKLPort0 for 1.00 cycles
//  | region few (marker) to line 44: 5 instructions, 100 iterations in 146 cycles, block rthroughput 1.00
//  |   model: corrected: the load of `vpaddd (%rdi), %xmm0, %xmm0` need not wait for its other operands, as it does in the model (Agner Fog's microarchitecture manual, micro-op fusion; measured on an Emerald Rapids)
//  |   model: LLVM's model has 1.40 cycles per iteration without corrections
  for (int i = 0; i < 4; ++i)
    sum += values[i];
  // LLVM-MCA-END few
  return sum;
}
