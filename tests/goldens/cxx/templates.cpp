// mca: cpu=skylake
//  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
// One template, two instances: two loops on one line.
template <typename T>
T sumOf(const T *values, int count) {
  T sum = 0;
  for (int i = 0; i < count; ++i)
//  ^ hint: IPC 0.34 · 4.00 cyc/iter · dep +4
//  | finding 3-34: information register-dependency: loop in sumOf<double>, unrolled ×8: limited by a loop-carried chain through xmm0: 32.0 of 32.0 cycles per 8 iterations (4.00 each)
//  |   line 7: vaddsd (%rdi,%rcx,8), %xmm0, %xmm0: xmm0 after 4 cycles
//  |   line 7: vaddsd 8(%rdi,%rcx,8), %xmm0, %xmm0: xmm0 after 4 cycles
//  |   line 7: vaddsd 16(%rdi,%rcx,8), %xmm0, %xmm0: xmm0 after 4 cycles
//  |   line 7: vaddsd 24(%rdi,%rcx,8), %xmm0, %xmm0: xmm0 after 4 cycles
//  |   line 7: vaddsd 32(%rdi,%rcx,8), %xmm0, %xmm0: xmm0 after 4 cycles, and 3 more
//  | region loop in sumOf<int>, vector body ×32 (loop) to line 7: 7 instructions, 100 iterations in 210 cycles, block rthroughput 2.00
//  | region loop in sumOf<int>, vector body ×4 (loop) to line 7: 4 instructions, 100 iterations in 109 cycles, block rthroughput 0.83
//  | region loop in sumOf<int>, remainder (loop) to line 7: 4 instructions, 100 iterations in 108 cycles, block rthroughput 0.83
//  | region loop in sumOf<double>, unrolled ×8 (loop) to line 7: 11 instructions, 100 iterations in 3208 cycles, block rthroughput 4.00
//  | region loop in sumOf<double>, remainder (loop) to line 7: 4 instructions, 100 iterations in 408 cycles, block rthroughput 0.83
    sum += values[i];
  return sum;
}

template int sumOf(const int *, int);
template double sumOf(const double *, int);
