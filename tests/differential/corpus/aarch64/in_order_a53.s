// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a53
// The older in-order core, with forwarding between multiply and accumulate.
// LLVM-MCA-BEGIN accumulate
	ldr	x3, [x0], #8
	madd	x4, x3, x3, x4
	madd	x4, x3, x5, x4
	subs	x2, x2, #1
	b.ne	accumulate
// LLVM-MCA-END accumulate
accumulate:
// LLVM-MCA-BEGIN shifts
	lsl	w6, w4, #3
	add	w7, w6, w4, lsl #2
	ubfx	w8, w7, #4, #8
	ror	w9, w8, w6
	clz	w10, w9
// LLVM-MCA-END shifts
// LLVM-MCA-BEGIN neon
	mla	v0.4s, v1.4s, v2.4s
	addp	v3.4s, v0.4s, v0.4s
	umov	w11, v3.s[0]
	saddlv	s5, v3.8h
// LLVM-MCA-END neon
