// mca: cpu=skylake
//  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
// Budgets in C++: the marked lines become code of two functions, and the worse one is told.
template <int Step>
void scale(float *values, int count) {
  // LLVM-MCA-BEGIN body
//  ^ hint: IPC 2.00 · 3.0 cyc · SKLFPDivider +1
//  | finding 3-25: information resource-bottleneck: body in scale<4>: limited by SKLFPDivider: 1 vdivss keeps it busy in 3.0 of 3.0 cycles per iteration
//  |   line 8: vdivss .LCPI0_1(%rip), %xmm0, %xmm0: SKLFPDivider for 3.00 cycles
//  | region body in scale<4> (marker) to line 9: 6 instructions, 100 iterations in 322 cycles, block rthroughput 3.00
//  |   budget: cycles 3.000 of 1.500 on skylake, not met
//  |   budget: ipc 2.000 of 0.500 on skylake, met
//  | region body in scale<6> (marker) to line 9: 6 instructions, 100 iterations in 618 cycles, block rthroughput 6.00
//  |   budget: cycles 6.000 of 1.500 on skylake, not met
//  |   budget: ipc 1.000 of 0.500 on skylake, met
  // mca: cycles<=1.5 ipc>=0.5
//  | finding 3-31: warning budget-exceeded: cycles 6.0 > 1.5 on skylake: body in scale<6>; limited by SKLFPDivider: 2 vdivss keep it busy in 6.0 of 6.0 cycles per iteration
  values[count] = values[count] / Step;
  values[count + 1] = values[count] / (Step + 1);
  // LLVM-MCA-END body
}

template void scale<4>(float *, int);
template void scale<6>(float *, int);
