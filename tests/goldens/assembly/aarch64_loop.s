// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-v2
//  | target: aarch64-unknown-linux-gnu neoverse-v2 (set in the buffer); neoverse-v2: its own model
// A loop over scalable vectors.
	.type	axpy,%function
axpy:
	whilelo	p0.s, xzr, x2
.Lloop:
//  ^ hint: IPC 4.67 · 1.5 cyc · dispatch
//  | finding 1-8: information dispatch-limit: loop in axpy: limited by dispatch: 9.0 micro-ops, at most 6 per cycle, take 1.5 of 1.5 cycles per iteration
//  | region loop in axpy (loop) to line 13: 7 instructions, 100 iterations in 166 cycles, block rthroughput 1.50
	ld1w	{ z1.s }, p0/z, [x0, x3, lsl #2]
	ld1w	{ z2.s }, p0/z, [x1, x3, lsl #2]
	fmla	z2.s, p0/m, z1.s, z0.s
	st1w	{ z2.s }, p0, [x1, x3, lsl #2]
	incw	x3
	whilelo	p0.s, x3, x2
	b.mi	.Lloop
	ret
