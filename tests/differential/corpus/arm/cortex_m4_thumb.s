@ mca: triple=thumbv7em-unknown-none-eabihf cpu=cortex-m4
@ A microcontroller: in order, Thumb, DSP instructions.
	.syntax	unified
	.thumb
@ LLVM-MCA-BEGIN fir
	ldr	r3, [r0], #4
	ldr	r4, [r1], #4
	smlad	r5, r3, r4, r5
	subs	r2, #1
	bne	fir
@ LLVM-MCA-END fir
fir:
@ LLVM-MCA-BEGIN float
	vldr	s0, [r0]
	vmla.f32	s1, s0, s2
	vcvt.s32.f32	s3, s1
	sdiv	r6, r5, r4
	it	eq
	moveq	r7, r6
@ LLVM-MCA-END float
