// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-v2
// Scalable vectors with predicates.
.Lloop:
	// LLVM-MCA-BEGIN dot
	ld1w	{ z1.s }, p0/z, [x0, x3, lsl #2]
	ld1w	{ z2.s }, p0/z, [x1, x3, lsl #2]
	fmla	z0.s, p0/m, z1.s, z2.s
	incw	x3
	whilelo	p0.s, x3, x2
	b.mi	.Lloop
	// LLVM-MCA-END dot
	// LLVM-MCA-BEGIN horizontal
	ptrue	p1.s
	faddv	s0, p1, z0.s
	fadda	s3, p1, s3, z1.s
	movprfx	z4, z0
	fmad	z4.s, p1/m, z1.s, z2.s
	sdot	z5.s, z6.b, z7.b
	// LLVM-MCA-END horizontal
