# mca: triple=x86_64-unknown-linux-gnu cpu=alderlake
# Instructions that the assembler makes: macros in macros, defaults, repetitions, conditions. No markers: where those
# stand beside macros is a matter of its own, see twins/.
	.macro	square reg
	imulq	\reg, \reg
	.endm
	.macro	horner to=%rax, from=%rdx
	square	\from
	.if	1
	leaq	1(\to,\from), \to
	.else
	ud2
	.endif
	.endm
	.set	step, 16
	horner
	horner	%rbx, %rcx
	addq	$step, %rdi
	.rept	3
	vaddps	%ymm0, %ymm1, %ymm1
	.endr
	.irp	register, %rsi, %rdi, %r8
	movq	(\register), %rax
	.endr
	.irpc	digit, 123
	vmovups	\digit\()0(%rax), %ymm\digit
	.endr
