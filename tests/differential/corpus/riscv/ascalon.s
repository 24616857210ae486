# mca: triple=riscv64-unknown-linux-gnu cpu=tt-ascalon-d8
# A wide out-of-order core.
# LLVM-MCA-BEGIN hash
	ld	t0, 0(a0)
	srli	t1, t0, 33
	xor	t0, t0, t1
	mul	t0, t0, a3
	czero.eqz	t2, t0, a4
	add.uw	t3, t2, t0
	sd	t3, 0(a1)
# LLVM-MCA-END hash
# LLVM-MCA-BEGIN vectors
	vsetvli	zero, a2, e32, m2, ta, ma
	vfsqrt.v	v4, v8
	vslidedown.vi	v12, v4, 2
	vfwcvt.f.f.v	v16, v12
# LLVM-MCA-END vectors
