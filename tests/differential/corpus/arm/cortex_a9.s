@ mca: triple=armv7-unknown-linux-gnueabihf cpu=cortex-a9
@ Predicated instructions, pairs, shifted operands.
	.syntax	unified
	.arm
@ LLVM-MCA-BEGIN predicated
	cmp	r0, r1
	movlt	r2, r0
	addge	r2, r2, r1, lsl #2
	ldr	r3, [r4], #4
	mla	r5, r3, r2, r5
@ LLVM-MCA-END predicated
@ LLVM-MCA-BEGIN memory
	ldr	r6, [r0, r3, lsl #2]
	strd	r6, r7, [r1], #8
	vldr	d0, [r2]
	vmla.f64	d2, d0, d1
	pld	[r0, #64]
@ LLVM-MCA-END memory
