// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a510 iterations=50
// An in-order core with SVE2.
// LLVM-MCA-BEGIN sve
	ld1d	{ z0.d }, p0/z, [x0, x3, lsl #3]
	fmla	z1.d, p0/m, z0.d, z2.d
	st1d	{ z1.d }, p0, [x1, x3, lsl #3]
	incd	x3
	cmp	x3, x2
// LLVM-MCA-END sve
// LLVM-MCA-BEGIN bits
	bdep	z3.s, z4.s, z5.s
	eor3	z6.d, z6.d, z7.d, z3.d
	cntp	x5, p0, p1.s
// LLVM-MCA-END bits
