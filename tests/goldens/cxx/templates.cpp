// mca: cpu=skylake
//  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
// One template, two instances: two loops on one line.
template <typename T>
T sumOf(const T *values, int count) {
  T sum = 0;
  for (int i = 0; i < count; ++i)
//  ^ hint: IPC 0.34 · 4.01 cyc/iter · dep +4
//  | finding 3-34: information register-dependency: loop in sumOf<double>: limited by a loop-carried chain through xmm0: 32.0 of 32.1 cycles per 8 iterations (4.01 each)
//  |   line 7: vaddsd (%rdi,%rcx,8), %xmm0, %xmm0: xmm0 after 4 cycles
//  |   line 7: vaddsd 8(%rdi,%rcx,8), %xmm0, %xmm0: xmm0 after 4 cycles
//  |   line 7: vaddsd 16(%rdi,%rcx,8), %xmm0, %xmm0: xmm0 after 4 cycles
//  |   line 7: vaddsd 24(%rdi,%rcx,8), %xmm0, %xmm0: xmm0 after 4 cycles
//  |   line 7: vaddsd 32(%rdi,%rcx,8), %xmm0, %xmm0: xmm0 after 4 cycles, and 3 more
//  | region loop in sumOf<int>, copy 1 of 3 (loop) to line 7: 7 instructions, 100 iterations in 210 cycles, block rthroughput 2.00
//  |   caveat: the compiler put several iterations of the source's loop into one; how many cannot be told, so the cycles are those of the machine code's iteration
//  | region loop in sumOf<int>, copy 2 of 3 (loop) to line 7: 4 instructions, 100 iterations in 109 cycles, block rthroughput 0.83
//  |   caveat: the compiler put several iterations of the source's loop into one; how many cannot be told, so the cycles are those of the machine code's iteration
//  | region loop in sumOf<int>, copy 3 of 3 (loop) to line 7: 4 instructions, 100 iterations in 108 cycles, block rthroughput 0.83
//  |   caveat: the compiler put several iterations of the source's loop into one; how many cannot be told, so the cycles are those of the machine code's iteration
//  | region loop in sumOf<double>, unrolled ×8 (loop) to line 7: 11 instructions, 100 iterations in 3208 cycles, block rthroughput 4.00
//  | region loop in sumOf<double>, remainder (loop) to line 7: 4 instructions, 100 iterations in 408 cycles, block rthroughput 0.83
    sum += values[i];
  return sum;
}

template int sumOf(const int *, int);
template double sumOf(const double *, int);
