// mca: cpu=haswell
//  | finding 1-20: information unoptimized-code: the compile command does not optimize (-O0, or no -O at all): the numbers are those of unoptimized code
//  | target: x86_64-unknown-linux-gnu haswell (set in the buffer); haswell: its own model
// A command without -O: the numbers are those of code that no one would measure, and the file says so once.
int sum(const int *values, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i)
//  ^ hint: IPC 3.43 · 3.5 cyc · p23
//  | finding 3-34: information resource-bottleneck: loop in sum: limited by HWPort2 and HWPort3: 7 instructions keep them busy in 3.5 of 3.5 cycles per iteration
//  |   line 5: movl -20(%rbp), %eax: HWPort2 for 0.50 and HWPort3 for 0.50 cycles
//  |   line 5: cmpl -12(%rbp), %eax: HWPort2 for 0.50 and HWPort3 for 0.50 cycles
//  |   line 6: movq -8(%rbp), %rax: HWPort2 for 0.50 and HWPort3 for 0.50 cycles
//  |   line 6: movslq -20(%rbp), %rcx: HWPort2 for 0.50 and HWPort3 for 0.50 cycles
//  |   line 6: movl (%rax,%rcx,4), %eax: HWPort3 for 0.98 cycles
//  | region loop in sum (loop) to line 6: 12 instructions, 100 iterations in 365 cycles, block rthroughput 3.50
    total += values[i];
  return total;
}
