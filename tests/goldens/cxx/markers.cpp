// mca: cpu=skylake
//  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
// Marker comments in the source select lines, and change nothing in the code.
float smooth(float *values, const float *weights, int count) {
  float sum = 0;
  // LLVM-MCA-BEGIN body
//  ^ hint: IPC 0.59 · 4.00 cyc/iter · dep
//  | finding 3-25: information register-dependency: body, unrolled ×8: limited by a loop-carried chain through xmm0: 32.0 of 32.0 cycles per 8 iterations (4.00 each)
//  |   line 7: vfmadd132ss (%rsi,%rcx,4), %xmm0, %xmm1: xmm1 after 4 cycles
//  |   line 7: vfmadd231ss 4(%rsi,%rcx,4), %xmm2, %xmm1: xmm1 after 4 cycles
//  |   line 7: vfmadd132ss 8(%rsi,%rcx,4), %xmm1, %xmm0: xmm0 after 4 cycles
//  |   line 7: vfmadd132ss 12(%rsi,%rcx,4), %xmm0, %xmm1: xmm1 after 4 cycles
//  |   line 7: vfmadd132ss 16(%rsi,%rcx,4), %xmm1, %xmm0: xmm0 after 4 cycles, and 3 more
//  | region body, unrolled ×8 (marker) to line 8: 19 instructions, 100 iterations in 3209 cycles, block rthroughput 8.00
  for (int i = 0; i < count; ++i)
//  ^ hint: IPC 0.59 · 4.00 cyc/iter · dep +1
//  | finding 3-34: information register-dependency: loop in smooth, unrolled ×8: limited by a loop-carried chain through xmm0: 32.0 of 32.0 cycles per 8 iterations (4.00 each)
//  |   line 7: vfmadd132ss (%rsi,%rcx,4), %xmm0, %xmm1: xmm1 after 4 cycles
//  |   line 7: vfmadd231ss 4(%rsi,%rcx,4), %xmm2, %xmm1: xmm1 after 4 cycles
//  |   line 7: vfmadd132ss 8(%rsi,%rcx,4), %xmm1, %xmm0: xmm0 after 4 cycles
//  |   line 7: vfmadd132ss 12(%rsi,%rcx,4), %xmm0, %xmm1: xmm1 after 4 cycles
//  |   line 7: vfmadd132ss 16(%rsi,%rcx,4), %xmm1, %xmm0: xmm0 after 4 cycles, and 3 more
//  | region loop in smooth, unrolled ×8 (loop) to line 7: 19 instructions, 100 iterations in 3209 cycles, block rthroughput 8.00
//  | region loop in smooth, remainder (loop) to line 7: 5 instructions, 100 iterations in 408 cycles, block rthroughput 1.00
    sum += values[i] * weights[i];
  // LLVM-MCA-END body
  const char *text = "// LLVM-MCA-BEGIN text";
  // LLVM-MCA-BEGIN tail
//  ^ hint: IPC 1.14 · 3.5 cyc
//  | region tail (marker) to line 12: 4 instructions, 100 iterations in 357 cycles, block rthroughput 3.00
  values[0] = sum / static_cast<float>(count) + text[5];
  // LLVM-MCA-END tail
  // LLVM-MCA-BEGIN nothing
//  | finding 5-28: warning empty-region: the compiler made no instruction for the marked lines
  // LLVM-MCA-END nothing
  // LLVM-MCA-END other
//  | finding 5-24: error marker-error: found an invalid region end directive
//  |   line 15: unable to find an active region named other
  return sum;
}
