// mca: triple=aarch64-unknown-linux-gnu cpu=thunderx3t110
// Large-system atomics, exclusives, acquire and release.
// LLVM-MCA-BEGIN counter
	ldadd	x0, x1, [x2]
	ldaddal	w3, w4, [x5]
	casal	x6, x7, [x8]
	swp	x9, x10, [x11]
// LLVM-MCA-END counter
retry:
// LLVM-MCA-BEGIN exclusive
	ldaxr	w0, [x1]
	add	w0, w0, #1
	stlxr	w2, w0, [x1]
	cbnz	w2, retry
	dmb	ish
	ldar	x3, [x4]
	stlr	x3, [x5]
// LLVM-MCA-END exclusive
