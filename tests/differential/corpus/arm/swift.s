@ mca: triple=armv7s-apple-ios cpu=swift
@ Variants of instructions that a shift makes slower.
	.syntax	unified
@ LLVM-MCA-BEGIN shifts
	add	r0, r1, r2, lsl #2
	add	r0, r1, r2, lsl #7
	ldr	r3, [r0, r2, lsl #2]
	ldrd	r4, r5, [r0]
	smull	r6, r8, r3, r4
@ LLVM-MCA-END shifts
