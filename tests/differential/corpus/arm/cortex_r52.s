@ mca: triple=armv8r-unknown-none-eabihf cpu=cortex-r52
@ A real-time core, in order, with NEON.
	.arm
@ LLVM-MCA-BEGIN filter
	vld1.32	{d0, d1}, [r0]!
	vsub.f32	q2, q0, q1
	vadd.f32	q3, q3, q2
	vst1.32	{d6, d7}, [r1]!
	subs	r2, r2, #4
	bne	filter
@ LLVM-MCA-END filter
filter:
@ LLVM-MCA-BEGIN saturating
	qadd	r3, r4, r5
	ssat	r6, #8, r3
	umaal	r7, r8, r3, r6
	udiv	r9, r8, r7
@ LLVM-MCA-END saturating
