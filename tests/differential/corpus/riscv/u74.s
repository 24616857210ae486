# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-u74
# An in-order core without vectors.
# LLVM-MCA-BEGIN sum
	lw	a3, 0(a0)
	addi	a0, a0, 4
	addw	a4, a4, a3
	bne	a0, a1, sum
# LLVM-MCA-END sum
sum:
# LLVM-MCA-BEGIN horner
	fmadd.d	fa0, fa0, fa1, fa2
	fmadd.d	fa0, fa0, fa1, fa3
	fsqrt.d	fa4, fa0
	fcvt.w.d	a5, fa4, rtz
# LLVM-MCA-END horner
# LLVM-MCA-BEGIN division
	divu	a6, a5, a4
	remu	a7, a5, a4
	mulhu	t0, a6, a7
	sltu	t1, t0, a6
# LLVM-MCA-END division
