// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a57
// Addresses that loads and stores write back, pairs and structures.
// LLVM-MCA-BEGIN copy
	ldp	x3, x4, [x1], #16
	stp	x3, x4, [x0], #16
	ldrb	w5, [x1, #1]!
	strb	w5, [x0], #1
	ldr	q0, [x2, w6, sxtw #4]
	prfm	pldl1keep, [x2, #256]
// LLVM-MCA-END copy
// LLVM-MCA-BEGIN structures
	ld3	{ v0.16b, v1.16b, v2.16b }, [x1], #48
	ld1	{ v3.s }[2], [x2]
	st2	{ v0.8h, v1.8h }, [x0], #32
	tbl	v4.16b, { v0.16b, v1.16b }, v5.16b
// LLVM-MCA-END structures
