// mca: cpu=haswell
//  | target: x86_64-unknown-linux-gnu haswell (set in the buffer); haswell: its own model
// Three loops deep: the innermost is what counts.
void multiply(float *__restrict c, const float *__restrict a, const float *__restrict b, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const float factor = a[i * n + k];
      for (int j = 0; j < n; ++j)
//  ^ hint: 0.19 cyc/iter · dispatch +2
//  | finding 7-34: information dispatch-limit: loop in multiply, vector body ×32: limited by dispatch: 23.0 micro-ops, at most 4 per cycle and some only together, take 6.0 of 6.0 cycles per 32 iterations (0.19 each)
//  | region loop in multiply, vector body ×32 (loop) to line 8: 15 instructions, 100 iterations in 615 cycles, block rthroughput 5.75
//  | region loop in multiply, vector body ×4 (loop) to line 8: 6 instructions, 100 iterations in 213 cycles, block rthroughput 2.00
//  | region loop in multiply, remainder (loop) to line 8: 6 instructions, 100 iterations in 212 cycles, block rthroughput 2.00
        c[i * n + j] += factor * b[k * n + j];
    }
}
