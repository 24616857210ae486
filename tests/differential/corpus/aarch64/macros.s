// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-v1
// Macros, repetitions, an alias for a register, literal pools. No markers, see twins/.
	.macro	butterfly a, b, t
	fadd	\t\().4s, \a\().4s, \b\().4s
	fsub	\b\().4s, \a\().4s, \b\().4s
	.endm
	counter	.req x9
	butterfly v0, v1, v16
	butterfly v2, v3, v17
	.irp	n, 4, 5, 6, 7
	ldr	q\n, [x0, #16 * \n]
	.endr
	add	counter, counter, #1
	.rept	2
	fmul	v20.4s, v20.4s, v21.4s
	.endr
	adrp	x1, table
	add	x1, x1, :lo12:table
	ldr	x2, =0x123456789abcdef
	ldr	w3, [x1, w2, uxtw #2]
	.data
table:	.word	1, 2, 3
