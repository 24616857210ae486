# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
# The vector type is read off the code: vsetvli and vsetivli, also from before the region.
	vsetvli	t0, a2, e32, m8, ta, ma
# LLVM-MCA-BEGIN set before
	vle32.v	v8, (a0)
	vfadd.vv	v16, v16, v8
# LLVM-MCA-END set before
# LLVM-MCA-BEGIN strip mining
strip:
	vsetvli	t0, a2, e16, m2, ta, ma
	vle16.v	v8, (a0)
	vwmul.vx	v12, v8, a3
	vsetvli	zero, zero, e32, m4, ta, ma
	vsra.vi	v12, v12, 8
	vse32.v	v12, (a1)
	sub	a2, a2, t0
	bnez	a2, strip
# LLVM-MCA-END strip mining
# LLVM-MCA-BEGIN immediate
	vsetivli	zero, 4, e64, m1, ta, ma
	vredsum.vs	v1, v2, v3
	vmv.x.s	a4, v1
# LLVM-MCA-END immediate
# LLVM-MCA-BEGIN from a register
	vsetvl	t1, a2, a5
	vadd.vi	v4, v4, 1
# LLVM-MCA-END from a register
