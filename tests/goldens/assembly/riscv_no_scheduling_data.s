# mca: triple=riscv64-unknown-linux-gnu cpu=rocket-rv64 features=+v
#  | target: riscv64-unknown-linux-gnu rocket-rv64 (set in the buffer); rocket-rv64: its own model
# An instruction that this CPU's model says nothing about is left out, and said so.
loop:
#  ^ hint: ≥ ≈ 5.0 cyc · lacks vle32.v
#  | finding 1-6: information assumed-vector-type: loop: no vsetvli, vsetivli or LLVM-MCA-RISCV-LMUL comment comes before some vector instructions: the model's worst case is assumed
#  | region loop (loop) to line 8: 4 instructions, 100 iterations in 501 cycles, block rthroughput 4.00
#  |   caveat: no vsetvli, vsetivli or LLVM-MCA-RISCV-LMUL comment comes before some vector instructions: the model's worst case is assumed
#  |   caveat: 1 of its instructions (`vle32.v`) has no scheduling data on rocket-rv64 and is missing
	vle32.v	v8, (a0)
#  | finding 2-18: warning no-scheduling-data: no scheduling data for `vle32.v` on rocket-rv64: it is left out, and the cycles are a lower bound
	lw	a3, 0(a0)
	add	a4, a4, a3
	addi	a0, a0, 4
	bne	a0, a1, loop
