// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-v1
// Macros between markers, and a repetition that a region ends in front of.
	.macro	butterfly a, b, t
	fadd	\t\().4s, \a\().4s, \b\().4s
	fsub	\b\().4s, \a\().4s, \b\().4s
	.endm
// LLVM-MCA-BEGIN transform
	butterfly v0, v1, v16
	butterfly v2, v3, v17
	.irp	n, 4, 5, 6, 7
	ldr	q\n, [x0, #16 * \n]
	.endr
// LLVM-MCA-END transform
	.rept	2
	fmul	v20.4s, v20.4s, v21.4s
	.endr
