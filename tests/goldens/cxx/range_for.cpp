// mca: cpu=znver4
//  | target: x86_64-unknown-linux-gnu znver4 (set in the buffer); znver4: its own model
// Loops over a range, and over a view of one.
#include <span>
#include <vector>

void scale(std::vector<float> &values, float by) {
  for (float &value : values)
//  ^ hint: IPC 2.66 · 0.13 cyc/iter +2
//  | finding 3-30: information resource-bottleneck: loop in scale: limited by Zn4FP45.0, Zn4FP45.1, Zn4FPSt: busy in 4.0 of 4.1 cycles per iteration
//  |   line 8: vmulps 32(%rcx,%r8,4), %ymm1, %ymm3: Zn4FP45.0 for 1.00 cycles
//  |   line 8: vmulps 96(%rcx,%r8,4), %ymm1, %ymm5: Zn4FP45.0 for 1.00 cycles
//  |   line 8: vmulps (%rcx,%r8,4), %ymm1, %ymm2: Zn4FP45.0 for 0.95 cycles
//  |   line 8: vmulps 64(%rcx,%r8,4), %ymm1, %ymm4: Zn4FP45.0 for 0.95 cycles
//  | region loop in scale, vector body ×32 (loop) to line 8: 11 instructions, 100 iterations in 413 cycles, block rthroughput 4.00
//  | region loop in scale, vector body ×4 (loop) to line 8: 5 instructions, 100 iterations in 113 cycles, block rthroughput 1.00
//  | region loop in scale, remainder (loop) to line 8: 5 instructions, 100 iterations in 113 cycles, block rthroughput 1.00
    value *= by;
}

unsigned hash(std::span<const unsigned char> bytes) {
  unsigned value = 2166136261u;
  for (const unsigned char byte : bytes) {
//  ^ hint: IPC 0.84 · 4.01 cyc/iter +1
//  | finding 3-43: information register-dependency: loop in hash: limited by register dependencies: a loop-carried chain takes 32.0 of 32.1 cycles per iteration
//  |   line 14: xorl %eax, %edx: in the chain
//  |   line 15: imull $16777619, %edx, %eax: in the chain
//  |   line 14: xorl %eax, %edx: in the chain
//  |   line 15: imull $16777619, %edx, %eax: in the chain
//  |   line 14: xorl %eax, %edx: in the chain, and 11 more
//  | region loop in hash, unrolled ×8 (loop) to line 16: 27 instructions, 100 iterations in 3208 cycles, block rthroughput 8.00
//  | region loop in hash, remainder (loop) to line 16: 6 instructions, 100 iterations in 408 cycles, block rthroughput 1.00
    value ^= byte;
    value *= 16777619u;
  }
  return value;
}
