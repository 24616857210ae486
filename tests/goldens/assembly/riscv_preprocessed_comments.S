// mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
//  | finding 1-57: information no-compile-command: no compile command names this file; preprocessed with the fallback: -x assembler-with-cpp
//  | target: riscv64-unknown-linux-gnu sifive-x280 (set in the buffer); sifive-x280: its own model
/* Comments of C after operands, of which LLVM's parser takes none, and the features of the CPU that the buffer names. */
	.globl	copy
copy:
//  ^ hint: IPC 0.08 · 76.0 cyc · order
//  | finding 1-6: information in-order-stall: loop: limited by the order in which results are written: instructions wait in 69.0 of 76.0 cycles per iteration, longest sub for an earlier instruction to write its result
//  |   line 7: sub t4, t4, t5: waits 64.0 cycles for an earlier instruction to write its result
//  |   line 10: add a1, a1, t6: waits 5.0 cycles for an earlier instruction to write its result
//  | region loop (loop) to line 11: 6 instructions, 100 iterations in 7604 cycles, block rthroughput 65.00
	vsetvli	t5, t4, e32, m4, ta, ma
	vlse64.v	v16, (a1), t1 /* a (b[2]) */
	sub	t4, t4, t5 // three
	vnsrl.wx	v24, v16, zero /* over
	two lines */
	add	a1, a1, t6 # four
	bnez	t4, copy
	ret
