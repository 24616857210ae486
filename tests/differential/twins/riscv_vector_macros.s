# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
# Vector settings and instruments that macros bring along.
	.macro	block group
	vsetvli	t0, a2, e32, \group, ta, ma
	vle32.v	v8, (a0)
	vadd.vv	v16, v8, v16
	.endm
	.macro	grouped
# LLVM-MCA-RISCV-LMUL M8
	vadd.vv	v0, v8, v16
	.endm
# LLVM-MCA-BEGIN blocks
	block	m1
	block	m4
	vadd.vv	v24, v8, v16
# LLVM-MCA-END blocks
# LLVM-MCA-BEGIN groups
	vsub.vv	v24, v8, v16
	grouped
	vsub.vv	v24, v8, v16
# LLVM-MCA-END groups
