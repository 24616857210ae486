// mca: cpu=skylake
//  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
// Loops over std::vector, by index.
#include <vector>

int total(const std::vector<int> &values) {
  int sum = 0;
  for (unsigned i = 0; i < values.size(); ++i)
//  ^ hint: IPC 3.50 · 0.06 cyc/iter · p01235 +2
//  | finding 3-47: information resource-bottleneck: loop in total, vector body ×32: limited by SKLPort2, SKLPort3, SKLPort0 and 2 more: 4 vpaddd and 2 others keep them busy in 2.0 of 2.0 cycles per 32 iterations (0.06 each)
//  |   line 8: vpaddd (%rcx,%r9), %ymm0, %ymm0: SKLPort3 for 1.00 and SKLPort5 for 0.99 cycles
//  |   line 8: vpaddd 32(%rcx,%r9), %ymm1, %ymm1: SKLPort2 for 1.00 and SKLPort1 for 0.99 cycles
//  |   line 8: vpaddd 64(%rcx,%r9), %ymm2, %ymm2: SKLPort3 for 1.00 and SKLPort0 for 0.98 cycles
//  |   line 8: vpaddd 96(%rcx,%r9), %ymm3, %ymm3: SKLPort2 for 1.00 and SKLPort5 for 0.98 cycles
//  |   line 7: subq $-128, %r9: SKLPort1 for 0.97 cycles
//  | region loop in total, remainder (loop) to line 8: 5 instructions, 100 iterations in 140 cycles, block rthroughput 1.00
//  | region loop in total, vector body ×32 (loop) to line 8: 7 instructions, 100 iterations in 210 cycles, block rthroughput 2.00
//  | region loop in total, vector body ×4 (loop) to line 8: 4 instructions, 100 iterations in 109 cycles, block rthroughput 0.83
    sum += values[i];
  return sum;
}

void chain(std::vector<double> &values, double by) {
  for (unsigned i = 1; i < values.size(); ++i) {
//  ^ hint: IPC 1.75 · 4.0 cyc · SKLFPDivider +1
//  | finding 3-49: information resource-bottleneck: loop in chain, copy 1 of 2: limited by SKLFPDivider: 1 vdivsd keeps it busy in 4.0 of 4.0 cycles per iteration
//  |   line 14: vdivsd %xmm0, %xmm1, %xmm1: SKLFPDivider for 4.00 cycles
//  | region loop in chain, copy 1 of 2 (loop) to line 15: 7 instructions, 100 iterations in 419 cycles, block rthroughput 4.00
//  | region loop in chain, copy 2 of 2 (loop) to line 15: 6 instructions, 100 iterations in 1404 cycles, block rthroughput 4.00
    values[i] = values[i - 1] / by;
  }
}
