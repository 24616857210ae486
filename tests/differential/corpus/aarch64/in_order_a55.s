// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a55
// A dual-issue in-order core: what pairs, what waits, what retires out of order.
// LLVM-MCA-BEGIN integer
	ldr	w3, [x0], #4
	add	w4, w3, w4
	mul	w5, w3, w3
	madd	w6, w5, w3, w6
	str	w6, [x1], #4
// LLVM-MCA-END integer
// LLVM-MCA-BEGIN float
	ldr	q1, [x0], #16
	fmul	v2.4s, v1.4s, v0.4s
	fadd	v3.4s, v3.4s, v2.4s
	fsqrt	s4, s3
	str	q2, [x1], #16
// LLVM-MCA-END float
// LLVM-MCA-BEGIN division
	udiv	w7, w5, w3
	msub	w8, w7, w3, w5
	cbnz	w8, division
// LLVM-MCA-END division
division:
