// mca: cpu=skylake
//  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
// Code from a header of the user's own.
#include "blend.h"

float last(const float *values, int count, float share) {
  float level = 0;
  for (int i = 0; i < count; ++i)
//  ^ hint: IPC 0.42 · 8.00 cyc/iter · dep +1
//  | finding 3-34: information register-dependency: loop in last, unrolled ×8: limited by a loop-carried chain through xmm1: 64.0 of 64.0 cycles per 8 iterations (8.00 each)
//  |   line 8: vsubss %xmm1, %xmm2, %xmm2: xmm2 after 4 cycles
//  |   line 8: vfmadd213ss %xmm1, %xmm0, %xmm2: xmm2 after 4 cycles
//  |   line 8: vsubss %xmm2, %xmm3, %xmm1: xmm1 after 4 cycles
//  |   line 8: vfmadd213ss %xmm2, %xmm0, %xmm1: xmm1 after 4 cycles
//  |   line 8: vsubss %xmm1, %xmm2, %xmm2: xmm2 after 4 cycles, and 11 more
//  | region loop in last, unrolled ×8 (loop) to line 8: 27 instructions, 100 iterations in 6408 cycles, block rthroughput 8.00
//  | region loop in last, remainder (loop) to line 8: 7 instructions, 100 iterations in 907 cycles, block rthroughput 1.17
    level = blend(level, values[i], share);
  return level;
}

void mix(float *out, const float *in, int count) {
  blendAll(out, in, 0.5f, count);
//  ^ hint: 0.15 cyc/iter · dispatch +3
//  | finding 3-34: information dispatch-limit: inlined loop in mix, vector body ×32: limited by dispatch: 27.0 micro-ops, at most 6 per cycle and some only together, take 4.7 of 4.7 cycles per 32 iterations (0.15 each)
//  | region inlined loop in mix, remainder (loop) to line 13: 8 instructions, 100 iterations in 166 cycles, block rthroughput 1.50
//  | region inlined loop in mix, unrolled ×4 (loop) to line 13: 23 instructions, 100 iterations in 466 cycles, block rthroughput 4.50
//  | region inlined loop in mix, vector body ×32 (loop) to line 13: 23 instructions, 100 iterations in 486 cycles, block rthroughput 4.50
//  | region inlined loop in mix, vector body ×4 (loop) to line 13: 8 instructions, 100 iterations in 167 cycles, block rthroughput 1.50
}
