// mca: triple=aarch64-unknown-linux-gnu cpu=thunderx2t99
// Conditional selects, long multiplications and a call.
// LLVM-MCA-BEGIN select
	cmp	x0, x1
	csel	x2, x0, x1, lt
	cset	w3, ge
	csinc	x4, x2, x4, eq
	ccmp	x2, #4, #8, ne
	tst	x4, #0xff
// LLVM-MCA-END select
// LLVM-MCA-BEGIN wide
	mul	x5, x0, x1
	umulh	x6, x0, x1
	adds	x7, x7, x5
	adc	x8, x8, x6
	bl	carry
// LLVM-MCA-END wide
