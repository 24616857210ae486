# mca: triple=x86_64-unknown-linux-gnu cpu=sandybridge
# The old floating-point stack, and MMX on the same registers.
# LLVM-MCA-BEGIN stack
	fldt	(%rdi)
	fmul	%st(1), %st
	fxch	%st(1)
	faddp	%st, %st(1)
	fsqrt
	fstpt	16(%rdi)
# LLVM-MCA-END stack
# LLVM-MCA-BEGIN mmx
	movq	(%rsi), %mm0
	paddw	%mm1, %mm0
	pmaddwd	%mm2, %mm0
	movq	%mm0, (%rdi)
	emms
# LLVM-MCA-END mmx
