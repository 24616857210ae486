// mca: cpu=sifive-p670
//  | target: riscv64-unknown-linux-gnu sifive-p670 (set in the buffer); sifive-p670: its own model
// A counter that the compiler must keep in memory, as o[] may be it.
void count(int *c, int *o, int n) {
#pragma clang loop unroll(disable)
//  | region loop in count (loop) to line 8: 7 instructions, 100 iterations in 603 cycles, block rthroughput 1.75
	for (int i = 0; i < n; ++i) {
//  ^ hint: IPC 1.17 · 6.0 cyc · mem
//  | finding 2-31: information memory-dependency: loop in count: limited by a loop-carried chain through memory: 6.0 of 6.0 cycles per iteration
//  |   line 6: lw a4, 0(a0): a4 after 4 cycles
//  |   line 6: addi a4, a4, 1: a4 after 1 cycle
//  |   line 6: sw a4, 0(a0): memory after 1 cycle, for the next iteration
		++*c;
		o[i] = i;
	}
}
