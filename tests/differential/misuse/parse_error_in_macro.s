// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a57
	.macro	broken r
	add	\r, \r, #1
	add	\r, wzz, #1
	.endm
	broken	x0
	broken	w1
	.rept	2
	mul	x0, x1
	.endr
