// mca: cpu=haswell
//  | finding 1-20: information unoptimized-code: the compile command does not optimize (-O0, or no -O at all): the numbers are those of unoptimized code
//  | target: x86_64-unknown-linux-gnu haswell (set in the buffer); haswell: its own model
// A command without -O: the numbers are those of code that no one would measure, and the file says so once.
int sum(const int *values, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i)
//  ^ hint: IPC 0.86 · 14.0 cyc · mem
//  | finding 3-34: information memory-dependency: loop in sum: limited by memory order: movslq waits for an earlier store in 14.0 of 14.0 cycles per iteration
//  |   line 6: movslq -20(%rbp), %rcx: waits for memory order
//  |   line 5: movl %eax, -20(%rbp): must come first
//  | region loop in sum (loop) to line 6: 12 instructions, 100 iterations in 1403 cycles, block rthroughput 3.50
    total += values[i];
  return total;
}
