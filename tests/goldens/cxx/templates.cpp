// mca: cpu=skylake
//  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
// One template, two instances: two loops on one line.
template <typename T>
T sumOf(const T *values, int count) {
  T sum = 0;
  for (int i = 0; i < count; ++i)
//  ^ hint: IPC 0.34 · 32.1 cyc +4
//  | finding 3-34: information register-dependency: loop in sumOf<double>: limited by register dependencies: 32.1 cycles per iteration where resources and dispatch need 4.0
//  |   line 7: vaddsd 56(%rdi,%rcx,8), %xmm0, %xmm0: waits 149.9 cycles for operands (first 10 iterations)
//  |   line 7: vaddsd 48(%rdi,%rcx,8), %xmm0, %xmm0: waits 146.9 cycles for operands (first 10 iterations)
//  |   line 7: vaddsd 40(%rdi,%rcx,8), %xmm0, %xmm0: waits 144.0 cycles for operands (first 10 iterations)
//  |   line 7: vaddsd 32(%rdi,%rcx,8), %xmm0, %xmm0: waits 141.1 cycles for operands (first 10 iterations)
//  |   line 7: vaddsd 24(%rdi,%rcx,8), %xmm0, %xmm0: waits 138.1 cycles for operands (first 10 iterations)
//  | region loop in sumOf<int> (loop) to line 7: 7 instructions, 100 iterations in 210 cycles, block rthroughput 2.00
//  | region loop in sumOf<int> (loop) to line 7: 4 instructions, 100 iterations in 109 cycles, block rthroughput 0.83
//  | region loop in sumOf<int> (loop) to line 7: 4 instructions, 100 iterations in 108 cycles, block rthroughput 0.83
//  | region loop in sumOf<double> (loop) to line 7: 11 instructions, 100 iterations in 3208 cycles, block rthroughput 4.00
//  | region loop in sumOf<double> (loop) to line 7: 4 instructions, 100 iterations in 408 cycles, block rthroughput 0.83
    sum += values[i];
  return sum;
}

template int sumOf(const int *, int);
template double sumOf(const double *, int);
