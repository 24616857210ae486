# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
#  | target: riscv64-unknown-linux-gnu sifive-x280 (set in the buffer); sifive-x280: its own model
# No vector type is known for the first loop; the second one takes it from a register.
copy:
#  ^ hint: ≈ IPC 0.24 · 17.0 cyc · VL,VS
#  | finding 1-6: information resource-bottleneck: loop: limited by VLEN512SiFive7VL and VLEN512SiFive7VS: 1 vle32.v and 1 other keep them busy in 17.0 of 17.0 cycles per iteration
#  |   line 4: vle32.v v8, (a0): VLEN512SiFive7VL for 17.00 cycles
#  |   line 5: vse32.v v8, (a1): VLEN512SiFive7VS for 17.00 cycles
#  | finding 1-6: information assumed-vector-type: loop: no vsetvli, vsetivli or LLVM-MCA-RISCV-LMUL comment comes before some vector instructions: the model's worst case is assumed
#  | region loop (loop) to line 7: 4 instructions, 100 iterations in 1692 cycles, block rthroughput 17.00
#  |   caveat: no vsetvli, vsetivli or LLVM-MCA-RISCV-LMUL comment comes before some vector instructions: the model's worst case is assumed
	vle32.v	v8, (a0)
	vse32.v	v8, (a1)
	addi	a2, a2, -1
	bnez	a2, copy
double:
#  ^ hint: ≈ IPC 0.24 · 17.0 cyc · VA
#  | finding 1-8: information resource-bottleneck: loop: limited by VLEN512SiFive7VA: 1 vadd.vv keeps it busy in 17.0 of 17.0 cycles per iteration
#  |   line 10: vadd.vv v8, v8, v8: VLEN512SiFive7VA for 17.00 cycles
#  | finding 1-8: information assumed-vector-type: loop: vsetvl takes the vector type from a register, which cannot be known here: the one in force before it is assumed to go on
#  | region loop (loop) to line 12: 4 instructions, 100 iterations in 1692 cycles, block rthroughput 17.00
#  |   caveat: vsetvl takes the vector type from a register, which cannot be known here: the one in force before it is assumed to go on
	vsetvl	t0, a2, a3
	vadd.vv	v8, v8, v8
	sub	a2, a2, t0
	bnez	a2, double
