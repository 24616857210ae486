# mca: triple=x86_64-unknown-linux-gnu cpu=alderlake
# Macro calls and repetitions between markers: each instruction stands where the text calls it.
	.macro	square reg
	imulq	\reg, \reg
	.endm
	.macro	horner to=%rax, from=%rdx
	square	\from
	leaq	1(\to,\from), \to
	.endm
	horner	%rsi, %rdi
# LLVM-MCA-BEGIN polynomial
	horner
	horner	%rbx, %rcx
	addq	$16, %rdi
# LLVM-MCA-END polynomial
	.rept	2
	notq	%rax
	.endr
# LLVM-MCA-BEGIN repeated
	.rept	3
	vaddps	%ymm0, %ymm1, %ymm1
	.endr
# LLVM-MCA-BEGIN half
	.irp	register, %rsi, %rdi, %r8
	movq	(\register), %rax
	.endr
# LLVM-MCA-END repeated
	.irpc	digit, 123
	vmovups	\digit\()0(%rax), %ymm\digit
	.endr
# LLVM-MCA-END half
