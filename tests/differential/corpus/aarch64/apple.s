// mca: triple=arm64-apple-macosx cpu=apple-m1
; Apple's assembler starts comments with a semicolon and joins statements with %%.
; LLVM-MCA-BEGIN chain
	fmadd	d0, d1, d2, d0
	fmadd	d0, d3, d4, d0
	fdiv	d5, d0, d1
; LLVM-MCA-END chain
; LLVM-MCA-BEGIN idioms
	mov	x0, #0
	movi.2d	v0, #0000000000000000
	mov	x1, x2
	fmov	d1, d2
	eor	x3, x3, x3 %% add x4, x3, x1
; LLVM-MCA-END idioms
