// mca: triple=aarch64-unknown-linux-gnu cpu=a64fx
// Long latencies and 512-bit vectors.
// LLVM-MCA-BEGIN stencil
	ld1d	{ z0.d }, p0/z, [x0, #-1, mul vl]
	ld1d	{ z1.d }, p0/z, [x0]
	ld1d	{ z2.d }, p0/z, [x0, #1, mul vl]
	fadd	z0.d, z0.d, z2.d
	fmul	z0.d, z0.d, z3.d
	fmls	z0.d, p0/m, z1.d, z4.d
	st1d	{ z0.d }, p0, [x1]
	addvl	x0, x0, #1
// LLVM-MCA-END stencil
// LLVM-MCA-BEGIN gather
	ld1w	{ z5.s }, p0/z, [x2, z6.s, sxtw #2]
	splice	z5.s, p1, z5.s, z6.s
// LLVM-MCA-END gather
