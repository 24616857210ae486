// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-n1
// y += a*x with NEON, and its scalar remainder.
	.text
	.globl	axpy
axpy:
.Lvector:
	// LLVM-MCA-BEGIN vector
	ldp	q1, q2, [x0], #32
	ldp	q3, q4, [x1]
	fmla	v3.4s, v1.4s, v0.s[0]
	fmla	v4.4s, v2.4s, v0.s[0]
	stp	q3, q4, [x1], #32
	subs	x2, x2, #8
	b.gt	.Lvector
	// LLVM-MCA-END vector
.Lscalar:
	// LLVM-MCA-BEGIN scalar
	ldr	s1, [x0], #4
	ldr	s2, [x1]
	fmadd	s2, s1, s0, s2
	str	s2, [x1], #4
	subs	x3, x3, #1
	b.ne	.Lscalar
	// LLVM-MCA-END scalar
	ret
