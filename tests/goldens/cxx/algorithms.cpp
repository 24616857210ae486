// mca: cpu=skylake
//  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
// The loop is in a library header; the line is the call's.
#include <algorithm>
#include <numeric>
#include <vector>

double product(const std::vector<double> &a, const std::vector<double> &b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
//  ^ hint: IPC 1.50 · 4.0 cyc · dep
//  | finding 3-65: information register-dependency: inlined loop in product: limited by a loop-carried chain through xmm0: 4.0 of 4.0 cycles per iteration
//  |   line 8: vfmadd231sd (%rdx), %xmm1, %xmm0: xmm0 after 4 cycles, for the next iteration
//  | region inlined loop in product (loop) to line 8: 6 instructions, 100 iterations in 408 cycles, block rthroughput 1.17
}

void negate(std::vector<int> &values) {
  std::transform(values.begin(), values.end(), values.begin(), [](int value) {
//  ^ hint: IPC 2.75 · 0.13 cyc/iter · p4 +2
//  | finding 3-79: information resource-bottleneck: inlined loop in negate, vector body ×32: limited by SKLPort4: 4 vmovdqu keep it busy in 4.0 of 4.0 cycles per 32 iterations (0.13 each)
//  |   line 12: vmovdqu %ymm1, (%rcx,%r8,4): SKLPort4 for 1.00 cycles
//  |   line 12: vmovdqu %ymm2, 32(%rcx,%r8,4): SKLPort4 for 1.00 cycles
//  |   line 12: vmovdqu %ymm3, 64(%rcx,%r8,4): SKLPort4 for 1.00 cycles
//  |   line 12: vmovdqu %ymm4, 96(%rcx,%r8,4): SKLPort4 for 1.00 cycles
//  | region inlined loop in negate, vector body ×32 (loop) to line 12: 11 instructions, 100 iterations in 411 cycles, block rthroughput 4.00
//  | region inlined loop in negate, vector body ×4 (loop) to line 12: 5 instructions, 100 iterations in 135 cycles, block rthroughput 1.17
//  | region inlined loop in negate, remainder (loop) to line 12: 4 instructions, 100 iterations in 109 cycles, block rthroughput 1.00
    return -value;
  });
}
