# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-p450
# Out of order without vectors: loads that stores feed, atomics, a call.
# LLVM-MCA-BEGIN memory
	sd	a0, 0(sp)
	ld	a1, 0(sp)
	addi	a0, a1, 1
	flw	fa0, 8(sp)
	fadd.s	fa1, fa1, fa0
# LLVM-MCA-END memory
# LLVM-MCA-BEGIN lock
	lr.w.aq	t0, (a2)
	addi	t0, t0, 1
	sc.w.rl	t1, t0, (a2)
	bnez	t1, lock
	call	helper
# LLVM-MCA-END lock
lock:
