// mca: cpu=znver4
//  | target: x86_64-unknown-linux-gnu znver4 (set in the buffer); znver4: its own model
// Loops over a range, and over a view of one.
#include <span>
#include <vector>

void scale(std::vector<float> &values, float by) {
  for (float &value : values)
//  ^ hint: 0.13 cyc/iter · FP45,FPSt +2
//  | finding 3-30: information resource-bottleneck: loop in scale, vector body ×32: limited by both units of Zn4FP45 and Zn4FPSt: 4 vmovups and 4 others keep them busy in 4.0 of 4.0 cycles per 32 iterations (0.13 each)
//  |   line 8: vmovups %ymm2, (%rcx,%r8,4): Zn4FP45.1 for 1.00 and Zn4FPSt for 1.00 cycles
//  |   line 8: vmovups %ymm3, 32(%rcx,%r8,4): Zn4FPSt for 1.00 and Zn4FP45.1 for 0.95 cycles
//  |   line 8: vmovups %ymm4, 64(%rcx,%r8,4): Zn4FP45.1 for 1.00 and Zn4FPSt for 1.00 cycles
//  |   line 8: vmovups %ymm5, 96(%rcx,%r8,4): Zn4FPSt for 1.00 and Zn4FP45.1 for 0.95 cycles
//  |   line 8: vmulps (%rcx,%r8,4), %ymm1, %ymm2: Zn4FP45.0 for 0.95 cycles
//  | region loop in scale, vector body ×32 (loop) to line 8: 11 instructions, 100 iterations in 413 cycles, block rthroughput 4.00
//  | region loop in scale, vector body ×4 (loop) to line 8: 5 instructions, 100 iterations in 113 cycles, block rthroughput 1.00
//  | region loop in scale, remainder (loop) to line 8: 5 instructions, 100 iterations in 113 cycles, block rthroughput 1.00
    value *= by;
}

unsigned hash(std::span<const unsigned char> bytes) {
  unsigned value = 2166136261u;
  for (const unsigned char byte : bytes) {
//  ^ hint: IPC 0.84 · 4.00 cyc/iter · dep +1
//  | finding 3-43: information register-dependency: loop in hash, unrolled ×8: limited by a loop-carried chain through eax: 32.0 of 32.0 cycles per 8 iterations (4.00 each)
//  |   line 14: xorl %eax, %edx: edx after 1 cycle
//  |   line 15: imull $16777619, %edx, %eax: eax after 3 cycles
//  |   line 14: xorl %eax, %edx: edx after 1 cycle
//  |   line 15: imull $16777619, %edx, %eax: eax after 3 cycles
//  |   line 14: xorl %eax, %edx: edx after 1 cycle, and 11 more
//  | region loop in hash, unrolled ×8 (loop) to line 16: 27 instructions, 100 iterations in 3208 cycles, block rthroughput 8.00
//  | region loop in hash, remainder (loop) to line 16: 6 instructions, 100 iterations in 408 cycles, block rthroughput 1.00
    value ^= byte;
    value *= 16777619u;
  }
  return value;
}
