# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-p670
# An out-of-order core with vectors; regions nest and take different vector types.
	vsetvli	t0, a2, e64, m1, ta, ma
# LLVM-MCA-BEGIN matrix
	vle64.v	v1, (a0)
# LLVM-MCA-BEGIN row
	vfmacc.vf	v4, ft0, v1
	vfmacc.vf	v5, ft1, v1
# LLVM-MCA-RISCV-LMUL M2
	vfmacc.vf	v6, ft2, v2
# LLVM-MCA-END row
	vse64.v	v4, (a1)
# LLVM-MCA-END matrix
# LLVM-MCA-BEGIN chase
	ld	a3, 8(a3)
	mul	a4, a3, a5
	amoadd.d	a6, a4, (a7)
	ctz	a5, a4
# LLVM-MCA-END chase
